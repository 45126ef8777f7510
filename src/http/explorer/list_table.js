// The rows of a list as a table: of a list that is kept, with what is done to each row, or of one that came with a link.
import { profileOf } from "./card.js";
import { standingOf } from "./checked.js";
import { classToMind } from "./classification.js";
import { h } from "./dom.js";
import { dashed, dollars, otherName, place, short } from "./format.js";
import { PHONES_MAX, phoneOf } from "./phones.js";
import { NOTE_MAX } from "./shelf.js";
import { exemptionOf } from "./standing.js";

const isKnown = (value) => typeof value === "number";

const OF_HEADS = { Revenue: "num", Compare: "of-tick", Note: "of-note", Remove: "of-remove" };

/** On a phone a row is a block; the roles keep it a table for who listens. */
const cell = (name, ...children) => h("td", { role: "cell", class: `of-${name}` }, children);

const STANDING = new Map([[true, ["Exemption revoked", "badge bad"]], [false, ["Not revoked", "badge"]], [null, ["Revocation not checked", "muted small"]]]);

const GIFTS = new Map([[true, "gifts deductible"], [false, "gifts not deductible"], [null, null]]);

/**
 * The rows as a table.
 * @param {object[]} rows
 * @param {Map<string, object|null>} details by EIN; none yet for one that is not there
 * @param {{ticked?: Set<string>, tick?: Function, note?: Function, remove?: Function}} actions those
 *   that are not given are not offered; without `note` the notes stand there to read, if there are any
 */
export function table(rows, details, { ticked, tick, note, remove }) {
  const hasNotes = note || rows.some((row) => row.note);
  const heads = [tick && ["Compare", true], ["Organization"], ["Address"], ["Cause"], ["Revenue"], ["Standing"], hasNotes && ["Note"], remove && ["Remove", true]].filter(Boolean);
  return h("table", { class: "data list-table", role: "table" },
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, heads.map(([text, hidden]) => h("th", { role: "columnheader", scope: "col", class: OF_HEADS[text] },
      hidden ? h("span", { class: "visually-hidden" }, text) : text)))),
    h("tbody", { role: "rowgroup" }, rows.map((row, at) => {
      const found = details.get(row.ein);
      const name = found?.name ?? (row.name || dashed(row.ein));
      return h("tr", { role: "row", dataset: { ein: row.ein } },
        tick && cell("tick", h("input", { type: "checkbox", id: `tick-${row.ein}`, "aria-label": `Compare ${name}`, checked: ticked.has(row.ein), onchange: ({ target }) => tick(row.ein, target.checked) })),
        h("th", { role: "rowheader", scope: "row", class: "of-name" }, h("a", { href: profileOf(row.ein) }, name),
          found && otherName(found) && [" ", h("span", { class: "other-name muted small" }, otherName(found))],
          name !== dashed(row.ein) && [" ", h("span", { class: "ein muted small" }, dashed(row.ein))]),
        found === null ? h("td", { role: "cell", class: "of-facts muted", colspan: "4" }, "Not in this server’s data") : facts(found, row.ein, at),
        hasNotes && !note && cell("note", row.note),
        note && cell("note", h("textarea", { id: `note-${row.ein}`, rows: "1", maxlength: String(NOTE_MAX), "aria-label": `Note on ${name}`, placeholder: "Note", oninput: ({ target }) => note(row.ein, target.value) }, row.note)),
        remove && cell("remove", h("button", { type: "button", class: "button quiet small", id: `remove-${row.ein}`, "aria-label": `Remove ${name}`, onclick: () => remove(row.ein) }, "×")));
    })));
}

/** What is known of the money of one that the lists tell no revenue of; null for nothing. */
function instead(found) {
  const said = found?.formType === "990-N" ? "at most $50K (e-Postcard)" : isKnown(found?.assets) && found.assets > 0 ? `${short(found.assets)} assets` : null;
  return said && h("span", { class: "muted small" }, said);
}

/** Street, town and telephone; the last comes when it is known. */
function addressOf(found, asksPhone) {
  const phone = h("span", { class: "list-phone" });
  if (asksPhone) phoneOf(found).then((number) => { if (number) phone.replaceChildren(h("a", { href: `tel:${number.replaceAll("-", "")}` }, number)); });
  const town = [place(found), found.zipCode5].filter(Boolean).join(" ");
  return [found.streetAddress && h("span", { class: "list-street" }, found.streetAddress),
    h("span", { class: "list-town" }, town || h("span", { class: "muted" }, "not known")), phone];
}

/** What it does by its NTEE code; without one the group that other codes of the IRS imply, which is a guess. */
function causeOf({ ntee, ntee_title: title, issueArea }) {
  if (ntee) return `${title ?? issueArea} (${ntee})`;
  return issueArea ? [issueArea, h("span", { class: "muted small" }, " (no NTEE code on file)")] : h("span", { class: "muted" }, "not known");
}

/** Rows of which the checks are asked for at once; of those below, when they are seen. */
const CHECKED_MAX = 50;

function whenSeen(element, act) {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    act();
  });
  observer.observe(element);
}

/** Whether gifts are deductible, with the condition on which they are. */
function giftsOf(found, body) {
  const [gifts, limit] = [GIFTS.get(found.deductible ?? null), body?.deduction_limit];
  return found.deductible && limit?.startsWith("only") ? `${gifts} ${limit}` : gifts;
}

/**
 * Exemption, class and gifts in a line, no more than the profile says. Before the checks are there, the section is told
 * of those alone that a list has.
 */
function statusOf(found, body) {
  const isListed = typeof found.deductible === "boolean";
  const exemption = body ? exemptionOf(body) ?? "exemption not checked" : isListed && found.exemption;
  const kind = body ? classToMind(body, found.foundation) : found.foundation && "private foundation";
  return [exemption, kind, giftsOf(found, body)].filter(Boolean).join(", ");
}

function statusLine(found, ein, at) {
  const text = h("div", { class: "small list-status" }, statusOf(found, null));
  const check = () => standingOf(ein).then((body) => { text.textContent = statusOf(found, body); }, () => {});
  if (at < CHECKED_MAX) check();
  else whenSeen(text, check);
  return text;
}

function facts(found, ein, at) {
  const unknown = found ? h("span", { class: "muted" }, "not known") : "";
  const [text, kind] = STANDING.get(found?.inactive ?? null);
  return [
    cell("place", found ? addressOf(found, at < PHONES_MAX) : ""), cell("cause", found ? causeOf(found) : ""),
    h("td", { role: "cell", class: "of-revenue num", title: isKnown(found?.revenueGrandTotal) ? dollars(found.revenueGrandTotal) : null },
      isKnown(found?.revenueGrandTotal) ? [short(found.revenueGrandTotal), h("span", { class: "muted small" }, found.filingYear ? ` ${found.filingYear}` : "")] : instead(found) ?? unknown),
    cell("standing", found && [statusLine(found, ein, at), h("span", { class: kind }, text)]),
  ];
}
