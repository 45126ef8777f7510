// One return's money in two pictures: where it came from and what it was spent on. Drawn only of a return that tells
// the parts; what they leave of the sum is shown as the rest.
import { bars } from "./bars.js";
import { h } from "./dom.js";
import { lengthOf, month } from "./format.js";

/** Parts of the revenue, which add up to it but for sales, events and rents. */
const SOURCES = (of, { form_type: form }) => [
  // Form 990 has the dues among the gifts.
  form === "990-EZ" && ["Membership dues", of.membership_dues],
  ["Gifts and private grants", less(of.contributions, of.government_grants)], ["Government grants", of.government_grants],
  ["Program services", of.program_revenue], ["Investments", of.investment_income],
].filter(Boolean);
/** A foundation spends on grants, and on making them. */
const PURPOSES = (of, { form_type: form, expenses }) => (form === "990-PF"
  ? [["Grants on the books (Part I, line 25, column a)", of.grants_paid], ["Running it, and taxes", less(expenses, of.grants_paid)]]
  : [["Programs", of.program_expenses], ["Management", of.management_expenses], ["Fundraising", of.fundraising_expenses]]);

const known = (value) => typeof value === "number" && Number.isFinite(value);
const less = (value, part) => (known(value) ? value - (known(part) ? part : 0) : null);

/** The pictures of a return; null where it tells no parts. */
export function yearOf(filing) {
  const { breakdown, revenue, expenses } = filing;
  if (!breakdown) return null;
  const when = `${lengthOf(filing)} to ${month(filing.period_end)}`;
  const pictures = [
    picture(`Where the money came from, ${when}`, SOURCES(breakdown, filing), revenue),
    picture(`What it was spent on, ${when}`, PURPOSES(breakdown, filing), expenses),
  ].filter(Boolean);
  return pictures.length > 0 && h("div", { class: "year-pictures" }, pictures);
}

/** A picture; null where there is no sum, or nothing of it is told. */
function picture(caption, parts, sum) {
  const told = parts.filter(([, value]) => known(value) && value !== 0);
  if (!known(sum) || sum <= 0 || told.length < 2) return null;
  const rest = sum - told.reduce((total, [, value]) => total + value, 0);
  // A return rounds each line by itself.
  return bars(caption, Math.abs(rest) > sum / 1000 ? [...told, ["Other", rest]] : told, sum);
}
