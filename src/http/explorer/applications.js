// Whether and how a private foundation takes applications, in the words of its Form 990-PF.
import { h } from "./dom.js";
import { month, named, spoken, telephone } from "./format.js";
import { returnOf } from "./source.js";

const FIELDS = [["addressee", "To"], ["address", "Address"], ["phone", "Telephone"], ["email", "Email"], ["form", "Form"], ["deadlines", "Deadlines"], ["restrictions", "Restrictions"]];

/** An address that was filed in capitals, its state as it is. */
const addressed = (text) => named(text).replace(/, ([A-Z][a-z])(?=, \d{5})/, (state) => state.toUpperCase());
const say = { addressee: named, address: addressed, phone: telephone, email: (address) => address };

/** How to apply, a list for each program that a return describes. */
export const howToApply = (how) => how.map((of) => h("dl", { class: "facts" }, FIELDS.filter(([name]) => of[name])
  .flatMap(([name, said]) => [h("dt", {}, said), h("dd", {}, (say[name] ?? spoken)(of[name]))])));

/** What the latest return that says anything of applications says; null where none does. */
export function applicationsSection(ein, filings) {
  const from = filings.find(({ applications }) => applications);
  if (!from) return null;
  const { only_preselected: isClosed, how } = from.applications;
  return [
    h("p", {}, isClosed ? "Gives to preselected charities only and accepts no unsolicited requests" : "Accepts applications",
      ", according to its ", h("a", { href: returnOf(ein, from) }, `Form 990-PF for the year to ${month(from.period_end)}`), isClosed || how.length === 0 ? "." : ", which says:"),
    howToApply(how)];
}
