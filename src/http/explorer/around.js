// Miles around a city or a ZIP code of the panel: the server searches around a point, which it knows for a place that is
// named in words.
import { ask } from "./api.js";
import { address } from "./filters.js";

const SEARCH = "/beta/nonprofits/search";

/** Whether miles are asked for, and no point that they are around. */
export const lacksPoint = (filters) => Number(filters.location_range) > 0 && (filters.latitude === undefined || filters.longitude === undefined);

/** What a search around a place lacks, in words. */
export const whyNoPoint = ({ city, zip_code: zip, state }) => (
  zip ? "It has no effect: the place of this ZIP code is not known." : city && !state ? "It has no effect yet: choose the state of the city too."
    : city ? "It has no effect: the place of this city is not known." : "It has no effect yet: enter a city and its state, or use this device’s location.");

/** The address of the search around the city or the ZIP code of the filters; null where that is no place, or not one alone. */
export async function aroundPlace(filters, signal) {
  const { city, zip_code: zip, state, location_range: miles } = filters;
  if (!zip && !(city && state)) return null;
  const around = zip ?? city;
  const q = `within ${Number(miles)} miles of ${zip ?? `${city}, ${state}`}`;
  const { body } = await ask(SEARCH, { q, size: 1 }, { signal });
  const { latitude, longitude, location_range: read } = body.intentDetails.llm_response?.arguments ?? {};
  if (![latitude, longitude].every(Number.isFinite) || read !== Number(miles)) return null;
  return address(filters, { latitude: latitude.toFixed(4), longitude: longitude.toFixed(4), around, city: undefined, zip_code: undefined });
}
