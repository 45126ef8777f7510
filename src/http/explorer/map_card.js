// The card of the map: who is at a point, beside it. Follows the pointer and the focus; one that was opened stays until
// it is closed. What a group of points is called, for the card and for who listens.
import { h } from "./dom.js";
import { count, otherName, place, plural, short } from "./format.js";
import { radius } from "./projection.js";

/** A card below a narrower frame, over a wider one. */
const WIDE_PX = 520;
const CARD_WIDTH_PX = 288;
/** How long a card stays when the pointer leaves, so that the pointer can reach it. */
const HIDE_MS = 250;
const NAMES_SPOKEN_MAX = 3;
/** A degree of latitude, and how far the ZIP codes of a point may lie from its middle. */
const DEGREE_MILES = 69.1;
const SLACK_MILES = 3;

export class Card {
  #frame; #timer = 0;
  /** The group whose card is open, and whether it stays without the pointer. */
  shown = null; isPinned = false;
  element;

  /**
   * @param {{pick: ((ein: string) => void)|undefined, listAround: ((circle: object) => string)|undefined, enter: (group: object) => void, isApart: (group: object) => boolean,
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
    const heading = group.count > 1 || !group.items.length ? `${plural(group.count, "nonprofit", "nonprofits")} ${whereabouts(group)}` : null;
    this.element.setAttribute("aria-label", heading ?? group.items[0].name);
    const more = group.count - group.items.length;
    this.element.replaceChildren(...[
      heading && h("p", { class: "map-heading" }, heading),
      this.#frame.isApart(group) && h("button", { type: "button", class: "link", onclick: () => this.#frame.enter(group) }, "Zoom in here"),
      h("ul", { class: "plain" }, group.items.map((item) => this.#entry(item))),
      more > 0 && h("p", { class: "small" }, group.items.length ? `and ${count(more)} more. ` : "",
        this.#frame.listAround && h("a", { href: this.#frame.listAround(circle(group)) }, `List all ${count(group.count)}`)),
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
    const r = radius(this.shown.count) + 6;
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

/** The circle that holds the points of a group: degrees of its middle, and whole miles. */
function circle({ points }) {
  const all = points.reduce((sum, point) => sum + point.count, 0);
  const mean = (of) => points.reduce((sum, point) => sum + of(point) * point.count, 0) / all;
  const [latitude, longitude] = [mean(({ lat }) => lat), mean(({ lng }) => lng)];
  const east = Math.cos(latitude * Math.PI / 180);
  const farthest = Math.max(...points.map(({ lat, lng }) => Math.hypot(lat - latitude, (lng - longitude) * east))) * DEGREE_MILES;
  return { latitude: latitude.toFixed(3), longitude: longitude.toFixed(3), miles: Math.ceil(farthest + SLACK_MILES) };
}

/** "in Eugene, OR", or "around" it if some are elsewhere. */
function whereabouts(group) {
  const most = group.items.length ? place(middle(group)) : "";
  if (!most) return "here";
  return `${group.count === group.items.length && group.items.every((item) => place(item) === most) ? "in" : "around"} ${most}`;
}

export function spoken(group) {
  const { items, count: many } = group;
  const names = items.slice(0, NAMES_SPOKEN_MAX).map((item) => [item.name, otherName(item)].filter(Boolean).join(", "));
  if (many === 1 && items.length) return [names[0], place(items[0])].filter(Boolean).join(", ");
  const more = many - names.length;
  const said = `${plural(many, "nonprofit", "nonprofits")} ${whereabouts(group)}`;
  return names.length ? `${said}: ${names.join("; ")}${more > 0 ? ` and ${count(more)} more` : ""}` : said;
}
