// A list that is matched, in memory only: its rows, what the server said of each, what a person settled,
// and the rows that are written in the end. Sends the list piece by piece. Knows nothing of elements.
import { ask } from "./api.js";
import { query } from "./columns.js";
import { dashed } from "./format.js";
import { unlistedState } from "./holdings.js";
import { pause } from "./pause.js";

export const PATH = "/match";
/** Rows of one request, below the 500 that the server takes, so that progress is seen; and their bytes, below its 1 MiB. */
const CHUNK_ROWS = 200;
const CHUNK_BYTES = 800_000;
/** How often a request is made again that the server was too busy for, and seconds between where it names none. */
const BUSY_TRIES = 8;
const BUSY_WAIT = 2;
/** Failures in a row after which the rest is not tried. */
const FAILURES_MAX = 3;
/** The probability from which on another organization is named beside the one that was chosen. */
const SECOND_MIN = 0.01;
/** Candidates of a row, each of which has a key to choose it. */
export const CANDIDATES = 3;
const ADDED = ["decision", "ein", "matched_name", "score", "reasons", "second_ein", "settled_by"];
/** What precedes an added column of which the list has one already. */
const PREFIX = "almoner_";

/** What the server says of rows that it had no time for: they are sent again. */
const NOT_TRIED = "not tried";

const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

export class Matching {
  /**
   * @param {{name: string, header: string[], rows: string[][], numbers: number[], roles: Array<string|null>}} list
   *   `numbers`: of each row in its file
   */
  constructor(list) {
    Object.assign(this, list);
    /** Of each row: the server's answer; null where there is none yet. */
    this.results = this.rows.map((row) => this.#misfit(row));
    /** Of rows that a person settled: an EIN, or null for none of the candidates. */
    this.settled = new Map();
    /** What was settled, in order: the row, and what it was before. */
    this.past = [];
    /** Whether something was settled that is not in a file yet. */
    this.unsaved = false;
    /** Members of the details that the file is to have too, and what is known of them: by EIN, null for one that is not in the data. */
    this.fields = new Set();
    this.details = new Map();
    /** Codes of the states whose own list this server has; null while that is not known. */
    this.loaded = null;
  }

  /** Rows whose cells are not below the headings cannot be read; they are told, not sent. */
  #misfit(row) {
    const [found, expected] = [row.length, this.header.length];
    return found === expected ? null : unsent(`the row has ${plural(found, "field")}, the header ${expected}`);
  }

  asked(at) {
    return query(this.rows[at], this.roles);
  }

  /** Rows that have no answer. */
  pending() {
    return this.results.flatMap((result, at) => (result ? [] : [at]));
  }

  /**
   * Asks for every row that has no answer yet. Those of a request that fails stay without one.
   * @param {AbortSignal} signal
   * @param {(note: string|null) => void} progress called after each answer, and when the server makes it wait
   * @returns {Promise<Error|null>} the last failure
   * @throws an AbortError when `signal` says so
   */
  async run(signal, progress) {
    let failure = null;
    let failures = 0;
    for (const rows of this.#chunks()) {
      try {
        await this.#send(rows, signal, progress);
        failures = 0;
      } catch (error) {
        if (signal.aborted) throw error;
        failure = error;
        failures += 1;
        // Without a server or a key the others would fail as well.
        if (!error.status || error.status === 401 || failures >= FAILURES_MAX) break;
      }
      progress(null);
    }
    return failure;
  }

  #chunks() {
    const chunks = [];
    let bytes = CHUNK_BYTES;
    for (const at of this.pending()) {
      const size = new Blob([JSON.stringify(this.asked(at))]).size;
      if (size > CHUNK_BYTES) {
        this.results[at] = unsent("the row is too long to be sent");
        continue;
      }
      if (bytes + size > CHUNK_BYTES || chunks.at(-1).length === CHUNK_ROWS) {
        chunks.push([]);
        bytes = 0;
      }
      chunks.at(-1).push(at);
      bytes += size;
    }
    return chunks;
  }

  async #send(rows, signal, progress) {
    while (rows.length) {
      const body = { queries: rows.map((at) => this.asked(at)), limit: CANDIDATES };
      const { body: { results } } = await patiently(() => ask(PATH, null, { signal, body }), signal, progress);
      if (results?.length !== rows.length) throw new Error("The server did not answer each row.");
      const isTried = (position) => results[position].decision !== NOT_TRIED;
      rows.forEach((at, position) => { if (isTried(position)) this.results[at] = results[position]; });
      rows = rows.filter((_, position) => !isTried(position));
      if (rows.length) progress(null);
    }
  }

  /** What holds for a row now: `decision` null where there is no answer, `by` "matcher" or "person". */
  verdict(at) {
    const result = this.results[at];
    if (!result) return { decision: null, chosen: null, by: null };
    const { candidates } = result;
    if (this.settled.has(at)) {
      const ein = this.settled.get(at);
      return { decision: ein ? "yes" : "no", chosen: candidates.find((one) => one.ein === ein) ?? null, by: "person" };
    }
    return { decision: result.decision, chosen: result.decision === "no" ? null : candidates[0], by: "matcher" };
  }

  /** A person's word for a row: the EIN of a candidate, or null for none of them. */
  settle(at, ein) {
    this.past.push([at, this.settled.has(at), this.settled.get(at)]);
    this.settled.set(at, ein);
    this.unsaved = true;
  }

  /** Takes the last word back. Gives its row, or null where there is none. */
  undo() {
    const last = this.past.pop();
    if (!last) return null;
    const [at, was, ein] = last;
    if (was) this.settled.set(at, ein);
    else this.settled.delete(at);
    this.unsaved = true;
    return at;
  }

  /** How many rows have each decision now. */
  counts() {
    const counts = { all: this.rows.length, yes: 0, maybe: 0, no: 0, none: 0, settled: this.settled.size };
    this.rows.forEach((_, at) => { counts[this.verdict(at).decision ?? "none"] += 1; });
    return counts;
  }

  /** EINs of the rows that are yes, each once, in the order of the list. */
  eins() {
    return [...new Set(this.rows.flatMap((_, at) => {
      const { decision, chosen } = this.verdict(at);
      return decision === "yes" ? [chosen.ein] : [];
    }))];
  }

  /** EINs that the file names, each once: of the rows that are yes or maybe. */
  found() {
    return [...new Set(this.rows.flatMap((_, at) => this.verdict(at).chosen?.ein ?? []))];
  }

  /**
   * The list with what was found: all its columns, then those that are added.
   * @param {string[]} fields of the details, which are there for all that were found
   */
  table(fields = []) {
    const width = this.header.length;
    const surplus = this.rows.some((row) => row.length > width);
    const added = [...ADDED, ...fields, ...(surplus ? ["beyond_the_header"] : [])];
    const rows = this.rows.map((row, at) => {
      const details = this.details.get(this.verdict(at).chosen?.ein);
      return [
        ...Array.from({ length: width }, (_, column) => row[column] ?? ""),
        ...this.#added(at),
        ...fields.map((field) => details?.[field] ?? ""),
        ...(surplus ? [row.slice(width).join("; ")] : []),
      ];
    });
    return [[...this.header, ...added.map((name) => this.#heading(name))], ...rows];
  }

  #heading(name) {
    const taken = this.header.map((heading) => heading.trim().toLowerCase());
    while (taken.includes(name.toLowerCase())) name = PREFIX + name;
    return name;
  }

  #added(at) {
    const { decision, chosen, by } = this.verdict(at);
    if (!decision) return ["", "", "", "", "not matched yet", "", ""];
    const { candidates } = this.results[at];
    const shown = chosen ?? candidates[0];
    const second = chosen && candidates.find((one) => one !== chosen && one.score >= SECOND_MIN);
    return [
      decision, chosen ? dashed(chosen.ein) : "", chosen?.name ?? "", shown ? shown.score.toFixed(4) : "",
      this.reasons(at), second ? dashed(second.ein) : "", by,
    ];
  }

  /** The state of a row, if it has not been found and no list of that state is loaded: it may well exist; else null. */
  unlisted(at) {
    const { decision } = this.verdict(at);
    return !decision || decision === "yes" ? null : unlistedState(this.asked(at).state, this.loaded);
  }

  /** What agrees and what does not, or why there is nothing. */
  reasons(at) {
    const { chosen } = this.verdict(at);
    const { candidates, reason } = this.results[at];
    if (reason) return reason;
    const state = this.unlisted(at);
    const unlisted = state ? [`no list of ${state} is loaded here`] : [];
    const [nearest] = candidates;
    if (chosen) return [...chosen.reasons, ...unlisted].join("; ");
    return [...unlisted, `nearest is ${nearest.name}: ${nearest.reasons.join("; ")}`].join("; ");
  }
}

/** The answer for a row that the server did not judge. */
const unsent = (reason) => ({ decision: "no", ein: null, candidates: [], reason });

/**
 * Makes a request, again where the server is too busy for it.
 * @param {(note: string) => void} told says that it waits
 */
export async function patiently(request, signal, told) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await request();
    } catch (error) {
      if (![429, 503].includes(error.status) || tries >= BUSY_TRIES) throw error;
      const seconds = error.wait ?? BUSY_WAIT;
      told(`The server is busy; trying again in ${seconds} seconds.`);
      await pause(seconds * 1000, signal);
    }
  }
}
