// Postal codes by the Census Bureau's numbers of states, and the proof that projection and outline
// fit: cities whose places anyone can look up lie in or at the coast of their state.
import { project } from '../../src/http/explorer/projection.js';
import { distance, inside } from './planar.mjs';

export const STATES = {
  '01': 'AL', '02': 'AK', '04': 'AZ', '05': 'AR', '06': 'CA', '08': 'CO', '09': 'CT', 10: 'DE', 11: 'DC',
  12: 'FL', 13: 'GA', 15: 'HI', 16: 'ID', 17: 'IL', 18: 'IN', 19: 'IA', 20: 'KS', 21: 'KY', 22: 'LA',
  23: 'ME', 24: 'MD', 25: 'MA', 26: 'MI', 27: 'MN', 28: 'MS', 29: 'MO', 30: 'MT', 31: 'NE', 32: 'NV',
  33: 'NH', 34: 'NJ', 35: 'NM', 36: 'NY', 37: 'NC', 38: 'ND', 39: 'OH', 40: 'OK', 41: 'OR', 42: 'PA',
  44: 'RI', 45: 'SC', 46: 'SD', 47: 'TN', 48: 'TX', 49: 'UT', 50: 'VT', 51: 'VA', 53: 'WA', 54: 'WV',
  55: 'WI', 56: 'WY', 60: 'AS', 66: 'GU', 69: 'MP', 72: 'PR', 78: 'VI',
};

/** How far the simplified coast may cut into a city, in map units. */
const SLACK = 0.8;

const CITIES = [
  ['Seattle', 47.6062, -122.3321, 'WA'], ['San Diego', 32.7157, -117.1611, 'CA'],
  ['San Francisco', 37.7749, -122.4194, 'CA'], ['El Paso', 31.7619, -106.485, 'TX'],
  ['Brownsville', 25.9017, -97.4975, 'TX'], ['New Orleans', 29.9511, -90.0715, 'LA'],
  ['Miami', 25.7617, -80.1918, 'FL'], ['Key West', 24.5551, -81.78, 'FL'],
  ['New York', 40.7128, -74.006, 'NY'], ['Boston', 42.3601, -71.0589, 'MA'],
  ['Eastport', 44.9062, -66.99, 'ME'], ['Chicago', 41.8781, -87.6298, 'IL'],
  ['Duluth', 46.7867, -92.1005, 'MN'], ['Denver', 39.7392, -104.9903, 'CO'],
  ['Four Corners', 37.01, -108.98, 'CO'], ['Washington', 38.9072, -77.0369, 'DC'],
  ['Anchorage', 61.2181, -149.9003, 'AK'], ['Juneau', 58.3019, -134.4197, 'AK'],
  ['Utqiagvik', 71.2906, -156.7886, 'AK'], ['Honolulu', 21.3069, -157.8583, 'HI'],
  ['Hilo', 19.7074, -155.0847, 'HI'], ['San Juan', 18.4655, -66.1057, 'PR'],
  ['Ponce', 18.0111, -66.6141, 'PR'], ['Charlotte Amalie', 18.3419, -64.9307, 'VI'],
  ['Hagåtña', 13.4757, 144.7489, 'GU'], ['Saipan', 15.19, 145.74, 'MP'],
  ['Pago Pago', -14.2756, -170.7021, 'AS'],
];
/** What is no part of the map: cities abroad, and what is no place. */
const ELSEWHERE = [['Majuro', 7.09, 171.38], ['Koror', 7.34, 134.48], ['London', 51.5, -0.13], ['nowhere', NaN, 0]];

/** Throws the first disagreement of a city with the drawn states. */
export function check(states) {
  for (const [name, latitude, longitude, code] of CITIES) {
    const point = project(latitude, longitude);
    const state = states.find(({ id }) => STATES[id] === code);
    const fits = point && state.geometry.coordinates.some(rings =>
      inside(rings, point.x, point.y) || distance(rings[0], point.x, point.y) <= SLACK);
    if (!fits) throw new Error(`${name} expected in ${code}, found at ${JSON.stringify(point)}`);
  }
  for (const [name, latitude, longitude] of ELSEWHERE) {
    if (project(latitude, longitude)) throw new Error(`${name} expected off the map`);
  }
}
