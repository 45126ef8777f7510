// Titles of people as returns have them: in title case, and whole where the software that filed the return cut them
// off after some letters (“Executive Di”). A title that is no beginning of a usual one stays as it is.
import { named } from "./format.js";

/** Fewer letters may be the beginning of anything. */
const LETTERS_MIN = 9;

const USUAL = [
  "Executive Director", "Executive Vice President", "Vice President", "Vice Chair", "Vice Chairperson", "Vice Chairman", "Vice Chairwoman",
  "Board President", "Board Chair", "Board Chairperson", "Board Chairman", "Board Secretary", "Board Treasurer", "Board Member",
  "Chief Executive Officer", "Chief Financial Officer", "Chief Operating Officer", "Chief Development Officer", "Chief Program Officer",
  "Committee Chair", "Immediate Past President", "Past President", "President-Elect", "Secretary/Treasurer", "Secretary Treasurer",
  "Corresponding Secretary", "Recording Secretary", "Associate Director", "Assistant Secretary", "Assistant Treasurer",
  "Program Director", "Development Director", "Finance Director", "Managing Director", "Director of Development", "Director of Finance",
  "Trustee", "Treasurer", "Secretary", "Chairperson", "Superintendent", "Administrator",
];

/** Titles of who leads an organization, the surest first; a part of it (“CEO - Fargo”) has its own head. */
const LEADING = [/^(?:(?:president|director|chair(?:man|woman|person)?)\s*(?:,|\/|&|and)\s*)*(?:ceo|chief executive(?: officer)?)\s*(?:$|[,/&(]|and\b)/i, /\bceo\b|chief executive/i, /executive director/i, /^(?:president|director general)\b(?!.*\b(?:past|vice|elect)\b)/i];

/** Words of a title, or of what was typed into a name, that somebody has gone. */
const GONE = /\b(?:former|formerly|past|until|through|thru|left|ended|resigned|retired|departed|deceased|outgoing|prior)\b/i;

export const isLeading = (title) => LEADING.some((pattern) => pattern.test(title ?? ""));

/** A title in words: “Executive Director” of “EXECUTIVE DI”. */
export function titled(text) {
  const title = named(text);
  const begins = (usual) => usual.length > title.length && usual.toLowerCase().startsWith(title.toLowerCase()) && /\p{L}$/u.test(title) && /\p{L}/u.test(usual[title.length]);
  if (title.length < LETTERS_MIN || USUAL.some((usual) => usual.toLowerCase() === title.toLowerCase())) return title;
  return USUAL.find(begins) ?? title;
}

/**
 * Who leads an organization by its latest return that names people: whoever is paid or works most under a leading
 * title, else its principal officer.
 * @returns {{name: string, title: string|null, filing: object}|null}
 */
export function leaderOf(filings) {
  const filing = filings.find(({ officers, principal_officer: principal }) => officers.length > 0 || principal);
  if (!filing) return null;
  const people = filing.officers.map((one) => ({ ...one, title: one.title && titled(one.title) })).filter(({ name, title }) => !GONE.test(`${name} ${title ?? ""}`));
  const weight = ({ compensation, hours }) => (compensation ?? 0) + (hours ?? 0);
  for (const pattern of LEADING) {
    const [best] = people.filter(({ title }) => pattern.test(title ?? "")).sort((one, other) => weight(other) - weight(one));
    if (best) return { name: named(best.name), title: best.title, filing };
  }
  const { principal_officer: principal } = filing;
  return principal && { name: named(principal), title: people.find(({ name }) => name === principal)?.title ?? null, filing };
}
