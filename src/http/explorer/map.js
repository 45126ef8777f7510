// The map of a page of results: a point for each place, a card with who is there, buttons and keys
// to move about. It shows only the nonprofits that it is given, loads nothing but the outline, and
// keeps nothing in the address. Beside it a list says the same, so what has no place is counted only.
//
// Two systems of coordinates: units (projection.js), and pixels of the frame. A view joins them:
// `k` pixels a unit, and the unit (x, y) in the middle of the frame.
import { h, s } from "./dom.js";
import { otherName, place, plural, short } from "./format.js";
import {
  GAP_PX, HEIGHT, REGIONS, SCALE_MAX, WIDTH, around, gather, inReadingOrder, joined, overlap, project, radius, within,
} from "./projection.js";

/** A fit that gains less than this over the whole country is not worth losing sight of it. */
const FIT_GAIN_MIN = 1.4;
const ZOOM_STEP = 1.8;
/** From this scale and with at most so many points in sight, places are named beside them. */
const NAMED_SCALE_MIN = 2;
const NAMED_POINTS_MAX = 40;
/** About the width of a letter at 12 px. */
const LETTER_PX = 7.2;
/** A card below a narrower frame, over a wider one. */
const WIDE_PX = 520;
const CARD_WIDTH_PX = 288;
/** How long a card stays when the pointer leaves, so that the pointer can reach it. */
const HIDE_MS = 250;
const NAMES_SPOKEN_MAX = 3;

let outline = null;

/**
 * A map of nonprofits as the beta search lists them (`ein`, `name`, `alt_name`, `city`, `state`, `lat`,
 * `lng`, `revenueGrandTotal`).
 * @param {object[]} nonprofits at most a page of results
 * @param {object} [options]
 * @param {(ein: string) => void} [options.onPick] called instead of following the link to a profile
 * @param {string} [options.label] what the map shows, for those who do not see it
 * @returns {HTMLElement}
 */
export function map(nonprofits, { onPick, label = "Map of the results" } = {}) {
  const known = nonprofits.filter(({ lat, lng }) => Number.isFinite(lat) && Number.isFinite(lng));
  const points = gather(known);
  const shown = points.reduce((sum, { items }) => sum + items.length, 0);
  const outside = known.length - shown;
  const unknown = nonprofits.length - known.length;
  const places = new Set(points.flatMap(({ items }) => items.map(place))).size;
  const where = `${plural(shown, "nonprofit", "nonprofits")} in ${plural(places, "place", "places")}`;
  const note = h("p", { class: "map-note muted small" }, [
    shown ? where : null,
    outside ? `${outside} outside the map` : null,
    unknown ? `${unknown} without a known location` : null,
  ].filter(Boolean).join(" · ") || "Nothing to show on the map.");
  if (!shown) return h("div", { class: "map" }, note);
  const geoNames = h("a", { href: "https://www.geonames.org/", rel: "noopener noreferrer" }, "GeoNames");
  note.append(" · places by ", geoNames, " (CC BY 4.0)");
  return h("div", { class: "map" }, new Frame(points, `${label}: ${where}`, onPick).elements, note);
}

/** The part of the map that is looked through: view, points, card, buttons. */
class Frame {
  #points; #onPick; #groups = []; #nodes = []; #width = 0; #height = 0; #current = 0;
  /** Which view holds when the size changes: the whole, the fitted one, or where the user went. */
  #mode = "fit"; #view = { k: 1, x: WIDTH / 2, y: HEIGHT / 2 };
  #shown = null; #pinned = false; #timer = 0; #pointers = new Map(); #moved = false; #codes = [];
  #svg; #land; #marks; #labels; #card; #buttons; #frame;

  constructor(points, summary, onPick) {
    this.#points = points;
    this.#onPick = onPick;
    this.#land = s("g", { class: "map-land", "aria-hidden": "true" }, REGIONS.filter(({ box }) => box)
      .map(({ box: [x, y, width, height] }) => s("rect", { class: "map-box", x, y, width, height, rx: 1 })));
    this.#marks = s("g", null);
    this.#labels = s("g", { class: "map-labels", "aria-hidden": "true" });
    this.#svg = s("svg", { class: "map-svg", role: "group", "aria-label": summary },
      this.#land, this.#labels, this.#marks);
    this.#card = h("div", {
      class: "map-card card", role: "group", hidden: true, onfocusin: () => clearTimeout(this.#timer),
      onfocusout: () => this.#hideSoon(), onpointerenter: () => clearTimeout(this.#timer),
      onpointerleave: () => this.#hideSoon(),
    });
    this.#buttons = this.#controls();
    // Listeners of focus on an element of SVG would make that element a stop of the Tab key in Chromium.
    this.#frame = h("div", {
      class: "map-frame", onkeydown: (event) => this.#key(event),
      onfocusin: (event) => this.#focused(event), onfocusout: () => this.#hideSoon(),
    }, this.#svg);
    this.elements = [this.#buttons.element, h("div", { class: "map-stage" }, this.#frame, this.#card)];
    this.#gestures();
    new ResizeObserver(() => this.#resize()).observe(this.#frame);
    this.#outline();
  }

  async #outline() {
    try {
      outline ??= fetch(new URL("./outline.json", import.meta.url)).then((answer) => {
        if (!answer.ok) throw new Error(`outline: ${answer.status}`);
        return answer.json();
      });
      const { land, borders, codes } = await outline;
      this.#land.prepend(s("path", { class: "map-ground", d: land }), s("path", { class: "map-borders", d: borders }));
      this.#codes = codes;
      this.#draw();
    } catch {
      // The points stand where they belong without it; the next map tries again.
      outline = null;
    }
  }

  #controls() {
    const button = (text, name, act) => h("button",
      { type: "button", class: "button small", "aria-label": name, title: name, onclick: act }, text);
    const nearer = button("+", "Zoom in", () => this.#zoom(ZOOM_STEP));
    const farther = button("−", "Zoom out", () => this.#zoom(1 / ZOOM_STEP));
    const fit = button("Fit results", null, () => this.#go("fit"));
    const whole = button("Whole country", null, () => this.#go("whole"));
    return { nearer, farther, fit, whole, element: h("div", { class: "map-controls" }, nearer, farther, fit, whole) };
  }

  #resize() {
    const { clientWidth, clientHeight } = this.#frame;
    if (!clientWidth || !clientHeight) return;
    [this.#width, this.#height] = [clientWidth, clientHeight];
    this.#svg.setAttribute("viewBox", `0 0 ${clientWidth} ${clientHeight}`);
    if (this.#mode === "free") this.#look(this.#view);
    else this.#go(this.#mode);
  }

  #whole() {
    return { k: Math.min(this.#width / WIDTH, this.#height / HEIGHT), x: WIDTH / 2, y: HEIGHT / 2 };
  }

  /** The view that holds all points, or null if they lie all over the country. */
  #fit() {
    if (this.#points.some(({ region }) => region !== this.#points[0].region)) return null;
    const view = around(this.#points, this.#width, this.#height);
    return view.k >= this.#whole().k * FIT_GAIN_MIN ? view : null;
  }

  #go(mode) {
    this.#mode = mode;
    this.#look((mode === "fit" && this.#fit()) || this.#whole());
  }

  /** Zooms about a pixel of the frame: the point whose card is open, else the middle. */
  #zoom(factor, at = null) {
    const [px, py] = at ?? (this.#shown ? this.#pixel(this.#shown) : [this.#width / 2, this.#height / 2]);
    const { k, x, y } = this.#view;
    const next = Math.min(SCALE_MAX, Math.max(this.#whole().k, k * factor));
    const shift = 1 / k - 1 / next;
    this.#mode = "free";
    this.#look({ k: next, x: x + (px - this.#width / 2) * shift, y: y + (py - this.#height / 2) * shift });
  }

  #look(view) {
    const { k } = this.#view;
    this.#view = within(view, this.#width, this.#height, this.#whole().k);
    if (this.#view.k !== k || !this.#groups.length) this.#regroup();
    const { k: least } = this.#whole();
    const [farthest, nearest] = [this.#view.k <= least * 1.001, this.#view.k >= SCALE_MAX];
    // A disabled button would lose the focus of who has just pressed it.
    this.#buttons.nearer.setAttribute("aria-disabled", nearest);
    this.#buttons.farther.setAttribute("aria-disabled", farthest);
    this.#buttons.whole.setAttribute("aria-pressed", farthest);
    const fit = this.#fit();
    this.#buttons.fit.hidden = !fit;
    this.#buttons.fit.setAttribute("aria-pressed", Boolean(fit) && this.#mode === "fit");
    this.#svg.classList.toggle("map-near", !farthest);
    this.#draw();
  }

  #pixel({ x, y }) {
    return [(x - this.#view.x) * this.#view.k + this.#width / 2, (y - this.#view.y) * this.#view.k + this.#height / 2];
  }

  /** Joins points that would overlap at this scale and makes their marks anew, keeping focus and card. */
  #regroup() {
    const first = this.#shown?.items[0];
    const focused = this.#marks.contains(document.activeElement) ? this.#groups[this.#current]?.items[0] : null;
    this.#groups = inReadingOrder(joined(this.#points, this.#view.k), this.#view.k);
    const position = (item) => Math.max(0, this.#groups.findIndex(({ items }) => items.includes(item)));
    this.#current = focused ? position(focused) : 0;
    this.#nodes = this.#groups.map((group, index) => this.#mark(group, index));
    const pinned = this.#pinned;
    this.#marks.replaceChildren(...this.#nodes);
    if (focused) this.#nodes[this.#current].focus({ preventScroll: true });
    if (first) this.#show(this.#groups[position(first)], pinned);
  }

  #mark(group, index) {
    const { items } = group;
    return s("g", {
      class: items.length > 1 ? "map-mark map-many" : "map-mark", role: "button", "aria-label": spoken(group),
      "aria-expanded": "false", tabindex: index === this.#current ? 0 : -1, dataset: { index },
      onclick: (event) => this.#open(index, event.detail === 0),
      onpointerenter: ({ pointerType }) => pointerType === "mouse" && !this.#pinned && this.#show(group, false),
      onpointerleave: () => this.#hideSoon(),
    },
    s("circle", { class: "map-target", r: Math.max(GAP_PX / 2, radius(items.length)) }),
    s("circle", { class: "map-dot", r: radius(items.length) }),
    items.length > 1 ? s("text", { class: "map-number", dy: ".35em" }, items.length) : null);
  }

  #draw() {
    if (!this.#width) return;
    const { k } = this.#view;
    const [left, top] = this.#pixel({ x: 0, y: 0 });
    this.#land.setAttribute("transform", `matrix(${k} 0 0 ${k} ${left} ${top})`);
    for (const [index, group] of this.#groups.entries()) {
      this.#nodes[index].setAttribute("transform", `translate(${this.#pixel(group).join(" ")})`);
    }
    this.#write();
    if (this.#shown) this.#put(this.#shown);
  }

  /** Names of insets, states and places, each where nothing else stands. */
  #write() {
    const { k } = this.#view;
    const inSight = this.#groups.map((group) => ({ group, at: this.#pixel(group), r: radius(group.items.length) + 1 }))
      .filter(({ at: [x, y] }) => x > 0 && y > 0 && x < this.#width && y < this.#height);
    const taken = inSight.map(({ at: [x, y], r }) => [x - r, y - r, x + r, y + r]);
    /** The words at the first of the places (x, base line, anchor) that is free, or nothing. */
    const text = (words, kind, places) => {
      const width = words.length * LETTER_PX;
      for (const [x, y, anchor] of places) {
        const left = x - width * { start: 0, middle: 0.5, end: 1 }[anchor];
        const area = [left, y - 11, left + width, y + 3];
        if (left < 2 || area[2] > this.#width - 2 || area[1] < 0 || taken.some((other) => overlap(area, other))) continue;
        taken.push(area);
        return s("text", { class: kind, x, y, "text-anchor": anchor }, words);
      }
      return null;
    };
    const named = k >= NAMED_SCALE_MIN && inSight.length <= NAMED_POINTS_MAX;
    const labels = (named ? inSight : []).sort((a, b) => b.r - a.r).map(({ group, at: [x, y], r }) => {
      const { city } = middle(group);
      return city && text(city, "map-place", [[x + r + 3, y + 4, "start"], [x - r - 3, y + 4, "end"],
        [x, y + r + 11, "middle"], [x, y - r - 4, "middle"]]);
    });
    const insets = REGIONS.filter(({ box }) => box).map(({ box: [x, y, width], name, codes }) => {
      const words = [name, codes].find((one) => one.length * LETTER_PX + 8 < width * k);
      const [px, py] = this.#pixel({ x, y });
      return words && text(words, "map-region", [[px + 5, py + 14, "start"]]);
    });
    const states = this.#codes.filter(([, , , room]) => room * k > 9).map(([code, x, y]) => {
      const [px, py] = this.#pixel({ x, y });
      return text(code, "map-code", [[px, py + 4, "middle"], [px, py + 18, "middle"]]);
    });
    this.#labels.replaceChildren(...[...labels, ...insets, ...states].filter(Boolean));
  }

  #key(event) {
    const last = this.#groups.length - 1;
    const next = {
      ArrowRight: this.#current + 1, ArrowDown: this.#current + 1, ArrowLeft: this.#current - 1,
      ArrowUp: this.#current - 1, Home: 0, End: last,
    }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (next !== undefined) this.#nodes[Math.min(last, Math.max(0, next))].focus({ preventScroll: true });
    else if (event.key === "Enter" || event.key === " ") this.#open(this.#current, true);
    else return;
    event.preventDefault();
  }

  #focused({ target }) {
    this.#nodes[this.#current]?.setAttribute("tabindex", -1);
    this.#current = Number(target.dataset.index);
    target.setAttribute("tabindex", 0);
    const group = this.#groups[this.#current];
    const [x, y] = this.#pixel(group);
    if (x < 0 || y < 0 || x > this.#width || y > this.#height) this.#look({ ...this.#view, x: group.x, y: group.y });
    this.#show(group, false);
  }

  #open(index, byKey) {
    this.#show(this.#groups[index], true);
    if (byKey) this.#card.querySelector("a, button").focus();
  }

  #show(group, pinned) {
    clearTimeout(this.#timer);
    const same = this.#shown === group && !this.#card.hidden;
    this.#pinned = pinned || (same && this.#pinned);
    if (same) return;
    this.#shown = group;
    this.#expanded();
    const apart = this.#view.k < SCALE_MAX && group.items.some(({ lat, lng }) =>
      lat !== group.items[0].lat || lng !== group.items[0].lng);
    const heading = group.items.length > 1 ? `${group.items.length} nonprofits ${whereabouts(group)}` : null;
    this.#card.setAttribute("aria-label", heading ?? group.items[0].name);
    this.#card.replaceChildren(...[
      heading && h("p", { class: "map-heading" }, heading),
      apart && h("button", { type: "button", class: "link", onclick: () => this.#enter(group) }, "Zoom in here"),
      h("ul", { class: "plain" }, group.items.map((item) => this.#entry(item))),
    ].filter(Boolean));
    this.#card.hidden = false;
    document.addEventListener("keydown", this.#escape);
    this.#put(group);
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
    if (!this.#onPick || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.#onPick(ein);
  }

  /** Comes so near that what is joined here falls apart. */
  #enter(group) {
    const view = around(group.items.map(({ lat, lng }) => project(lat, lng)), this.#width, this.#height, SCALE_MAX);
    this.#hide();
    this.#mode = "free";
    this.#look({ ...view, k: Math.max(view.k, this.#view.k * ZOOM_STEP) });
    this.#nodes[this.#groups.findIndex(({ items }) => items.includes(group.items[0]))]?.focus({ preventScroll: true });
  }

  /** The card stands beside its point in a wide frame; in a narrow one style puts it below. */
  #put(group) {
    const { style } = this.#card;
    const [x, y] = this.#pixel(group);
    const r = radius(group.items.length) + 6;
    this.#card.classList.toggle("map-over", this.#width >= WIDE_PX);
    const left = x + r + CARD_WIDTH_PX < this.#width ? x + r : x - r - CARD_WIDTH_PX;
    const top = y - this.#card.offsetHeight / 2;
    style.left = `${Math.max(4, left)}px`;
    style.top = `${Math.max(4, Math.min(top, this.#height - this.#card.offsetHeight - 4))}px`;
  }

  #hideSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const active = document.activeElement;
      const elsewhere = active && active !== document.body && !this.#frame.parentNode.contains(active);
      if (this.#pinned ? elsewhere : !this.#holds(active)) this.#hide();
    }, HIDE_MS);
  }

  #holds(active) {
    if (this.#card.contains(active)) return true;
    if (!this.#marks.contains(active)) return false;
    this.#show(this.#groups[this.#current], false);
    return true;
  }

  #hide() {
    this.#shown = null;
    this.#pinned = false;
    this.#card.hidden = true;
    this.#expanded();
    document.removeEventListener("keydown", this.#escape);
  }

  #expanded() {
    for (const [index, node] of this.#nodes.entries()) {
      node.setAttribute("aria-expanded", this.#groups[index] === this.#shown);
    }
  }

  #escape = (event) => {
    if (!this.#card.isConnected) document.removeEventListener("keydown", this.#escape);
    if (event.key !== "Escape" || !this.#shown) return;
    const back = this.#card.contains(document.activeElement) ? this.#groups.indexOf(this.#shown) : -1;
    this.#hide();
    if (back < 0) return;
    this.#nodes[back].focus({ preventScroll: true });
    this.#hide();
  };

  /** Dragging, pinching, a double click and the wheel with Ctrl; the wheel alone scrolls the page. */
  #gestures() {
    const at = ({ clientX, clientY }) => {
      const { left, top } = this.#svg.getBoundingClientRect();
      return [clientX - left, clientY - top];
    };
    const end = ({ pointerId, type, target }) => {
      this.#pointers.delete(pointerId);
      if (type === "pointerup" && !this.#moved && !this.#marks.contains(target)) this.#hide();
    };
    const listen = (name, act, options) => this.#svg.addEventListener(name, act, options);
    listen("pointerdown", (event) => {
      if (event.button) return;
      this.#moved = false;
      this.#pointers.set(event.pointerId, at(event));
    });
    listen("pointermove", (event) => this.#pointers.has(event.pointerId) && this.#drag(event, at(event)));
    listen("pointerup", end);
    listen("pointercancel", end);
    listen("pointerleave", end);
    listen("dblclick", (event) => this.#zoom(ZOOM_STEP, at(event)));
    listen("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.#zoom(Math.exp(-event.deltaY / 100), at(event));
    }, { passive: false });
  }

  #drag({ pointerId }, [x, y]) {
    const [fromX, fromY] = this.#pointers.get(pointerId);
    const others = [...this.#pointers].filter(([id]) => id !== pointerId);
    // A hand is never quite still: what moves less is a click.
    if (!this.#moved && Math.hypot(x - fromX, y - fromY) < 4) return;
    if (!this.#moved) this.#svg.setPointerCapture(pointerId);
    this.#moved = true;
    this.#pointers.set(pointerId, [x, y]);
    if (others.length) {
      const [, [px, py]] = others[0];
      const before = Math.hypot(fromX - px, fromY - py);
      this.#zoom(Math.hypot(x - px, y - py) / Math.max(1, before), [(x + px) / 2, (y + py) / 2]);
      return;
    }
    const { k } = this.#view;
    if (k <= this.#whole().k * 1.001) return;
    this.#mode = "free";
    this.#look({ k, x: this.#view.x - (x - fromX) / k, y: this.#view.y - (y - fromY) / k });
  }
}

/** One of the nonprofits at the place that most of a group have. */
function middle({ items }) {
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

function spoken(group) {
  const { items } = group;
  const names = items.slice(0, NAMES_SPOKEN_MAX).map((item) => [item.name, otherName(item)].filter(Boolean).join(", "));
  if (items.length === 1) return [names[0], place(items[0])].filter(Boolean).join(", ");
  const more = items.length - names.length;
  return `${items.length} nonprofits ${whereabouts(group)}: ${names.join("; ")}${more ? ` and ${more} more` : ""}`;
}
