// Where things lie on the explorer's map. First Albers' equal-area conic projection (Snyder, Map
// Projections: A Working Manual, USGS 1987, §14; on a sphere) for the lower 48 states, and once more
// for each inset, enlarged or reduced: used by the map and by the script that draws its outline, so
// that points and outline fit. Then how points join at a scale, and which view holds them. Pure
// functions; nothing is drawn here.

/** Size of the map in its own units; a unit is about 5 km within the lower 48 states. */
export const WIDTH = 960;
export const HEIGHT = 600;

/** Targets closer than this cannot be told apart by a finger (WCAG 2.5.8). */
export const GAP_PX = 26;
/** Beyond this the outline is too coarse to mean anything; a pixel is then about 100 m. */
export const SCALE_MAX = 48;
/** Fitting goes less far, so that a single town still shows some of its state. */
const FIT_SCALE_MAX = 14;
const FIT_PADDING_PX = 48;
/** Points of which each is compared with each. */
const PAIRED_MAX = 400;

/**
 * The parts of the map. `bounds` are west, south, east, north in degrees (a west below -180 lies
 * beyond the date line) and never overlap; `parallels` are the standard ones, `centre` is the
 * longitude and latitude that lands on `at`; `scale` is in units a radian. `box` (x, y, width,
 * height) frames an inset, which is called by `name` or, where that is too long, `codes`.
 * Uninhabited outer islands lie outside of the bounds.
 */
export const REGIONS = [
  {
    name: "Lower 48 states", codes: "", bounds: [-125, 24.3, -66.7, 49.6],
    parallels: [29.5, 45.5], centre: [-96, 38], at: [484, 301], scale: 1250, box: null,
  },
  {
    name: "Alaska", codes: "AK", bounds: [-188.5, 51, -129.5, 71.7],
    parallels: [55, 65], centre: [-157, 61.6], at: [130, 532], scale: 365, box: [2, 450, 230, 148],
  },
  {
    name: "Hawaii", codes: "HI", bounds: [-160.5, 18.6, -154.5, 22.5],
    parallels: [8, 18], centre: [-157.5, 20.55], at: [298, 554], scale: 1265, box: [236, 504, 124, 94],
  },
  {
    name: "Guam and Northern Marianas", codes: "GU, MP", bounds: [144.4, 13, 146.2, 15.5],
    parallels: [13.3, 15.3], centre: [145.3, 14.25], at: [545, 562], scale: 1400, box: [514, 526, 62, 72],
  },
  {
    name: "American Samoa", codes: "AS", bounds: [-171, -14.6, -169.2, -14],
    parallels: [-14.5, -14], centre: [-170.13, -14.27], at: [625, 577], scale: 2700, box: [582, 556, 86, 42],
  },
  {
    name: "Puerto Rico and Virgin Islands", codes: "PR, VI", bounds: [-67.5, 17.5, -64.4, 18.7],
    parallels: [17.8, 18.5], centre: [-65.95, 18.1], at: [892, 568], scale: 2300, box: [826, 538, 132, 60],
  },
].map(region => ({ ...region, conic: conic(region) }));

/**
 * The place of a point given in degrees north and east.
 * @returns {{x: number, y: number, region: number} | null} map units and the position in
 *   `REGIONS`; null for what is no number or lies outside of every region
 */
export function project(latitude, longitude) {
  if (!Number.isFinite(latitude) || !Number.isFinite(longitude)) return null;
  for (let region = 0; region < REGIONS.length; region++) {
    const { bounds: [west, south, east, north], conic } = REGIONS[region];
    const turned = longitude > 0 && west < -180 ? longitude - 360 : longitude;
    if (turned >= west && turned <= east && latitude >= south && latitude <= north) {
      return { ...conic(latitude, turned), region };
    }
  }
  return null;
}

/**
 * Points of the map: where nonprofits are (`lat`, `lng`), the `items` there, and how many there are (`count`). Of all
 * that are counted (`tallies` of `lat`, `lng`, `count`) some are items, each at the nearest point; without tallies all are.
 */
export function gather(nonprofits, tallies = []) {
  const points = new Map();
  const place = ({ lat, lng }) => {
    const at = project(lat, lng);
    const key = `${lat} ${lng}`;
    if (at && !points.has(key)) points.set(key, { ...at, lat, lng, items: [], count: 0 });
    return points.get(key);
  };
  for (const tally of tallies) {
    const point = place(tally);
    if (point) point.count += tally.count;
  }
  const counted = [...points.values()];
  for (const item of nonprofits) {
    const at = counted.length ? project(item.lat, item.lng) : null;
    const point = at ? nearest(counted, at) : place(item);
    point?.items.push(item);
    if (point && !counted.length) point.count += 1;
  }
  return [...points.values()];
}

const nearest = (points, { x, y }) => points.reduce((a, b) => (Math.hypot(b.x - x, b.y - y) < Math.hypot(a.x - x, a.y - y) ? b : a));

/** Groups of points so joined that no two marks overlap; a group stands in the middle of its nonprofits. */
export function joined(points, k) {
  const groups = points.length > PAIRED_MAX ? inCells(points, k) : points.map((point) => ({ ...point, points: [point] }));
  const near = (a, b) => a.region === b.region && Math.hypot(a.x - b.x, a.y - b.y) * k
    < Math.max(GAP_PX, radius(a.count) + radius(b.count));
  for (let i = 0; i < groups.length; i++) {
    const j = groups.findIndex((other, at) => at > i && near(groups[i], other));
    if (j < 0) continue;
    groups[i] = merged(groups[i], groups.splice(j, 1)[0]);
    // The larger mark may touch what the smaller one did not.
    i = -1;
  }
  return groups;
}

function merged(a, b) {
  const share = b.count / (a.count + b.count);
  return {
    ...a, x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share,
    count: a.count + b.count, items: [...a.items, ...b.items], points: [...a.points, ...b.points],
  };
}

/** The points of each cell as one: pairs of very many would take too long. */
function inCells(points, k) {
  const cells = new Map();
  for (const point of points) {
    const key = [point.region, Math.floor(point.x * k / GAP_PX), Math.floor(point.y * k / GAP_PX)].join(" ");
    const group = { ...point, points: [point] };
    cells.set(key, cells.has(key) ? merged(cells.get(key), group) : group);
  }
  return [...cells.values()];
}

/** Rows from north to south, each from west to east. */
export function inReadingOrder(groups, k) {
  const row = ({ y }) => Math.floor(y * k / (2 * GAP_PX));
  return groups.sort((a, b) => row(a) - row(b) || a.x - b.x);
}

/** The view that holds these points with room around them. */
export function around(points, width, height, most = FIT_SCALE_MAX) {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [west, east, north, south] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const fit = (room, size) => (Math.max(room - 2 * FIT_PADDING_PX, room / 3)) / Math.max(size, 1e-6);
  return {
    k: Math.min(most, fit(width, east - west), fit(height, south - north)),
    x: (west + east) / 2, y: (north + south) / 2,
  };
}

/** The view moved so that it shows no more than needed of what lies beyond the map. */
export function within({ k, x, y }, width, height, least) {
  const scale = Math.min(SCALE_MAX, Math.max(least, k));
  const held = (middle, size, room) => (room / scale >= size
    ? size / 2
    : Math.min(size - room / scale / 2, Math.max(room / scale / 2, middle)));
  return { k: scale, x: held(x, WIDTH, width), y: held(y, HEIGHT, height) };
}

/** Pixels of a mark for so many nonprofits. */
export function radius(count) {
  return count > 1 ? Math.min(20, 8.5 + 2.2 * Math.sqrt(count)) : 6.5;
}

/** Whether two areas (left, top, right, bottom) share anything. */
export function overlap([left, top, right, bottom], other) {
  return left < other[2] && right > other[0] && top < other[3] && bottom > other[1];
}

/** The projection of one region, in Snyder's names: n is the constant of the cone, rho a radius. */
function conic({ parallels, centre, at, scale }) {
  const [first, second] = parallels.map(radians);
  const n = (Math.sin(first) + Math.sin(second)) / 2;
  const c = Math.cos(first) ** 2 + 2 * n * Math.sin(first);
  const rho = latitude => Math.sqrt(c - 2 * n * Math.sin(radians(latitude))) / n;
  const origin = rho(centre[1]);
  return (latitude, longitude) => {
    const theta = n * radians(longitude - centre[0]);
    const radius = rho(latitude);
    return {
      x: at[0] + scale * radius * Math.sin(theta),
      y: at[1] - scale * (origin - radius * Math.cos(theta)),
    };
  };
}

function radians(degrees) {
  return degrees * Math.PI / 180;
}
