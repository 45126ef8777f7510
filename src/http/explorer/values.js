// What a file has of each nonprofit: members of the details, and fields that no request for many has as such, which are
// made of other members, of a table, or of what the lists say of one EIN at a time.
import { detailsOf } from "./batch.js";
import { standingsOf } from "./checked.js";
import { classified } from "./classification.js";
import { telephone } from "./format.js";
import { OF_RETURN, PHONES_MAX } from "./phones.js";
import { exemptionOf } from "./standing.js";
import { nteeTitles } from "./tables.js";

/** Members that make a field. */
const MADE_OF = { ntee_title: ["ntee"], phone: ["ein", OF_RETURN], exemption: ["ein"], class: ["ein"] };

/** The class as the profile says it; null where none is known. */
const ofClass = (body) => (classified(body) === "not known" ? null : classified(body));

/** How a field is said by an answer of `/nonprofits/standing`. */
const SAID = { exemption: exemptionOf, class: ofClass, phone: ({ phone }) => phone && telephone(phone) };

/**
 * The fields of many.
 * @param {string[]} eins
 * @param {string[]} fields of the details, and those of `MADE_OF`
 * @param {number} [phones] of so many the telephone is told
 * @returns {Promise<Map<string, object|null>>} by EIN; null for one that is not in the data
 */
export async function valuesOf(eins, fields, signal, phones = PHONES_MAX) {
  const asked = [...new Set(fields.flatMap((field) => MADE_OF[field] ?? [field]))];
  if (!asked.length) return new Map();
  const details = await detailsOf(eins, asked, signal);
  const known = [...details.values()].filter(Boolean);
  if (fields.includes("ntee_title")) {
    const titles = await nteeTitles();
    for (const one of known) one.ntee_title = titles.get(one.ntee) ?? null;
  }
  for (const field of Object.keys(SAID).filter((one) => fields.includes(one))) {
    const whom = field === "phone" ? known.filter((one) => one[OF_RETURN]).slice(0, phones) : known;
    const standings = await standingsOf(whom.map(({ ein }) => ein), signal);
    for (const one of whom) one[field] = SAID[field](standings.get(one.ein));
  }
  return details;
}
