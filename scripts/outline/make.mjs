// Draws the outline of the explorer's map: land, borders between states and where their postal
// codes stand, in the units of src/http/explorer/projection.js, whose projection it uses.
//
//     npm ci && node make.mjs
//
// Source: Cartographic Boundary Files of the U.S. Census Bureau, 2017 edition, a work of the United
// States government and in the public domain, as the npm package us-atlas 3.0.1 rearranges them
// (TopoJSON; the package is under the ISC licence, © 2013-2019 Michael Bostock). Nothing of its
// code goes into the outline.
//
// Writes src/http/explorer/outline.json, the same bytes each time, or fails if a known city lies
// out of place. It draws no counties, and no islands too small to be seen.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { feature, merge, mesh } from 'topojson-client';
import { filter, filterWeight, presimplify, simplify } from 'topojson-simplify';
import { REGIONS, project } from '../../src/http/explorer/projection.js';
import { STATES, check } from './check.mjs';
import { area, distance, inside } from './planar.mjs';

const OUTPUT = new URL('../../src/http/explorer/outline.json', import.meta.url);
const BYTES_MAX = 60_000;
/** Corners that change the shape by less are left out, in square units (one is about 26 km²). */
const CORNER_AREA_MIN = 0.05;
/** Islands and lakes below this size are left out, in square units. */
const ISLAND_AREA_MIN = 0.12;
/** Decimals of coordinates: a tenth of a unit is 500 m. */
const PRECISION = 10;
/** Points tried along each side for a postal code, and what a unit off the middle costs it in room. */
const CODE_GRID = 40;
const CODE_PULL = 0.2;

const source = createRequire(import.meta.url).resolve('us-atlas/states-10m.json');
/** Insets are named by the map itself. */
const INSETS = new Set(REGIONS.flatMap(({ codes }) => codes.split(', ')));

const topology = simplified(projected(JSON.parse(readFileSync(source, 'utf8'))));
const states = feature(topology, topology.objects.states).features;
check(states);

const outline = {
  land: path(merge(topology, topology.objects.states.geometries).coordinates.flat(), true),
  borders: path(mesh(topology, topology.objects.states, (a, b) => a !== b).coordinates, false),
  codes: states.filter(state => !INSETS.has(STATES[state.id])).map(code).sort(([a], [b]) => (a < b ? -1 : 1)),
};
const text = `${JSON.stringify(outline)}\n`;
if (text.length > BYTES_MAX) throw new Error(`${text.length} bytes, at most ${BYTES_MAX} expected`);
writeFileSync(OUTPUT, text);
console.log(`${text.length} bytes, ${states.length} states and territories`);

/** The topology in map units, without the islands that lie outside of every region. */
function projected({ arcs, transform, objects }) {
  const onMap = arcs.map(arc => {
    let [x, y] = [0, 0];
    return arc.map(([right, up]) => {
      const longitude = (x += right) * transform.scale[0] + transform.translate[0];
      const latitude = (y += up) * transform.scale[1] + transform.translate[1];
      const point = project(latitude, longitude);
      return point && [point.x, point.y];
    });
  });
  const whole = polygon => polygon.flat().every(arc => onMap[arc < 0 ? ~arc : arc].every(Boolean));
  const geometries = objects.states.geometries.map(({ id, type, arcs: parts }) => ({
    id, type: 'MultiPolygon', arcs: (type === 'Polygon' ? [parts] : parts).filter(whole),
  }));
  return {
    type: 'Topology',
    arcs: onMap.map(arc => (arc.every(Boolean) ? arc : [[0, 0], [0, 0]])),
    objects: { states: { type: 'GeometryCollection', geometries } },
  };
}

/** Visvalingam's simplification, of what two states share once for both. */
function simplified(whole) {
  const weighed = presimplify(whole);
  const large = filter(weighed, filterWeight(weighed, ISLAND_AREA_MIN));
  return simplify(large, CORNER_AREA_MIN);
}

/** Path data of lines or rings in relative steps between rounded points, so that no error adds up. */
function path(lines, closed) {
  return lines.map(line => steps(line.map(point => point.map(x => Math.round(x * PRECISION))), closed))
    .filter(Boolean).sort().join('');
}

function steps(line, closed) {
  let [x, y] = line[0];
  const numbers = [];
  for (const [nextX, nextY] of closed ? line.slice(1, -1) : line.slice(1)) {
    if (nextX === x && nextY === y) continue;
    numbers.push(nextX - x, nextY - y);
    [x, y] = [nextX, nextY];
  }
  if (!numbers.length) return '';
  const start = `M${line[0][0] / PRECISION} ${line[0][1] / PRECISION}`;
  return `${start}l${compact(numbers)}${closed ? 'z' : ''}`;
}

/** Numbers as short as path data allows: `1.5.3-.2` are three, for only digits run together. */
function compact(tenths) {
  let text = '';
  let fraction = false;
  for (const value of tenths) {
    const next = String(value / PRECISION).replace(/^(-?)0\./, '$1.');
    const apart = next[0] === '-' || (next[0] === '.' && fraction) || !text;
    text += apart ? next : ` ${next}`;
    fraction = next.includes('.');
  }
  return text;
}

/**
 * Where the postal code of a state stands on its largest part: code, x, y, and how far away the nearest
 * border is. Of the points of a grid it is one deep inside that is not far from the middle.
 */
function code({ id, geometry }) {
  const rings = geometry.coordinates.reduce((a, b) => (area(a[0]) >= area(b[0]) ? a : b));
  const [[west, east], [north, south]] = [0, 1].map(axis => {
    const values = rings[0].map(point => point[axis]);
    return [Math.min(...values), Math.max(...values)];
  });
  let best = { score: -Infinity };
  for (let x = west; x < east; x += (east - west) / CODE_GRID) {
    for (let y = north; y < south; y += (south - north) / CODE_GRID) {
      if (!inside(rings, x, y)) continue;
      const room = Math.min(...rings.map(ring => distance(ring, x, y)));
      const score = room - CODE_PULL * Math.hypot(x - (west + east) / 2, y - (north + south) / 2);
      if (score > best.score) best = { score, place: [x, y, room] };
    }
  }
  return [STATES[id], ...best.place.map(value => Math.round(value * PRECISION) / PRECISION)];
}
