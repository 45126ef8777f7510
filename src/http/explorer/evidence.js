// One row of a matched list: as it is listed, and its evidence, the candidates part by part beside it with how far each
// part agrees and the buttons that settle it. Draws what it is given and asks nothing.
import { profileOf } from "./card.js";
import { h } from "./dom.js";
import { dashed, plural } from "./format.js";

/** Beside a yes a candidate that is less likely is folded away. */
const ASIDE_BELOW = 0.01;

const KIND = { yes: "good", maybe: "warn", no: "" };
const SAID = { yes: "Yes", maybe: "Maybe", no: "No" };

/** A probability in words. */
function percent(score) {
  if (score < 0.005) return "< 1%";
  return score >= 0.995 && score < 1 ? "> 99%" : `${Math.round(score * 100)}%`;
}

export const key = (text) => h("kbd", null, text);

/** What a row is known by: its name, else the EIN that it gives. */
const called = ({ name, ein }) => name || ein || "(no name)";

/** A row and its match side by side. */
export function rowParts(matching, at) {
  const { decision, chosen, by } = matching.verdict(at);
  const asked = matching.asked(at);
  const score = matching.settled.has(at) ? null : matching.results[at]?.candidates[0]?.score;
  const place = [asked.street, asked.city, [asked.state, asked.zip].filter(Boolean).join(" ")].filter(Boolean).join(", ");
  return [
    h("span", { class: "match-given" },
      h("span", { class: "match-name" }, called(asked)),
      h("span", { class: "match-where" }, `row ${matching.numbers[at]}`, place ? ` · ${place}` : "")),
    h("span", { class: "match-found" },
      chosen ? h("span", { class: "match-name" }, chosen.name) : null,
      chosen ? h("span", { class: "match-where" }, h("span", { class: "ein" }, dashed(chosen.ein)), ` · ${matching.reasons(at)}`)
        : h("span", { class: "match-where" }, decision ? matching.reasons(at) : "no answer yet")),
    h("span", { class: "match-verdict" },
      decision ? h("span", { class: `badge ${KIND[decision]}` }, SAID[decision]) : null,
      h("span", { class: "match-score", title: "How likely the row means this organization" }, by === "person" ? "by you" : chosen ? percent(score) : "")),
  ];
}

const PARTS = [
  ["name", "Name", (asked) => [asked.name, ...(asked.other_names ?? [])], (one, its) => [its?.name ?? one.name, its?.alt_name]],
  ["street", "Street", (asked) => [asked.street], (_, its) => [its?.streetAddress]],
  ["city", "City", (asked) => [asked.city], (_, its) => [its?.city]],
  ["state", "State", (asked) => [asked.state], (_, its) => [its?.state]],
  ["zip", "ZIP code", (asked) => [asked.zip], (_, its) => [its?.zipCode5]],
  ["numbers", "Numbers", () => [], () => []],
];

/**
 * The evidence of a row as elements.
 * @param {import("./matching.js").Matching} matching
 * @param {number} at the row
 * @param {{together: boolean, details: Map<string, object|null>, settle: (ein: string|null) => void, undo: () => void}} options
 *   `together`: candidates side by side; `details`: of the organizations, as far as they are known
 */
export function evidenceOf(matching, at, { together, details, settle, undo }) {
  const result = matching.results[at];
  const asked = matching.asked(at);
  const candidates = result?.candidates ?? [];
  const { decision, chosen, by } = matching.verdict(at);
  const heading = h("h3", null, called(asked));
  const choices = candidates.length > 0 && h("div", { class: "row match-choices" },
    h("button", {
      type: "button", class: "button small", "aria-pressed": String(by === "person" && decision === "no"), "aria-keyshortcuts": "N", onclick: () => settle(null),
    }, key("N"), candidates.length > 1 ? "None of these" : "Not this one"),
    h("button", { type: "button", class: "button small quiet", "aria-keyshortcuts": "U", disabled: !matching.past.length, onclick: undo }, key("U"), "Undo"));
  // Beside a match that is as good as certain, who is as good as excluded only takes room.
  const isAside = (one) => decision === "yes" && one !== chosen && one.score < ASIDE_BELOW;
  const likely = candidates.filter((one) => !isAside(one));
  const aside = candidates.filter(isAside);
  const groups = together ? [likely] : likely.map((one) => [one]);
  const table = (group) => evidenceTable(asked, group, {
    details, number: (one) => candidates.indexOf(one) + 1, isChosen: (one) => by === "person" && one === chosen, settle,
  });
  const state = matching.unlisted(at);
  return [
    heading,
    state && h("p", null, `No list of ${state} is loaded here: the nonprofit may exist all the same.`),
    choices,
    candidates.length ? groups.filter((group) => group.length).map(table) : h("p", null, result ? `${matching.reasons(at)}.` : "This row has no answer yet."),
    aside.length > 0 && h("details", { class: "more match-unlikely" },
      h("summary", null, `${plural(aside.length, "other", "others")}, below ${percent(ASIDE_BELOW)} each`), (together ? [aside] : aside.map((one) => [one])).map(table)),
    h("details", { class: "more" }, h("summary", null, "The whole row"),
      h("dl", { class: "facts" }, matching.rows[at].map((cell, column) => [
        h("dt", null, matching.header[column]?.trim() || `Column ${column + 1}`), h("dd", null, cell.trim() ? cell.slice(0, 500) : h("span", { class: "muted" }, "empty")),
      ]))),
  ].flat().filter(Boolean);
}

/** Part by part: the row's, then each candidate's with how far it agrees. */
function evidenceTable(asked, candidates, { details, number, isChosen, settle }) {
  const chosen = (one) => (isChosen(one) ? "chosen" : null);
  const parts = asked.ein ? [...PARTS, ["ein", "EIN", () => [asked.ein], (one) => [dashed(one.ein)]]] : PARTS;
  const head = (one) => h("th", { scope: "col", class: chosen(one) },
    h("span", { class: "match-likely" }, percent(one.score)),
    h("a", { class: "match-name", href: profileOf(one.ein) }, one.name),
    h("span", { class: "match-where" }, h("span", { class: "ein" }, dashed(one.ein))),
    h("button", {
      type: "button", class: "button small", "aria-pressed": String(isChosen(one)), "aria-keyshortcuts": String(number(one)), onclick: () => settle(one.ein),
    }, key(String(number(one))), isChosen(one) ? "Chosen" : "Choose", h("span", { class: "visually-hidden" }, ` ${one.name}`)));
  return h("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": candidates.length > 1 ? "Candidates part by part" : `${candidates[0].name} part by part` },
    h("table", { class: "data evidence" },
      h("thead", null, h("tr", null, h("td", null), h("th", { scope: "col", class: "yours" }, "Your list"), candidates.map(head))),
      h("tbody", null,
        parts.map(([part, said, yours, theirs]) => h("tr", null,
          h("th", { scope: "row" }, said),
          h("td", { class: "yours" }, lines(yours(asked))),
          candidates.map((one) => h("td", { class: chosen(one) }, lines(theirs(one, details.get(one.ein))), mark(part, one, asked))))),
        h("tr", null, h("th", { scope: "row" }, "Reasons"), h("td", { class: "yours" }),
          candidates.map((one) => h("td", { class: chosen(one) }, one.reasons.join("; ")))))));
}

const lines = (values) => values.filter(Boolean).map((value, at) => h("span", { class: at ? "value muted" : "value" }, value));

/** How far a part agrees, in a word. */
function mark(part, one, asked) {
  if (part === "ein") return badge(asked.ein.replace(/\D/g, "") === one.ein ? ["good", "same"] : ["bad", "another"]);
  const value = part === "name" && !asked.name ? null : one.features[part];
  if (value === null || value === undefined) return h("span", { class: "mark none" }, "not compared");
  if (part === "numbers" && value === 1 && !/\d/.test(one.name + asked.name)) return h("span", { class: "mark none" }, "none");
  if (part === "numbers") return badge({ 0: ["bad", "differ"], 0.5: ["warn", "only one has one"], 1: ["good", "no conflict"] }[value]);
  if (value === 1) return badge(["good", "same"]);
  if (value === 0) return badge(["bad", part === "name" ? "unlike" : "another"]);
  return badge([value >= 0.6 ? "warn" : "bad", `${percent(value)} alike`]);
}

const badge = ([kind, text]) => h("span", { class: `mark ${kind}` }, text);
