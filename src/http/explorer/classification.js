// What the tax code makes of an organization, in words: the class of a charity as `/nonprofits/reliance` tells it, codes of
// Publication 78, and what these mean for who gives. For the report, the profile and the comparison.

/** The class of a charity in words; of one that is none, that there is none. */
export function classified({ classification, foundation_code: code, exemption }) {
  if (/^4947\(a\)\(1\)/.test(exemption ?? "")) return "none: a trust under section 4947(a)(1) is not itself exempt, and is generally treated as a private foundation";
  if (code === 0 && exemption && exemption !== "501(c)(3)") return `none: only section 501(c)(3) organizations are classified, and this one is exempt under section ${exemption}`;
  return classification ? [classification.section && `section ${classification.section}`, classification.description, classification.supporting].filter(Boolean).join(", ") : "not known";
}

/** What a private foundation must do, and what the grant is not. */
const DUTY = "a private foundation must exercise expenditure responsibility over a grant to it (section 4945(d)(4)), and the grant is not a qualifying distribution (section 4942(g)(4))";

/** What the class of a supporting organization means for a private foundation that gives to it; null where nothing is to be minded. */
export function forFoundations({ classification }) {
  if (classification?.section !== "509(a)(3)") return null;
  const type = classification.supporting ?? "";
  if (/not functionally integrated/.test(type)) return `a Type III supporting organization, not functionally integrated: ${DUTY}`;
  return /^Type /.test(type) ? null
    : `a supporting organization whose type the IRS’s file does not state: if it is Type III and not functionally integrated, ${DUTY}; ask for its determination letter`;
}

/** Codes of Publication 78. */
const CODES = {
  PC: "public charity", POF: "private operating foundation", PF: "private foundation", GROUP: "central organization of a group", LODGE: "domestic fraternal society", UNKWN: "charity whose public status is not determined",
  EO: "other organization to which gifts are deductible", FORGN: "foreign-addressed organization", SO: "supporting organization, Type I, II or functionally integrated Type III", SONFI: "supporting organization, Type III, not functionally integrated",
  SOUNK: "supporting organization, type not determined",
};
export const pub78 = (codes) => codes.map((code) => (CODES[code] ? `${code} (${CODES[code]})` : code)).join(", ");

/** Years without a return after which a missed filing is worth a word: three in a row end an exemption. */
const SILENT_YEARS = 4;

/** What a latest return of long ago may mean, where no list says whether the exemption was revoked; null where nothing does. */
export function silent({ filing_requirement: duty, checks }, year) {
  const { exemption: { list, state }, revocation } = checks;
  const asOf = Number((list?.date ?? list?.downloaded ?? "").slice(0, 4));
  if (state !== "yes" || !year || !asOf || revocation.state !== "not checked" || !/^(?:Form|group)/.test(duty ?? "") || asOf - year < SILENT_YEARS) return null;
  return `the latest return on file is for ${year}. An organization that misses three annual returns in a row loses its exemption automatically`;
}
