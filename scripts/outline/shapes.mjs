// What both scripts make of the Census Bureau's shapes: their projection to the map, simplification, path data, and the
// place within a shape where a name stands.
import { filter, filterWeight, presimplify, simplify } from 'topojson-simplify';
import { project } from '../../src/http/explorer/projection.js';
import { area, distance, inside } from './planar.mjs';

/** Islands and lakes below this size are left out, in square units (one is about 26 km²). */
const ISLAND_AREA_MIN = 0.12;
/** Decimals of coordinates: a tenth of a unit is 500 m. */
export const PRECISION = 10;
/** What a unit off the middle costs a name in room. */
const NAME_PULL = 0.2;

/** The shapes of a kind as a topology in map units, without the islands that lie outside of every region. */
export function projected({ arcs, transform, objects }, kind) {
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
  const geometries = objects[kind].geometries.map(({ id, type, properties, arcs: parts }) => ({
    id, properties, type: 'MultiPolygon', arcs: (type === 'Polygon' ? [parts] : parts).filter(whole),
  }));
  return {
    type: 'Topology',
    arcs: onMap.map(arc => (arc.every(Boolean) ? arc : [[0, 0], [0, 0]])),
    objects: { [kind]: { type: 'GeometryCollection', geometries } },
  };
}

/** Visvalingam's simplification, of what two shapes share once for both; corners that change a shape by less are left out. */
export function simplified(whole, cornerAreaMin) {
  const weighed = presimplify(whole);
  const large = filter(weighed, filterWeight(weighed, ISLAND_AREA_MIN));
  return simplify(large, cornerAreaMin);
}

/** Path data of lines or rings in relative steps between rounded points, so that no error adds up. */
export function path(lines, closed) {
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
 * Where a name stands on the largest part of a shape: x, y, and how far away the nearest border is. Of the points of a
 * grid, so many along each side, it is one deep inside that is not far from the middle.
 */
export function deepest({ geometry }, grid) {
  const rings = geometry.coordinates.reduce((a, b) => (area(a[0]) >= area(b[0]) ? a : b));
  const [[west, east], [north, south]] = [0, 1].map(axis => {
    const values = rings[0].map(point => point[axis]);
    return [Math.min(...values), Math.max(...values)];
  });
  let best = { score: -Infinity, place: [(west + east) / 2, (north + south) / 2, 0] };
  for (let x = west; x < east; x += (east - west) / grid) {
    for (let y = north; y < south; y += (south - north) / grid) {
      if (!inside(rings, x, y)) continue;
      const room = Math.min(...rings.map(ring => distance(ring, x, y)));
      const score = room - NAME_PULL * Math.hypot(x - (west + east) / 2, y - (north + south) / 2);
      if (score > best.score) best = { score, place: [x, y, room] };
    }
  }
  return best.place.map(value => Math.round(value * PRECISION) / PRECISION);
}
