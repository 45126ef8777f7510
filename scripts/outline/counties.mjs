// Draws what the explorer's map shows from near: the lines between the counties of a state, their names, and the
// larger towns, in the units of src/http/explorer/projection.js.
//
//     npm ci && node counties.mjs
//
// Sources: the Cartographic Boundary Files that make.mjs uses (counties); data/zips.tsv (towns), where a town has the
// mean place of its ZIP codes and is the larger the more of them it has.
//
// Writes src/http/explorer/counties.json, the same bytes each time. Lines between states are the outline's.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { feature, mesh } from 'topojson-client';
import { project } from '../../src/http/explorer/projection.js';
import { PRECISION, deepest, path, projected, simplified } from './shapes.mjs';

const OUTPUT = new URL('../../src/http/explorer/counties.json', import.meta.url);
const ZIPS = new URL('../../data/zips.tsv', import.meta.url);
const BYTES_MAX = 320_000;
/** Corners that change the shape by less are left out, in square units (one is about 26 km²). */
const CORNER_AREA_MIN = 0.3;
/** Points tried along each side for a name. */
const NAME_GRID = 12;
/** Towns with fewer ZIP codes are left out. */
const TOWN_ZIPS_MIN = 2;

const source = createRequire(import.meta.url).resolve('us-atlas/counties-10m.json');
const topology = simplified(projected(JSON.parse(readFileSync(source, 'utf8')), 'counties'), CORNER_AREA_MIN);
const stateOf = county => county.id.slice(0, 2);
const counties = feature(topology, topology.objects.counties).features.filter(({ geometry }) => geometry.coordinates.length);

const drawn = {
  lines: path(mesh(topology, topology.objects.counties, (a, b) => a !== b && stateOf(a) === stateOf(b)).coordinates, false),
  names: counties.map(county => [county.properties.name, ...deepest(county, NAME_GRID)]).sort(inOrder),
  towns: towns(),
};
const text = `${JSON.stringify(drawn)}\n`;
if (text.length > BYTES_MAX) throw new Error(`${text.length} bytes, at most ${BYTES_MAX} expected`);
writeFileSync(OUTPUT, text);
console.log(`${text.length} bytes, ${drawn.names.length} counties, ${drawn.towns.length} towns`);

/** Name, x, y and number of ZIP codes of each town, the largest first. */
function towns() {
  const all = new Map();
  let [state, city] = ['', ''];
  for (const line of readFileSync(ZIPS, 'utf8').trimEnd().split('\n')) {
    const fields = line.split('\t');
    // An empty field repeats the one above.
    [state, city] = [fields[1] || state, fields[2] || city];
    const at = project(Number(fields[4] || NaN), Number(fields[5] || NaN));
    const key = `${state} ${city}`;
    if (!all.has(key)) all.set(key, { city, zips: 0, points: [] });
    const town = all.get(key);
    town.zips += 1;
    if (at) town.points.push(at);
  }
  const large = [...all.values()].filter(({ zips, points }) => zips >= TOWN_ZIPS_MIN && points.length);
  const mean = values => Math.round(values.reduce((sum, value) => sum + value, 0) / values.length * PRECISION) / PRECISION;
  return large.map(({ city, zips, points }) => [city, mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y)), zips])
    .sort((a, b) => b[3] - a[3] || inOrder(a, b));
}

function inOrder(a, b) {
  const [one, other] = [a, b].map(row => row.join());
  return one < other ? -1 : one > other ? 1 : 0;
}
