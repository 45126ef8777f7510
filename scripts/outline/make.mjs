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
// out of place. Islands too small to be seen are left out; counties are those of counties.mjs.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { feature, merge, mesh } from 'topojson-client';
import { REGIONS } from '../../src/http/explorer/projection.js';
import { STATES, check } from './check.mjs';
import { deepest, path, projected, simplified } from './shapes.mjs';

const OUTPUT = new URL('../../src/http/explorer/outline.json', import.meta.url);
const BYTES_MAX = 60_000;
/** Corners that change the shape by less are left out, in square units (one is about 26 km²). */
const CORNER_AREA_MIN = 0.05;
/** Points tried along each side for a postal code. */
const CODE_GRID = 40;

const source = createRequire(import.meta.url).resolve('us-atlas/states-10m.json');
/** Insets are named by the map itself. */
const INSETS = new Set(REGIONS.flatMap(({ codes }) => codes.split(', ')));

const topology = simplified(projected(JSON.parse(readFileSync(source, 'utf8')), 'states'), CORNER_AREA_MIN);
const states = feature(topology, topology.objects.states).features;
check(states);

const outline = {
  land: path(merge(topology, topology.objects.states.geometries).coordinates.flat(), true),
  borders: path(mesh(topology, topology.objects.states, (a, b) => a !== b).coordinates, false),
  codes: states.filter(state => !INSETS.has(STATES[state.id])).map(state => [STATES[state.id], ...deepest(state, CODE_GRID)])
    .sort(([a], [b]) => (a < b ? -1 : 1)),
};
const text = `${JSON.stringify(outline)}\n`;
if (text.length > BYTES_MAX) throw new Error(`${text.length} bytes, at most ${BYTES_MAX} expected`);
writeFileSync(OUTPUT, text);
console.log(`${text.length} bytes, ${states.length} states and territories`);
