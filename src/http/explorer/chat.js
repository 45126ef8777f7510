// A conversation in plain words: `#/chat`; `?q=…` begins a new one with that message. What is said
// is kept by conversation.js, drawn by answer.js and typed into composer.js; here are the log and
// the sending.
import { answer, nextMessages } from "./answer.js";
import { ask, call, Problem } from "./api.js";
import { composer, LETTERS_MAX } from "./composer.js";
import { conversation, keep, startOver } from "./conversation.js";
import { h, nodes } from "./dom.js";
import { STATES } from "./filters.js";
import { holdings, statesOf } from "./holdings.js";
import { aborted, problem } from "./states.js";

/** First messages beside those that the server offers, in a state whose list is loaded. */
const firstOf = (state) => [state ? `Food banks in ${state}` : "Food banks", "Largest museums", "What is an EIN?"].map((message) => ({ label: message, message }));

/** How far the log was scrolled when the view was left; null at the beginning of a conversation. */
let scrolled = null;

export const title = () => "Ask";

export async function show(root, { parameters, signal, replace }) {
  const first = parameters.get("q")?.trim();
  if (first) {
    scrolled = null;
    startOver().turns.push({ q: [...first].slice(0, LETTERS_MAX).join(""), body: null });
    keep();
    // Without the message in the address a reload does not send it again.
    replace("#/chat");
    return;
  }
  // What it offers has to be in the data.
  const held = await holdings().catch(() => null);
  if (signal.aborted) return;
  const log = new Log(signal, held);
  // Drawn before it is on the page: what was said earlier is not told again by a screen reader.
  log.drawAll();
  root.replaceChildren(...log.elements);
  const last = conversation().turns.at(-1);
  if (scrolled === null) log.turns.lastElementChild?.scrollIntoView({ block: "start" });
  else log.turns.scrollTop = scrolled;
  // Left or reloaded before the answer came: it is asked for again.
  if (last && !last.body) await log.send(last);
  else if (!last) await log.offer();
}

/** The conversation on the page. `signal` ends it when the view is left. */
class Log {
  constructor(signal, held) {
    this.signal = signal;
    this.state = held && STATES[statesOf(held).loaded[0]?.state];
    this.hasFunds = Boolean(held?.lists.some(({ kind, loaded }) => kind === "curated" && loaded));
    this.waiting = false;
    /** Turns to their elements. */
    this.shown = new Map();
    this.say = this.say.bind(this);
    this.turns = h("div", { class: "log", role: "log", "aria-label": "Conversation", tabindex: "0", onscroll: () => { scrolled = this.turns.scrollTop; } });
    this.starters = h("div", { class: "starters" });
    this.foot = h("div", {});
    this.composer = composer(this.say);
    this.over = h("button", { type: "button", class: "button small", onclick: () => this.reset() }, "Start over");
    const head = h("div", { class: "spread" }, h("h1", {}, "Ask"), this.over);
    this.elements = [head, this.turns, this.starters, this.composer.form, this.foot];
  }

  drawAll() {
    const { turns } = conversation();
    this.turns.replaceChildren(...turns.map((turn, at) => this.drawn(turn, at === turns.length - 1)));
    this.sync();
  }

  drawn(turn, last) {
    const reply = h("div", { class: "reply" });
    this.fill(reply, turn, last);
    const element = h("div", { class: "turn" },
      h("div", { class: "asked" }, h("span", { class: "visually-hidden" }, "You: "), turn.q), reply);
    this.shown.set(turn, element);
    return element;
  }

  fill(reply, turn, last) {
    if (turn.body) reply.replaceChildren(...nodes(answer(turn.body, this.say, last, this.hasFunds)));
    else if (!last) reply.replaceChildren(problem(new Problem("No answer came."), () => this.send(turn)));
  }

  /** What changes with the number of turns and with waiting. */
  sync() {
    const { session, turns } = conversation();
    const last = turns.at(-1);
    this.composer.settle(this.waiting);
    this.over.hidden = !last;
    this.starters.hidden = Boolean(last);
    this.foot.replaceChildren(...(last ? [call("/chat", { q: last.q }, { session })] : []));
  }

  say(message) {
    if (this.waiting) return;
    const turn = { q: message, body: null };
    conversation().turns.push(turn);
    keep();
    // Next messages are offered below the last answer only.
    for (const one of this.turns.querySelectorAll(".next-messages")) one.remove();
    this.turns.append(this.drawn(turn, true));
    this.composer.box.focus({ preventScroll: true });
    this.send(turn);
  }

  async send(turn) {
    const talk = conversation();
    const shown = this.shown.get(turn);
    const reply = shown.querySelector(".reply");
    this.waiting = true;
    this.sync();
    reply.replaceChildren(h("p", { class: "muted waiting" }, "Looking…"));
    shown.scrollIntoView({ block: "start" });
    try {
      const { body } = await ask("/chat", { q: turn.q }, { signal: this.signal, session: talk.session });
      turn.body = body;
      keep();
      this.fill(reply, turn, turn === talk.turns.at(-1));
    } catch (error) {
      if (this.signal.aborted || aborted(error)) return;
      reply.replaceChildren(problem(error, () => { if (!this.waiting) this.send(turn); }));
    } finally {
      // After a start over this answer is nobody's.
      if (talk === conversation() && !this.signal.aborted) {
        this.waiting = false;
        this.sync();
      }
    }
    // The answer has made room below, so that the question can stand at the top.
    if (shown.isConnected) shown.scrollIntoView({ block: "start" });
  }

  async reset() {
    startOver();
    scrolled = null;
    this.waiting = false;
    this.shown.clear();
    this.drawAll();
    this.composer.box.focus();
    await this.offer();
  }

  /** First messages to try: those that the server offers, which fit its data. */
  async offer() {
    const draw = (list) => this.starters.replaceChildren(
      h("p", {}, "Ask for nonprofits by cause, place, size or name, or about how giving works. ",
        "Then follow up: “only ones over $1M”, “tell me more about the second one”."),
      nextMessages(list, this.say, this.hasFunds));
    const first = firstOf(this.state);
    draw(first);
    try {
      const { body } = await ask("/chat", { q: "hello" }, { signal: this.signal });
      if (body.suggestions?.length > 0) draw([...first, ...body.suggestions.filter(({ message }) => first.every((one) => one.message !== message))]);
    } catch (error) {
      if (!aborted(error)) this.starters.append(problem(error, () => this.offer()));
    }
  }
}
