// Standing at a glance: exemption, deductibility, revocation, each with the list that says so and its
// date. What no loaded list says is "not checked", never "no".
import { h } from "./dom.js";
import { day, month } from "./format.js";

/** For each check: its title, and what each state of it says. */
const CHECKS = [
  ["exemption", "Exemption", {
    yes: ({ exemption }) => exemption ?? "Exempt", no: ({ exemption, checks }) => (checks.exemption.listed ? `Not exempt${exemption ? `: section ${exemption}` : ""}` : "Not in the master file"), "not checked": () => "Not checked" }],
  ["deductibility", "Gifts", {
    yes: ({ deduction_limit: limit }) => (limit ? `Gifts are deductible ${limit}` : "Gifts are deductible"), no: () => "Not deductible", "not checked": () => "Not checked" }],
  ["revocation", "Revocation", {
    yes: ({ revoked }) => (revoked ? `Revoked ${day(revoked)}` : "Revoked"),
    no: ({ reinstated }) => (reinstated ? `Reinstated ${day(reinstated)}` : "Not on the list"), "not checked": () => "Not checked" }],
];
const GOOD = { exemption: "yes", deductibility: "yes", revocation: "no" };

function verdict(check, state) {
  if (state === "not checked") return "unchecked";
  return state === GOOD[check] ? "good" : "bad";
}

/**
 * What an answer of `/nonprofits/standing` says of each question.
 * @returns {Array<{title: string, kind: "good"|"bad"|"unchecked", text: string, from: string}>} `from`:
 *   the list that says so and its date, or why nothing is said
 */
export function checksOf(body) {
  return CHECKS.map(([name, title, words]) => {
    const { state, list } = body.checks[name];
    const was = name === "exemption" && body.inactive && body.exemption;
    return {
      title, kind: was ? "bad" : verdict(name, state), text: was ? `Was ${body.exemption}` : words[state](body),
      from: fromOf(state, list),
    };
  });
}

/**
 * Its exemption in one cell, no more than the check says: a section that no loaded list has is what its own return says,
 * unless the list of revocations has it. Null where nothing is known.
 */
export function exemptionOf(body) {
  const [{ kind, text }] = checksOf(body);
  if (kind !== "unchecked") return text;
  return body.exemption && !body.checks.revocation.listed ? `${body.exemption} by its own return` : null;
}

/** The list that says so, or why none does: one that lacks an organization may be of other states, or a part. */
function fromOf(state, list) {
  if (!list) return "the IRS’s list is not loaded";
  const dated = `${list.title}, ${list.dated_by === "download" ? "downloaded in " : ""}${month(list.date ?? list.downloaded)}`;
  return state === "not checked" ? `not found in the loaded ${dated}, which may be incomplete` : dated;
}

/** The strip of checks, and what to mind beside them. */
export function standing(body) {
  const strip = h("dl", { class: "standing", "aria-label": "Standing" }, checksOf(body).map(({ title, kind, text, from }) => (
    h("div", { class: `verdict ${kind}` }, h("dt", {}, title), h("dd", {}, text), h("dd", { class: "small muted" }, from)))));
  return body.cautions.length === 0 ? strip : h("div", {}, strip, h("ul", { class: "cautions small", role: "note", "aria-label": "Before you rely on this" },
    body.cautions.map((clause) => h("li", {}, `${clause[0].toUpperCase()}${clause.slice(1)}.`))));
}
