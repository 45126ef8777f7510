// The class of a charity in words, as `/nonprofits/reliance` tells it: for the report, the profile and the comparison.

/** The class of a charity in words; of one that is none, that there is none. */
export function classified({ classification, foundation_code: code, exemption }) {
  if (code === 0 && exemption && exemption !== "501(c)(3)") return `none: only section 501(c)(3) organizations are classified, and this is exempt under section ${exemption}`;
  return classification ? [classification.section && `section ${classification.section}`, classification.description, classification.supporting].filter(Boolean).join(", ") : "not known";
}
