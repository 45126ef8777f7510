// The people whom the returns of a nonprofit name, year by year: titles, hours, the three columns of
// pay, and the detail of Schedule J. Names as filed; equal names are not said to be one person.
import { ask } from "./api.js";
import { h } from "./dom.js";
import { cell, column, known, scrolling, shorten, taxYear } from "./filings.js";
import { count, dollars, named, plural } from "./format.js";
import { problem } from "./states.js";
import { isLeading, titled } from "./titles.js";

/** People of one return that are shown; a return of the largest has some hundreds. */
const PEOPLE_MAX = 100;
const SHOWN = 12;
const DETAIL = [["base", "Base"], ["bonus", "Bonus"], ["other", "Other"], ["deferred", "Deferred"], ["nontaxable", "Nontaxable"], ["total", "Total"]];

/** The section; null where no loaded return lists people. */
export async function peopleSection({ ein, signal, filings }) {
  const path = `/nonprofits/people/${ein}`;
  const { body } = await ask(path, { size: 1 }, { signal });
  if (body.total === 0) return body.message?.includes("left out") ? h("p", { class: "muted" }, `${body.message}.`) : null;
  const holder = h("div", {});
  const returns = await filings().catch(() => []);
  const show = async (year) => {
    try {
      const { body: of } = await ask(path, { year, size: PEOPLE_MAX }, { signal });
      holder.replaceChildren(...table(of, taxYear(year, returns)));
    } catch (error) {
      if (!signal.aborted) holder.replaceChildren(problem(error, () => show(year)));
    }
  };
  await show(body.years[0]);
  const select = body.years.length > 1 && h("span", { class: "choice" }, h("label", { for: "people-year" }, "Return"),
    h("select", { id: "people-year", onchange: (event) => show(event.target.value) }, body.years.map((year) => h("option", { value: year }, taxYear(year, returns)))));
  return [select, holder];
}

/** Pay by the organization and those related to it. */
const payOf = ({ compensation, compensation_related: related }) => (compensation ?? 0) + (related ?? 0);

/** Columns of pay beside that of the organization, shown where anybody has some. */
const FURTHER = [["From related", "compensation_related"], ["Other pay", "compensation_other"]];

function table({ items, total }, when) {
  const further = FURTHER.filter(([, field]) => items.some((one) => known(one[field]) && one[field] !== 0));
  const ordered = [...items].sort((one, other) => payOf(other) - payOf(one) || isLeading(other.title) - isLeading(one.title));
  const order = items.some((one) => payOf(one) > 0) ? "highest paid first" : items.some(({ title }) => isLeading(title)) ? "leaders first" : "in its order";
  const rows = ordered.map((one) => h("tr", {},
    h("th", { scope: "row" }, named(one.name), one.is_business && [" ", h("span", { class: "badge" }, "organization")]),
    h("td", {}, titled(one.title ?? "") || one.roles.join(", "), one.roles.includes("former") && one.title && " (former)", detail(one)),
    cell(one.hours, count), cell(one.compensation), further.map(([, field]) => cell(one[field]))));
  return [
    h("p", { class: "muted small" }, `${plural(total, "person", "people")} in the return of the ${when}, ${order}${total > items.length ? `; the first ${count(items.length)} are shown` : ""}.`),
    scrolling("People", h("table", { class: "data people" },
      h("thead", {}, h("tr", {}, column("Name", false), column("Title", false), column("Hours a week"), column("Pay"), further.map(([name]) => column(name)))),
      h("tbody", {}, rows))),
    shorten(rows, SHOWN),
  ].filter(Boolean);
}

/** What Schedule J has of somebody, folded away; null where it has nothing. */
function detail({ schedule_j: of, name }) {
  if (!of) return null;
  const payers = [["The organization", of.organization], ["Related", of.related]].filter(([, pay]) => known(pay.total) && pay.total !== 0);
  return payers.length > 0 && h("details", { class: "more small" }, h("summary", {}, "Schedule J", h("span", { class: "visually-hidden" }, ` of ${named(name)}`)),
    payers.map(([payer, pay]) => h("div", {}, `${payer}: `, DETAIL.filter(([field]) => known(pay[field]) && pay[field] !== 0)
      .map(([field, text], at) => `${at ? ", " : ""}${text.toLowerCase()} ${dollars(pay[field])}`))));
}
