// What lies below the points of the map to find one's way: land and borders of states, from near those of counties, and
// names of insets, states, towns and counties, each where nothing else stands. Loads the outline, and from near the
// counties; the points stand where they belong without either.
import { s } from "./dom.js";
import { middle } from "./map_card.js";
import { REGIONS, overlap, radius } from "./projection.js";

/** From this scale and with at most so many points in sight, places of points are named beside them. */
const NAMED_SCALE_MIN = 2;
const NAMED_POINTS_MAX = 40;
/** Of more points those of the most nonprofits are. */
const LARGEST_NAMED = 10;
/** From this scale counties are drawn, and towns and counties named: so many towns at most. */
const COUNTIES_SCALE_MIN = 3;
const TOWNS_MAX = 14;
/** A county is named where its name has so many pixels around it. */
const COUNTY_ROOM_PX = 17;
const STATE_ROOM_PX = 9;
/** About the width of a letter, by the size of the text. */
const LETTER_PX = 7.2;
const SMALL_LETTER_PX = 6.2;

/** Files that were asked for, once for all maps; one that failed is asked for again by the next map. */
const files = new Map();

function loaded(name) {
  if (!files.has(name)) {
    const asked = fetch(new URL(name, import.meta.url)).then((answer) => {
      if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
      return answer.json();
    });
    asked.catch(() => files.delete(name));
    files.set(name, asked);
  }
  return files.get(name);
}

export class Ground {
  #changed; #codes = []; #counties = null; #lines = null;
  land; labels;

  /** @param {() => void} changed called when a file has come */
  constructor(changed) {
    this.#changed = changed;
    this.land = s("g", { class: "map-land", "aria-hidden": "true" }, REGIONS.filter(({ box }) => box)
      .map(({ box: [x, y, width, height] }) => s("rect", { class: "map-box", x, y, width, height, rx: 1 })));
    this.labels = s("g", { class: "map-labels", "aria-hidden": "true" });
    loaded("./outline.json").then(({ land, borders, codes }) => {
      this.land.prepend(s("path", { class: "map-ground", d: land }), s("path", { class: "map-borders", d: borders }));
      this.#codes = codes;
      changed();
    }, () => {});
  }

  /**
   * @param {{k: number, pixel: (point: object) => number[], width: number, height: number, groups: object[]}} view
   *   `k`: pixels a unit of the map; `groups`: the points
   */
  draw(view) {
    const { k, pixel } = view;
    const [left, top] = pixel({ x: 0, y: 0 });
    this.land.setAttribute("transform", `matrix(${k} 0 0 ${k} ${left} ${top})`);
    const near = k >= COUNTIES_SCALE_MIN;
    if (near) this.#load();
    this.#lines?.classList.toggle("map-far", !near);
    this.#write(view, near ? this.#counties : null);
  }

  #load() {
    if (this.#counties) return;
    this.#counties = { names: [], towns: [] };
    loaded("./counties.json").then((counties) => {
      this.#counties = counties;
      this.#lines = s("path", { class: "map-counties", d: counties.lines });
      const borders = this.land.querySelector(".map-borders");
      if (borders) borders.before(this.#lines);
      else this.land.prepend(this.#lines);
      this.#changed();
    }, () => {});
  }

  #write({ k, pixel, width, height, groups }, near) {
    const isInSight = ([x, y]) => x > 0 && y > 0 && x < width && y < height;
    const inSight = groups.map((group) => ({ group, at: pixel(group), r: radius(group.count) + 1 })).filter(({ at }) => isInSight(at));
    const text = free(inSight.map(({ at: [x, y], r }) => [x - r, y - r, x + r, y + r]), width);
    const most = inSight.length <= NAMED_POINTS_MAX ? NAMED_POINTS_MAX : LARGEST_NAMED;
    const named = k >= NAMED_SCALE_MIN ? [...inSight].sort((a, b) => b.r - a.r).slice(0, most) : [];
    const placed = new Set();
    const points = named.map(({ group, at: [x, y], r }) => {
      // Of the largest points of a map of very many nobody may be known by name.
      const city = group.items.length > 0 && middle(group).city;
      const label = city && text(townOf(group, isTwice(city, named)), "map-place", LETTER_PX, around(x, y, r));
      if (label) placed.add(city.toLowerCase());
      return label;
    });
    const insets = REGIONS.filter(({ box }) => box).map(({ box: [x, y, room], name, codes }) => {
      const words = [name, codes].find((one) => one.length * LETTER_PX + 8 < room * k);
      const [px, py] = pixel({ x, y });
      return words && text(words, "map-region", LETTER_PX, [[px + 5, py + 14, "start"]]);
    });
    const states = this.#codes.filter(([, , , room]) => room * k > STATE_ROOM_PX).map(([code, x, y]) => {
      const [px, py] = pixel({ x, y });
      return text(code, "map-code", LETTER_PX, [[px, py + 4, "middle"], [px, py + 18, "middle"]]);
    });
    const towns = near ? this.#towns(near.towns, placed, { pixel, isInSight, text }) : [];
    const counties = (near?.names ?? []).filter(([, , , room]) => room * k > COUNTY_ROOM_PX).map(([name, x, y]) => {
      const at = pixel({ x, y });
      return isInSight(at) && text(name, "map-county", SMALL_LETTER_PX, [[at[0], at[1] + 4, "middle"]]);
    });
    this.labels.replaceChildren(...[points, insets, states, towns, counties].flat().filter(Boolean));
  }

  /** The largest in sight that no point names, each with a dot where it is. */
  #towns(towns, placed, { pixel, isInSight, text }) {
    const drawn = [];
    for (const [name, tx, ty] of towns) {
      if (drawn.length >= TOWNS_MAX) break;
      const [x, y] = pixel({ x: tx, y: ty });
      if (!isInSight([x, y]) || placed.has(name.toLowerCase())) continue;
      const label = text(name, "map-town", SMALL_LETTER_PX, around(x, y, 3));
      if (!label) continue;
      placed.add(name.toLowerCase());
      drawn.push(s("g", null, s("circle", { class: "map-town-dot", cx: x, cy: y, r: 2 }), label));
    }
    return drawn;
  }
}

/** Whether several of the groups are in a town of this name. */
const isTwice = (city, groups) => groups.filter(({ group }) => group.items.length > 0 && middle(group).city === city).length > 1;

/** What a group is called: its town, with the ZIP code where that tells it from others there, and as an area where it has several towns. */
function townOf(group, isTold) {
  const { city } = middle(group);
  const towns = new Set(group.items.map((item) => item.city?.toLowerCase()).filter(Boolean));
  if (towns.size > 1) return `${city} area`;
  if (!isTold) return city;
  const zips = new Set(group.items.map(({ zipCode5 }) => zipCode5).filter(Boolean));
  return zips.size === 1 ? `${city} ${[...zips][0]}` : city;
}

/** Where a name may stand beside a circle: right, left, below, above. */
const around = (x, y, r) => [[x + r + 3, y + 4, "start"], [x - r - 3, y + 4, "end"], [x, y + r + 11, "middle"], [x, y - r - 4, "middle"]];

/** Writes words at the first of the places (x, base line, anchor) that is free, or nothing; takes that place. */
const free = (taken, width) => (words, kind, letter, places) => {
  const wide = words.length * letter;
  for (const [x, y, anchor] of places) {
    const left = x - wide * { start: 0, middle: 0.5, end: 1 }[anchor];
    const area = [left, y - 11, left + wide, y + 3];
    if (left < 2 || area[2] > width - 2 || area[1] < 0 || taken.some((other) => overlap(area, other))) continue;
    taken.push(area);
    return s("text", { class: kind, x, y, "text-anchor": anchor }, words);
  }
  return null;
};
