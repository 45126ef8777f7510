// Where a figure is from, told at the figure itself: a button over the value that opens a note, for
// the pointer, the keyboard and touch alike; on paper only the value is left.
import { profileOf } from "./card.js";
import { h, nodes } from "./dom.js";
import { day, month } from "./format.js";

let opened = 0;

/** The page of a return: `#/return/<ein>/<last day of its period>`. */
export const returnOf = (ein, filing) => `#/return/${ein}/${filing.period_end}`;

/** A value that tells its source when it is pressed; `note` are children of the note. */
export function sourced(value, note) {
  opened += 1;
  const id = `source-${opened}`;
  return [
    h("button", { type: "button", class: "sourced", popovertarget: id, "aria-label": `${nodes([value]).map((one) => one.textContent).join("")}, show the source` }, value),
    h("span", { class: "source-note", id, popover: "auto" }, note),
  ];
}

/** A figure of a return, with the line of the form where that is told. */
export function fromReturn(ein, filing, line) {
  return [`Form ${filing.form_type}, year to ${month(filing.period_end)}`, line && `, ${line}`,
    filing.filed && `, filed ${day(filing.filed)}`, filing.amended && ", amended", ". ",
    h("a", { href: returnOf(ein, filing) }, "Read the return")];
}

/** A value as `/nonprofits/provenance` tells it; null where it tells nothing of the field. */
export function fromProvenance(provenance, field) {
  const one = provenance?.fields.find((known) => known.field === field);
  if (!one || one.value === null) return null;
  if (one.return) return [fromReturn(provenance.ein, one.return), one.paths[0] && h("code", {}, one.paths[0].split("/").at(-1))];
  if (!one.source) return null;
  return [one.source.title, one.column && [", column ", h("code", {}, one.column)], one.source.date && `, as of ${month(one.source.date)}`,
    one.tax_period && `, year to ${month(one.tax_period)}`, ". ", h("a", { href: `${profileOf(provenance.ein)}?section=sources` }, "All sources")];
}
