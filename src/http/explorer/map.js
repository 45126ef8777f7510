// The map of results: a point for each place, a card with who is there (map_card.js), buttons, keys and gestures
// (map_gestures.js) to move about, over land with names (map_ground.js). It shows only the nonprofits that it is given
// and keeps nothing in the address. Beside it a list says the same, so what has no place is counted only.
//
// Two systems of coordinates: units (projection.js), and pixels of the frame. A view joins them:
// `k` pixels a unit, and the unit (x, y) in the middle of the frame.
import { h, s } from "./dom.js";
import { count, place, plural } from "./format.js";
import { Card, spoken } from "./map_card.js";
import { gestures } from "./map_gestures.js";
import { Ground } from "./map_ground.js";
import { GAP_PX, HEIGHT, SCALE_MAX, WIDTH, around, gather, inReadingOrder, joined, radius, within } from "./projection.js";

/** A fit that gains less than this over the whole country is not worth losing sight of it. */
const FIT_GAIN_MIN = 1.4;
const ZOOM_STEP = 1.8;
/** A number with more digits is rounded to thousands. */
const LONG_MIN = 10_000;
/**
 * A map of nonprofits as the beta search lists them (`ein`, `name`, `alt_name`, `city`, `state`, `lat`,
 * `lng`, `revenueGrandTotal`).
 * @param {object[]} nonprofits as many as a list holds
 * @param {object} [options]
 * @param {(ein: string) => void} [options.onPick] called instead of following the link to a profile
 * @param {string} [options.label] what the map shows, for those who do not see it
 * @param {number} [options.total] how many there are, these among them
 * @param {Array<{lat: number, lng: number, count: number}>} [options.tallies] where all of them are, where these are only some
 * @param {(around: {latitude: number, longitude: number, miles: number}) => string} [options.listAround] the address of a
 *   list of those at a place
 * @returns {HTMLElement}
 */
export function map(nonprofits, { onPick, label = "Map of the results", total = 0, tallies, listAround } = {}) {
  const known = nonprofits.filter(({ lat, lng }) => Number.isFinite(lat) && Number.isFinite(lng));
  const points = gather(known, tallies);
  const shown = points.reduce((sum, point) => sum + point.count, 0);
  const placed = tallies ? tallies.reduce((sum, tally) => sum + tally.count, 0) : known.length;
  const outside = placed - shown;
  const unknown = (tallies ? total : nonprofits.length) - placed;
  const where = `${plural(shown, "nonprofit", "nonprofits")} ${tallies ? `at ${plural(points.length, "point", "points")}, each for one ZIP code or several near each other` : wherein(known)}`;
  const note = h("p", { class: "map-note muted small" }, [
    shown ? where : null,
    outside ? `${count(outside)} outside the map` : null,
    unknown ? `${count(unknown)} without a known location` : null,
  ].filter(Boolean).join(" · ") || "Nothing to show on the map.");
  if (!shown) return h("div", { class: "map" }, note);
  const geoNames = h("a", { href: "https://www.geonames.org/", rel: "noopener noreferrer" }, "GeoNames");
  note.append(" · places by ", geoNames, " (CC BY 4.0)");
  return h("div", { class: "map" }, new Frame(points, `${label}: ${where}`, { onPick, listAround }).elements, note);
}

/** In how many towns, or in which one and how many of its ZIP codes, as each of these is a point. */
function wherein(nonprofits) {
  const places = new Set(nonprofits.map(place));
  const zips = new Set(nonprofits.map(({ zipCode5 }) => zipCode5).filter(Boolean)).size;
  if (places.size > 1) return `in ${count(places.size)} places`;
  return `in ${[...places][0] || "1 place"}${zips > 1 ? `, in ${count(zips)} ZIP codes` : ""}`;
}

/** The part of the map that is looked through: view, points, card, buttons. */
class Frame {
  #points; #groups = []; #nodes = []; #width = 0; #height = 0; #current = 0;
  /** Which view holds when the size changes: the whole, the fitted one, or where the user went. */
  #mode = "fit"; #view = { k: 1, x: WIDTH / 2, y: HEIGHT / 2 };
  #svg; #marks; #ground; #card; #buttons; #frame;

  constructor(points, summary, { onPick, listAround }) {
    this.#points = points;
    this.#ground = new Ground(() => this.#draw());
    this.#marks = s("g", null);
    this.#svg = s("svg", { class: "map-svg", role: "group", "aria-label": summary }, this.#ground.land, this.#ground.labels, this.#marks);
    this.#card = new Card({
      pick: onPick, listAround, enter: (group) => this.#enter(group), isApart: (group) => this.#isApart(group), changed: () => this.#carded(),
      focused: (active) => (this.#marks.contains(active) ? this.#groups[this.#current] : null),
      focus: (group) => this.#nodes[this.#groups.indexOf(group)]?.focus({ preventScroll: true }), stage: () => this.#frame.parentNode,
    });
    this.#buttons = this.#controls();
    // Listeners of focus on an element of SVG would make that element a stop of the Tab key in Chromium.
    this.#frame = h("div", {
      class: "map-frame", onkeydown: (event) => this.#key(event),
      onfocusin: (event) => this.#focused(event), onfocusout: () => this.#card.hideSoon(),
    }, this.#svg);
    this.elements = [this.#buttons.element, h("div", { class: "map-stage" }, this.#frame, this.#card.element)];
    gestures(this.#svg, {
      zoom: (factor, at) => this.#zoom(factor ?? ZOOM_STEP, at), drag: (right, down) => this.#drag(right, down),
      tap: (target) => !this.#marks.contains(target) && this.#card.hide(),
    });
    new ResizeObserver(() => this.#resize()).observe(this.#frame);
  }

  #controls() {
    const button = (text, name, act) => h("button", { type: "button", class: "button small", "aria-label": name, title: name, onclick: act }, text);
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
    this.#mode === "free" ? this.#look(this.#view) : this.#go(this.#mode);
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
    const [px, py] = at ?? (this.#card.shown ? this.#pixel(this.#card.shown) : [this.#width / 2, this.#height / 2]);
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
    const first = this.#card.shown?.points[0];
    const focused = this.#marks.contains(document.activeElement) ? this.#groups[this.#current]?.points[0] : null;
    this.#groups = inReadingOrder(joined(this.#points, this.#view.k), this.#view.k);
    const position = (point) => Math.max(0, this.#groups.findIndex(({ points }) => points.includes(point)));
    this.#current = focused ? position(focused) : 0;
    this.#nodes = this.#groups.map((group, index) => this.#mark(group, index));
    const { isPinned } = this.#card;
    this.#marks.replaceChildren(...this.#nodes);
    if (focused) this.#nodes[this.#current].focus({ preventScroll: true });
    if (first) this.#card.show(this.#groups[position(first)], isPinned);
  }

  #mark(group, index) {
    const { count: many } = group;
    return s("g", {
      class: many > 1 ? "map-mark map-many" : "map-mark", role: "button", "aria-label": spoken(group),
      "aria-expanded": "false", tabindex: index === this.#current ? 0 : -1, dataset: { index },
      onclick: (event) => this.#open(index, event.detail === 0),
      onpointerenter: ({ pointerType }) => pointerType === "mouse" && !this.#card.isPinned && this.#card.show(group, false),
      onpointerleave: () => this.#card.hideSoon(),
    },
    s("circle", { class: "map-target", r: Math.max(GAP_PX / 2, radius(many)) }),
    s("circle", { class: "map-dot", r: radius(many) }),
    many > 1 ? s("text", { class: many >= LONG_MIN ? "map-number map-long" : "map-number", dy: ".35em" }, many >= LONG_MIN ? `${Math.round(many / 1000)}k` : many) : null);
  }

  #draw() {
    if (!this.#width) return;
    for (const [index, group] of this.#groups.entries()) {
      this.#nodes[index].setAttribute("transform", `translate(${this.#pixel(group).join(" ")})`);
    }
    const pixel = (point) => this.#pixel(point);
    this.#ground.draw({ k: this.#view.k, pixel, width: this.#width, height: this.#height, groups: this.#groups });
    this.#place();
  }

  #place() {
    if (this.#card.shown) this.#card.put(this.#pixel(this.#card.shown), this.#width, this.#height);
  }

  /** Marks whose card is open, and puts it there. */
  #carded() {
    for (const [index, node] of this.#nodes.entries()) node.setAttribute("aria-expanded", this.#groups[index] === this.#card.shown);
    this.#place();
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
    this.#card.show(group, false);
  }

  #open(index, byKey) {
    this.#card.show(this.#groups[index], true);
    if (byKey) this.#card.focus();
  }

  /** Whether zooming in takes a group apart. */
  #isApart({ points }) {
    return this.#view.k < SCALE_MAX && points.length > 1;
  }

  /** Comes so near that what is joined here falls apart. */
  #enter(group) {
    const view = around(group.points, this.#width, this.#height, SCALE_MAX);
    this.#card.hide();
    this.#mode = "free";
    this.#look({ ...view, k: Math.max(view.k, this.#view.k * ZOOM_STEP) });
    this.#nodes[this.#groups.findIndex(({ points }) => points.includes(group.points[0]))]?.focus({ preventScroll: true });
  }

  #drag(right, down) {
    const { k, x, y } = this.#view;
    if (k <= this.#whole().k * 1.001) return;
    this.#mode = "free";
    this.#look({ k, x: x - right / k, y: y - down / k });
  }
}
