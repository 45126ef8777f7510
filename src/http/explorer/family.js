// What a nonprofit belongs to: its group exemption and the organizations that Schedule R relates it to.
import { ask } from "./api.js";
import { line, profileOf } from "./card.js";
import { h } from "./dom.js";
import { count, named, place, plural, spoken, website } from "./format.js";

const SHOWN = 10;


/** The section; null where neither a list nor a return says anything. */
export async function familySection({ ein, signal }) {
  const { body } = await ask(`/nonprofits/family/${ein}`, { size: SHOWN }, { signal });
  const parts = [group(body.group, ein), relations(body, ein)].filter(Boolean);
  return parts.length > 0 ? parts : null;
}

const member = (one) => h("li", {}, h("a", { href: profileOf(one.ein) }, one.name), " ",
  h("span", { class: "muted small" }, line([one.alt_name, place(one)])));

function group(of, ein) {
  if (!of) return null;
  const others = of.subordinates.filter((one) => one.ein !== ein);
  const states = of.subordinates_by_state.slice(0, SHOWN).map(({ state, count: many }) => `${state} ${count(many)}`);
  return h("div", { class: "group-tree" },
    h("h3", {}, `Group exemption ${String(of.number).padStart(4, "0")}`),
    h("p", { class: "muted small" }, of.role === "central" ? "This is the central organization." : of.role === "subordinate" ? "This is a subordinate." : "",
      ` ${plural(of.subordinates_total, "subordinate", "subordinates")} in the loaded lists${states.length > 1 ? `, most in ${states.join(", ")}` : ""}.`),
    h("ul", { class: "plain tree" }, (of.central.length ? of.central : [null]).map((central) => h("li", {},
      central ? [h("a", { href: profileOf(central.ein) }, central.name), " ", h("span", { class: "muted small" }, line(["central organization", place(central)]))]
        : h("span", { class: "muted" }, "The central organization is not in the loaded lists."),
      others.length > 0 && h("ul", { class: "plain" }, others.map(member)))) ));
}

/** The related organizations; a return that lists its filer among them says nothing. */
function relations({ relations: rows, relations_total: total }, ein) {
  const others = rows.filter((one) => one.ein !== ein);
  if (others.length === 0) return null;
  const own = others.map((one) => {
    const url = website(one.file_url);
    return h("li", {},
      one.ein ? h("a", { href: profileOf(one.ein) }, named(one.name) || one.ein) : named(one.name) || "not named", " ",
      h("span", { class: "muted small" }, line([
        one.direction === "listed by" ? "lists this one as related" : one.kind, one.primary_activity && spoken(one.primary_activity), one.exempt_section && `section ${one.exempt_section}`,
        one.controlling_name && `controlled by ${named(one.controlling_name)}`, one.is_controlled && "controlled under 512(b)(13)",
        typeof one.ownership_share === "number" && `${count(100 * one.ownership_share)}% owned`, `tax year ${one.tax_year}`,
        url && h("a", { href: url, rel: "noopener noreferrer" }, "the return", h("span", { class: "visually-hidden" }, ` that names ${one.name ?? "it"}`))])));
  });
  return h("div", {}, h("h3", {}, "Related organizations (Schedule R)"),
    h("ul", { class: "plain tree" }, own),
    total > rows.length && h("p", { class: "muted small" }, `${count(rows.length)} of ${count(total)}.`));
}
