// The card of the map: who is at a point, beside it. Follows the pointer and the focus; one that was opened stays until
// it is closed. What a group of points is called, for the card and for who listens.
import { h } from "./dom.js";
import { otherName, place, short } from "./format.js";
import { radius } from "./projection.js";

/** A card below a narrower frame, over a wider one. */
const WIDE_PX = 520;
const CARD_WIDTH_PX = 288;
/** How long a card stays when the pointer leaves, so that the pointer can reach it. */
const HIDE_MS = 250;
const NAMES_SPOKEN_MAX = 3;

export class Card {
  #frame; #timer = 0;
  /** The group whose card is open, and whether it stays without the pointer. */
  shown = null; isPinned = false;
  element;

  /**
   * @param {{pick: ((ein: string) => void)|undefined, enter: (group: object) => void, isApart: (group: object) => boolean,
   *   changed: () => void, focused: (active: Element) => object|null, focus: (group: object) => void, stage: () => Element}} frame
   *   `isApart`: whether zooming in takes a group apart; `changed`: another card is open, or none; `focused`: the group
   *   whose mark this element is
   */
  constructor(frame) {
    this.#frame = frame;
    this.element = h("div", {
      class: "map-card card", role: "group", hidden: true, onfocusin: () => clearTimeout(this.#timer),
      onfocusout: () => this.hideSoon(), onpointerenter: () => clearTimeout(this.#timer),
      onpointerleave: () => this.hideSoon(),
    });
  }

  show(group, pinned) {
    clearTimeout(this.#timer);
    const same = this.shown === group && !this.element.hidden;
    this.isPinned = pinned || (same && this.isPinned);
    if (same) return;
    this.shown = group;
    const heading = group.items.length > 1 ? `${group.items.length} nonprofits ${whereabouts(group)}` : null;
    this.element.setAttribute("aria-label", heading ?? group.items[0].name);
    this.element.replaceChildren(...[
      heading && h("p", { class: "map-heading" }, heading),
      this.#frame.isApart(group) && h("button", { type: "button", class: "link", onclick: () => this.#frame.enter(group) }, "Zoom in here"),
      h("ul", { class: "plain" }, group.items.map((item) => this.#entry(item))),
    ].filter(Boolean));
    this.element.hidden = false;
    document.addEventListener("keydown", this.#escape);
    this.#frame.changed();
  }

  hide() {
    this.shown = null;
    this.isPinned = false;
    this.element.hidden = true;
    document.removeEventListener("keydown", this.#escape);
    this.#frame.changed();
  }

  hideSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const active = document.activeElement;
      const elsewhere = active && active !== document.body && !this.#frame.stage().contains(active);
      if (this.isPinned ? elsewhere : !this.#holds(active)) this.hide();
    }, HIDE_MS);
  }

  /** Beside its point, a pixel of a frame of this size; in a narrow frame style puts it below. */
  put([x, y], width, height) {
    const { style, offsetHeight } = this.element;
    const r = radius(this.shown.items.length) + 6;
    this.element.classList.toggle("map-over", width >= WIDE_PX);
    const left = x + r + CARD_WIDTH_PX < width ? x + r : x - r - CARD_WIDTH_PX;
    style.left = `${Math.max(4, left)}px`;
    style.top = `${Math.max(4, Math.min(y - offsetHeight / 2, height - offsetHeight - 4))}px`;
  }

  /** Who came by the keyboard goes on in the card. */
  focus() {
    this.element.querySelector("a, button").focus();
  }

  #entry(item) {
    const money = Number.isFinite(item.revenueGrandTotal) ? `revenue ${short(item.revenueGrandTotal)}` : "revenue not known";
    const other = otherName(item);
    return h("li", null,
      h("a", { href: `#/nonprofit/${item.ein}`, onclick: (event) => this.#pick(event, item.ein) }, item.name),
      other && h("span", { class: "other-name muted small" }, other),
      h("span", { class: "muted small" }, [place(item), money].filter(Boolean).join(" · ")));
  }

  #pick(event, ein) {
    if (!this.#frame.pick || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.#frame.pick(ein);
  }

  /** Whether the focus is in the card or on a mark, whose card then is shown. */
  #holds(active) {
    if (this.element.contains(active)) return true;
    const group = this.#frame.focused(active);
    if (group) this.show(group, false);
    return group !== null;
  }

  #escape = (event) => {
    if (!this.element.isConnected) document.removeEventListener("keydown", this.#escape);
    if (event.key !== "Escape" || !this.shown) return;
    const back = this.element.contains(document.activeElement) ? this.shown : null;
    this.hide();
    if (!back) return;
    this.#frame.focus(back);
    this.hide();
  };
}

/** One of the nonprofits at the place that most of a group have. */
export function middle({ items }) {
  const counts = new Map();
  for (const item of items) counts.set(place(item), (counts.get(place(item)) ?? 0) + 1);
  const [most] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
  return items.find((item) => place(item) === most);
}

/** "in Eugene, OR", or "around" it if some are elsewhere. */
function whereabouts(group) {
  const most = place(middle(group));
  if (!most) return "here";
  return `${group.items.every((item) => place(item) === most) ? "in" : "around"} ${most}`;
}

export function spoken(group) {
  const { items } = group;
  const names = items.slice(0, NAMES_SPOKEN_MAX).map((item) => [item.name, otherName(item)].filter(Boolean).join(", "));
  if (items.length === 1) return [names[0], place(items[0])].filter(Boolean).join(", ");
  const more = items.length - names.length;
  return `${items.length} nonprofits ${whereabouts(group)}: ${names.join("; ")}${more ? ` and ${more} more` : ""}`;
}
