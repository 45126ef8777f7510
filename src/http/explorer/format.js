// How values are said to people: money, counts, days, places, EINs. Pure functions; what is not
// known (null, undefined) reads "not known", never 0 or an empty cell.

import { isName } from "./name_line.js";

export const UNKNOWN = "not known";

const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
const wholeDollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });
const numbers = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
const days = new Intl.DateTimeFormat("en-US", { year: "numeric", month: "short", day: "numeric", timeZone: "UTC" });
const months = new Intl.DateTimeFormat("en-US", { year: "numeric", month: "long", timeZone: "UTC" });

/** "$1,234,567" */
export const dollars = (value) => (isNumber(value) ? wholeDollars.format(value) : UNKNOWN);

/** "1,234" */
export const count = (value) => (isNumber(value) ? numbers.format(value) : UNKNOWN);

const exact = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 15 });

/** "0.04", "1,234.5": what somebody reported, as they did. */
export const figure = (value) => (isNumber(value) ? exact.format(value) : UNKNOWN);

const STEPS = [[1e12, "T"], [1e9, "B"], [1e6, "M"], [1e3, "K"]];

/** "$1.2M", "−$340K", "$950": at most three digits. */
export function short(value) {
  if (!isNumber(value)) return UNKNOWN;
  const size = Math.abs(value);
  const sign = value < 0 ? "−" : "";
  for (const [at, [step, letter]] of STEPS.entries()) {
    // 999,600 is $1M, not $1000K.
    if (size >= step * 0.9995 || (at === STEPS.length - 1 && size >= 999.5)) {
      const shown = size / step;
      return `${sign}$${shown < 9.95 ? Number(shown.toFixed(1)) : Math.round(shown)}${letter}`;
    }
  }
  return `${sign}$${Math.round(size)}`;
}

/** What the e-Postcard says of the revenue of those that file it, in a cell of a table or of a file. */
export const POSTCARD_REVENUE = "at most $50,000 (e-Postcard)";

/** A revenue as a cell of a file: a number; of those that file the e-Postcard what that says; else nothing. */
export const revenueCell = ({ revenueGrandTotal: revenue, formType }) => (isNumber(revenue) || formType !== "990-N" ? revenue : POSTCARD_REVENUE);

/** "53-0196605"; what is no EIN stays as it is. */
export const dashed = (ein) => (/^\d{9}$/.test(ein) ? `${ein.slice(0, 2)}-${ein.slice(2)}` : String(ein ?? UNKNOWN));

/** "Columbus, OH", or "" */
export const place = (of) => [of?.city, of?.state].filter(Boolean).join(", ");

/** Sources write the same name in capitals or not. */
export const sameName = (one, other) => (one ?? "").toLowerCase() === (other ?? "").toLowerCase();

/** The second name line of a nonprofit, or null where it only repeats the name. It may be a person, a bank or a department. */
export const secondLine = (of) => (of?.alt_name && !sameName(of.alt_name, of.name) ? of.alt_name : null);

/** The other name of a nonprofit, such as that of its chapter; null where the second line is no name. */
export const otherName = (of) => (secondLine(of) && isName(of.alt_name, of.name) ? of.alt_name : null);

function date(iso) {
  const made = iso ? new Date(iso) : null;
  return made && !Number.isNaN(made.getTime()) ? made : null;
}

/** "Nov 15, 2023" */
export const day = (iso) => (date(iso) ? days.format(date(iso)) : UNKNOWN);

/** "November 2023" */
export const month = (iso) => (date(iso) ? months.format(date(iso)) : UNKNOWN);

/** Whether the tax period of a return is no whole year. */
export const isShort = ({ months: length }) => length > 0 && length < 12;

/** "year", or of a return's short year "7 months". */
export const lengthOf = (filing) => (isShort(filing) ? plural(filing.months, "month", "months") : "year");

/** "today", "3 days ago", "2 months ago" */
export function age(iso, now = Date.now()) {
  if (!date(iso)) return UNKNOWN;
  const past = Math.floor((now - date(iso).getTime()) / 86_400_000);
  if (past < 1) return "today";
  if (past < 60) return `${plural(past, "day", "days")} ago`;
  if (past < 730) return `${Math.round(past / 30.4)} months ago`;
  return `${Math.floor(past / 365.25)} years ago`;
}

/** "1 nonprofit", "2,345 nonprofits" */
export const plural = (value, one, many) => `${count(value)} ${value === 1 ? one : many}`;

/** Titles of the 17 Sustainable Development Goals; goal n is `GOALS[n - 1]`. */
export const GOALS = [
  "No Poverty", "Zero Hunger", "Good Health and Well-being", "Quality Education", "Gender Equality",
  "Clean Water and Sanitation", "Affordable and Clean Energy", "Decent Work and Economic Growth",
  "Industry, Innovation and Infrastructure", "Reduced Inequalities",
  "Sustainable Cities and Communities", "Responsible Consumption and Production", "Climate Action",
  "Life Below Water", "Life on Land", "Peace, Justice and Strong Institutions",
  "Partnerships for the Goals",
];

/** The 26 major groups of the NTEE, by letter. */
export const MAJORS = {
  A: "Arts, culture and humanities", B: "Education", C: "Environment", D: "Animals", E: "Health care",
  F: "Mental health and crisis help", G: "Diseases and disorders", H: "Medical research",
  I: "Crime and legal matters", J: "Employment", K: "Food, agriculture and nutrition",
  L: "Housing and shelter", M: "Public safety and disaster relief", N: "Recreation and sports",
  O: "Youth development", P: "Human services", Q: "International and foreign affairs",
  R: "Civil rights and advocacy", S: "Community improvement", T: "Philanthropy and grantmaking",
  U: "Science and technology", V: "Social science", W: "Public and societal benefit",
  X: "Religion", Y: "Mutual and membership benefit", Z: "Unclassified",
};

const NUMERALS = /^(?:ii|iii|iv|vi|vii|viii|ix|llc|llp|usa|na|md|phd|cpa|ceo|cfo|coo|cio|vp|svp|evp|jr|sr)$/i;

/** A name that was filed in capitals in title case; any other as it is. */
export function named(text) {
  const whole = String(text ?? "");
  if (whole !== whole.toUpperCase() || !/[A-Z]{2}/.test(whole)) return whole;
  return whole.toLowerCase().replace(/[\p{L}\p{N}'’]+/gu, (word, at) => {
    if (NUMERALS.test(word)) return /^(?:jr|sr)$/.test(word) ? word[0].toUpperCase() + word.slice(1) : word.toUpperCase();
    if (at > 0 && /^(?:of|the|for|and|in|at|to|on|an|by)$/.test(word)) return word;
    return word.replace(/^(mc)?(\p{L})/u, (_, mc, letter) => (mc ? "Mc" : "") + letter.toUpperCase());
  });
}

/** Ten digits as people write them; anything else as it is. */
export const telephone = (digits) => digits.replace(/^(\d{3})(\d{3})(\d{4})$/, "$1-$2-$3");

/** A text that was filed in capitals as a sentence; any other as it is. */
export function spoken(text) {
  const whole = String(text ?? "");
  if (whole !== whole.toUpperCase() || !/[A-Z]{2}.*[A-Z]{2}/s.test(whole)) return whole;
  return whole.toLowerCase().replace(/(^\s*|[.!?]\s+)(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase());
}

/** The text cut after a whole word to at most n characters, with "…" where something was cut. */
export function excerpt(text, n) {
  const whole = String(text ?? "").trim().replace(/\s+/g, " ");
  const letters = [...whole];
  if (letters.length <= n) return whole;
  const cut = letters.slice(0, n - 1).join("");
  const end = cut.lastIndexOf(" ");
  return (end > n / 2 ? cut.slice(0, end) : cut).replace(/[\s,;:.–-]+$/, "") + "…";
}

/**
 * The address of a website as filed ("WWW.EXAMPLE.ORG", "https://example.org"), safe to link to.
 * @returns {string|null} null for anything that is not http(s) with a public-looking host
 */
export function website(url) {
  const text = String(url ?? "").trim();
  if (!text || /\s/.test(text)) return null;
  try {
    const made = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
    const safe = /^https?:$/.test(made.protocol) && !made.username && !made.password;
    return safe && /\.[a-z][a-z0-9-]+$/i.test(made.hostname) ? made.href : null;
  } catch {
    return null;
  }
}
