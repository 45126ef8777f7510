// The rows of a comparison (compare.js): what each says of an organization, as `{ value, when, why, kind }`: the value or null,
// what it is of, why it is unknown, and the kind of a check of its standing.
import { classified } from "./classification.js";
import { POSTCARD_REVENUE, count, dollars, excerpt, lengthOf, month, named, place, plural, short, telephone } from "./format.js";
import { whyUnknown } from "./provenance.js";
import { checksOf } from "./standing.js";

/** Characters of a mission that a comparison shows. */
const MISSION_SHOWN = 280;

export const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

/** A figure with what it is of: the latest return, else what the details have. */
function figure(field, inDetails) {
  return ({ found, filing }) => {
    if (isNumber(filing?.[field])) return { value: filing[field], when: `${lengthOf(filing)} to ${month(filing.period_end)}` };
    if (inDetails && isNumber(found?.[inDetails])) return { value: found[inDetails], when: found.filingYear ? `latest known, ${found.filingYear}` : "latest known" };
    return { value: null, why: found && (filing ? `not in the return, ${lengthOf(filing)} to ${month(filing.period_end)}` : "no return is loaded") };
  };
}

/** Revenue; of those that file the e-Postcard and have no figure what that says. */
function revenue(one) {
  const said = figure("revenue", "revenueGrandTotal")(one);
  if (said.value !== null || one.found?.formType !== "990-N") return said;
  return { value: POSTCARD_REVENUE, when: one.found.filingYear ? `latest known, ${one.found.filingYear}` : "latest known" };
}

/** Assets of the latest return, else those of the master file. */
function assets(one) {
  const returned = figure("assets")(one);
  const { assets: value, assets_period: of } = one.standing ?? {};
  return returned.value === null && isNumber(value) ? { value, when: of ? `at the end of ${month(of)}` : "latest known" } : returned;
}

/** The list's revenue, where it is of a later year than the latest return. */
export function later({ found, filing }) {
  const returned = Number(filing?.period_end?.slice(0, 4) ?? Infinity);
  return isNumber(found?.revenueGrandTotal) && found.filingYear > returned ? { value: found.revenueGrandTotal, when: `latest known, ${found.filingYear}` } : { value: null, why: found && "nothing newer is known" };
}

/** What a return has when several of its lines are put together. */
const ofReturn = (of) => (one) => {
  const value = one.filing && of(one.filing);
  const when = one.filing && `${lengthOf(one.filing)} to ${month(one.filing.period_end)}`;
  if (isNumber(value)) return { value, when };
  return { value: null, why: one.found && (one.filing ? `not in the return, ${when}` : "no return is loaded") };
};

/** The part of the expenses that its programs have. */
const programShare = ({ expenses, breakdown }) => (expenses > 0 && isNumber(breakdown?.program_expenses) ? breakdown.program_expenses / expenses : null);

/** Months that net assets without donor restrictions pay for. */
const reserves = ({ expenses, months = 12, breakdown }) => (expenses > 0 && isNumber(breakdown?.unrestricted_net_assets)
  ? breakdown.unrestricted_net_assets / (expenses / (months || 12)) : null);

/** The highest compensation of those whom the latest return lists, and whose it is. */
function pay(one) {
  const paid = (one.filing?.officers ?? []).filter(({ compensation }) => isNumber(compensation));
  if (!paid.length) return ofReturn(() => null)(one);
  const { name, title, compensation } = paid.reduce((most, other) => (other.compensation > most.compensation ? other : most));
  return { value: compensation, when: [named(name), title && named(title), `${lengthOf(one.filing)} to ${month(one.filing.period_end)}`].filter(Boolean).join(", ") };
}

const percents = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 });
const inPercent = (value) => percents.format(value);
const inMonths = (value) => plural(Math.round(value * 10) / 10, "month", "months");

const text = (field, of) => (one) => ({ value: (one.found && of(one.found)) || null, why: whyUnknown(one.provenance, field) });
const check = (at) => ({ standing }) => (standing ? { value: checksOf(standing)[at].text, kind: checksOf(standing)[at].kind, when: checksOf(standing)[at].from } : { value: null });
/** By its NTEE code; without one the group that other codes of the IRS imply, which is a guess and says so. */
const causeOf = ({ found, standing, provenance }) => (found?.ntee ? { value: `${standing?.ntee_title ?? found.issueArea} (${found.ntee})` }
  : { value: found?.issueArea ?? null, when: "no NTEE code on file", why: whyUnknown(provenance, "ntee") });
/** What is no number says itself. */
const ifNumber = (say) => (value) => (isNumber(value) ? say(value) : value);
const MONEY = { say: ifNumber(short), exactly: ifNumber(dollars), bar: true };

/** Groups of rows: the name in a CSV, the title, what it is of one organization, and how it is said. */
export const GROUPS = [
  ["About", [
    ["place", "Address", text("city", (found) => [found.streetAddress, [place(found), found.zipCode5].filter(Boolean).join(" ")].filter(Boolean).join(", "))],
    ["telephone", "Telephone", ({ found, standing, filing }) => ({ value: standing?.phone && telephone(standing.phone), why: found && (filing ? "not in the return" : "no return is loaded") })],
    ["cause", "Cause", causeOf],
    ["founded", "Founded", text("yearFounded", ({ yearFounded }) => yearFounded && String(yearFounded))],
    ["exempt_since", "Exempt since", text("irsRulingDate", ({ irsRulingDate }) => irsRulingDate && month(irsRulingDate))],
  ]],
  ["Standing", [["exemption", "Exemption", check(0)], ["class", "Class", ({ report }) => ({ value: report && classified(report) })], ["gifts", "Gifts", check(1)], ["revocation", "Revocation", check(2)]]],
  ["Money", [
    ["revenue", "Revenue", revenue, MONEY],
    ["revenue_later", "Revenue since then", later, MONEY],
    ["expenses", "Expenses", figure("expenses"), MONEY],
    ["assets", "Assets", assets, MONEY],
    ["liabilities", "Liabilities", figure("liabilities"), MONEY],
    ["net_assets", "Net assets", figure("net_assets", "netAssets"), MONEY],
    ["program_share", "Spent on programs", ofReturn(programShare), { say: inPercent, exactly: inPercent, bar: true }],
    ["reserves", "Reserves", ofReturn(reserves), { say: inMonths, exactly: inMonths, bar: true }],
  ]],
  ["People", [
    ["employees", "Employees", figure("employees"), { say: count, exactly: count, bar: true }],
    ["volunteers", "Volunteers", figure("volunteers"), { say: count, exactly: count, bar: true }],
    ["highest_pay", "Highest pay listed", pay, MONEY],
  ]],
  ["In its own words", [["mission", "Mission", ({ found, filing, provenance }) => ({ value: found?.summary ?? filing?.mission ?? null, why: whyUnknown(provenance, "summary") }), { say: (value) => excerpt(value, MISSION_SHOWN) }]]],
];
