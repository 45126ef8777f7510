// What the tax code makes of an organization, in words: the class of a charity, as standing and the reliance report have it,
// and codes of Publication 78. For the report, the profile and the comparison.

/** Whether a section of the tax code describes trusts that are not exempt. */
const isTrust = (section) => /^4947/.test(section ?? "");

/** The class of a charity in words; of one that is none, that there is none. */
export function classified({ classification, exemption }) {
  if (isTrust(exemption)) return `none: a trust under section ${exemption} is not itself exempt`;
  if (classification && !classification.section && exemption && exemption !== "501(c)(3)") return `none: only section 501(c)(3) organizations are classified, and this one is exempt under section ${exemption}`;
  const { section, description, supporting } = classification ?? {};
  return classification ? [section && "public charity", description, supporting, section && `section ${section}`].filter(Boolean).join(", ") : "not known";
}

/**
 * The class of those that a grantor has to mind, supporting organizations and private foundations, in few words; null of others.
 * @param {boolean|null} foundation whether it is a private foundation, which its return tells too
 */
export function classToMind({ classification, exemption }, foundation) {
  const { section, description, supporting } = classification ?? {};
  if (section === "509(a)(3)") return [description, supporting].filter(Boolean).join(", ");
  if (!foundation) return null;
  return /foundation/.test(description ?? "") && !isTrust(exemption) ? description : "private foundation";
}

/** Codes of Publication 78. */
const CODES = {
  PC: "public charity", POF: "private operating foundation", PF: "private foundation", GROUP: "central organization of a group", LODGE: "domestic fraternal society", UNKWN: "charity whose public status is not determined",
  EO: "other organization to which gifts are deductible", FORGN: "foreign-addressed organization", SO: "supporting organization, Type I, II or functionally integrated Type III", SONFI: "supporting organization, Type III, not functionally integrated",
  SOUNK: "supporting organization, type not determined",
};
export const pub78 = (codes) => codes.map((code) => (CODES[code] ? `${code} (${CODES[code]})` : code)).join(", ");
