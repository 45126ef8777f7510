// One return read as a page: `#/return/<ein>/<last day of its period>`. Everything that is read of it,
// and a link to the file itself.
import { ask, call } from "./api.js";
import { line, named, profileOf } from "./card.js";
import { h, nodes } from "./dom.js";
import { peopleOf, programsOf } from "./filings.js";
import { count, dashed, day, dollars, month, website } from "./format.js";
import { folded } from "./posts.js";
import { loading } from "./states.js";

/** No nonprofit has filed a hundred years' returns. */
const RETURNS_MAX = 100;

const FIGURES = [
  ["Total revenue", "revenue", dollars], ["Total expenses", "expenses", dollars], ["Total assets, end of year", "assets", dollars],
  ["Total liabilities, end of year", "liabilities", dollars], ["Net assets or fund balances, end of year", "net_assets", dollars],
  ["Employees", "employees", count], ["Volunteers", "volunteers", count],
];

const parts = (path) => path.split("/").slice(2).map(decodeURIComponent);

export const title = (path) => `Return of ${dashed(parts(path)[0])}`;

export async function show(root, { path, signal, retitle }) {
  const [ein, period] = parts(path);
  root.replaceChildren(h("h1", {}, `Return of ${dashed(ein)}`), loading("Loading the return…", 6));
  const { body } = await ask(`/nonprofits/filings/${ein}`, { size: RETURNS_MAX }, { signal }).catch((error) => {
    if (error.status === 404 || error.status === 422) return { body: { items: [] } };
    throw error;
  });
  const ofPeriod = body.items.filter(({ period_end: end }) => end === period);
  if (!ofPeriod.length) {
    root.replaceChildren(h("h1", {}, "Return not found"),
      h("p", {}, "No return of this period is in the data. ", h("a", { href: profileOf(ein) }, "The nonprofit's page"), " lists those that are."));
    return;
  }
  retitle?.(`Form ${ofPeriod[0].form_type} of ${month(period)}`);
  root.replaceChildren(
    h("p", { class: "muted" }, named(ein, signal), ` · EIN ${dashed(ein)}`),
    ...ofPeriod.flatMap((filing, at) => pageOf(filing, at > 0)),
    call(`/nonprofits/filings/${ein}`, { size: RETURNS_MAX }));
}

/** The return as elements; of several of one period each is told, the one filed last first. */
function pageOf(filing, isOlder) {
  const url = website(filing.url);
  const sub = isOlder ? "h3" : "h2";
  const figures = FIGURES.filter(([, field]) => typeof filing[field] === "number");
  return nodes([
    h(isOlder ? "h2" : "h1", {}, `Form ${filing.form_type}, year to ${day(filing.period_end)}`),
    h("p", { class: "muted" }, line([
      filing.filed ? `filed ${day(filing.filed)}` : "date of filing not known", `tax year ${filing.tax_year}`, filing.amended && "amended",
      isOlder && "replaced by the one above", url && h("a", { href: url, rel: "noopener noreferrer" }, "the file as filed (XML)")])),
    filing.mission && [h(sub, {}, "Mission"), folded(filing.mission)],
    figures.length > 0 && [h(sub, {}, "Figures"), h("dl", { class: "ledger" }, figures.map(([name, field, say]) =>
      h("div", {}, h("dt", {}, name), h("dd", {}, say(filing[field])))))],
    filing.programs?.length > 0 && [h(sub, {}, "Programs"), programsOf(filing)],
    filing.officers?.length > 0 && [h(sub, {}, "People"), peopleOf(filing)],
  ]);
}
