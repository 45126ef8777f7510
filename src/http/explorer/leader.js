// Who leads an organization, in a line with the return that says so, and since which of the loaded returns it is the same
// person. Names as filed; equal names are taken for one person only from one return to the next.
import { h, nodes } from "./dom.js";
import { lengthOf, month } from "./format.js";
import { leaderOf } from "./titles.js";

const year = (filing) => `return for the ${lengthOf(filing)} to ${month(filing.period_end)}`;

/** Letters of a name in any order of its words, without initials. */
const key = (name) => name.toLowerCase().split(/[^\p{L}]+/u).filter((word) => word.length > 1).sort().join(" ");

/** The earliest return, of those from the latest back without a break, that names the same leader. */
function since(filings, leader) {
  const naming = filings.slice(filings.indexOf(leader.filing)).map((filing) => leaderOf([filing])).filter(Boolean);
  const other = naming.findIndex(({ name }) => key(name) !== key(leader.name));
  return naming[(other < 0 ? naming.length : other) - 1].filing;
}

/** Shows the leader in an element; leaves it hidden where no loaded return names one. */
export function tellLeader(holder, ein, filings) {
  const leader = leaderOf(filings);
  if (!leader) return;
  const first = since(filings, leader);
  holder.append(...nodes([`Led in ${month(leader.filing.period_end)} by `, h("a", { href: `#/nonprofit/${ein}?section=people` }, leader.name), leader.title && `, ${leader.title}`, " ",
    h("span", { class: "muted small" }, `(${year(leader.filing)}`, first !== leader.filing && `, and each loaded return back to ${month(first.period_end)}`, ")")]));
  holder.hidden = false;
}
