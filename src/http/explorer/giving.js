// What a nonprofit's grants of one year add up to in pictures, by the recipients' state and by their cause, and how many
// there are of which size.
import { bars } from "./bars.js";
import { h } from "./dom.js";
import { STATES } from "./filters.js";
import { MAJORS } from "./format.js";

/** Bars of a picture; the others are one more. */
const PARTS_MAX = 6;

/** The pictures; null where there is but one grant, or nothing is told of where they went. */
export function givingOf({ total, total_amount: sum, recipient_states: states, recipient_causes: causes }, when) {
  if (total < 2 || !(sum > 0)) return null;
  const pictures = [
    picture(`Where they went, ${when}`, states, ({ state }) => STATES[state] ?? state, "Abroad or not stated", sum),
    picture(`What for, by the recipients’ causes, ${when}`, causes, ({ ntee_major: letter }) => MAJORS[letter] ?? letter, "Cause not known", sum),
  ].filter(Boolean);
  return pictures.length > 0 && h("div", { class: "year-pictures" }, pictures);
}

/** A picture; null where nothing is known of the most. */
function picture(caption, parts, nameOf, unknown, sum) {
  const told = parts.filter(({ total_amount: amount }) => amount > 0);
  const known = told.filter((part) => nameOf(part));
  const amountOf = (some) => some.reduce((total, { total_amount: amount }) => total + amount, 0);
  if (known.length === 0 || amountOf(known) < sum / 2) return null;
  const shown = known.slice(0, PARTS_MAX).map((part) => [nameOf(part), part.total_amount]);
  const others = amountOf(known.slice(PARTS_MAX));
  const rest = sum - amountOf(known);
  return bars(caption, [...shown, others > 0 && ["Others", others], rest > 0 && [unknown, rest]].filter(Boolean), sum);
}
