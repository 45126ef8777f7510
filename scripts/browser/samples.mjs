// What of the served data the steps look at: nonprofits that have what a view shows, found through
// the API, so that the test holds for any data that has returns, metrics, stories and posts.

/** As the search box asks. */
const TYPED_MAX = 100;
const SUGGESTED = 8;

/** Asks the server as the page does; throws for anything but 200. */
export async function ask(origin, key, path) {
  const answer = await fetch(origin + path, { headers: { "X-API-Key": key } });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** EINs of the items, those with most of them first. */
function busiest(items, field) {
  const counts = new Map();
  for (const item of items) counts.set(item[field], (counts.get(item[field]) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([ein]) => ein);
}

/** A suggestion with another name than the one shown, and what is `typed` to see it. */
async function twiceNamed(get, nonprofits) {
  for (const { name } of nonprofits) {
    const typed = name.toLowerCase().slice(0, TYPED_MAX);
    const { results } = await get(`/typeahead/nonprofits?${new URLSearchParams({ q: typed, scope: "all", limit: SUGGESTED })}`);
    const found = results.find((one) => one.alt_name && one.alt_name.toLowerCase() !== one.name.toLowerCase());
    if (found) return { ...found, typed };
  }
  throw new Error("no nonprofit of the data has another name");
}

/**
 * @returns {Promise<object>} `full`: details, returns, metrics and posts of one nonprofit that has
 *   several of each; `told`: the EIN of one with stories; `plain`: one that has none of all this;
 *   `grantor`: one that made grants, with them; `named`: a name to type, with its place; `twice`: a suggestion with another name
 */
export async function samples(origin, key) {
  const get = (path) => ask(origin, key, path);
  const posts = (await get("/feed/posts?size=100")).items;
  const metrics = (await get("/impact/metrics?size=100")).items;
  const stories = (await get("/impact/stories?size=100")).items;
  const posting = busiest(posts, "organization_ein");
  const found = {};
  for (const ein of busiest(metrics, "ein").filter((one) => posting.includes(one))) {
    const returns = (await get(`/nonprofits/filings/${ein}?size=100`)).items;
    if (returns.length < 2 || !returns[0].officers.length || !returns[0].programs.length) continue;
    found.full = {
      ein, returns, name: (await get(`/nonprofits/details/${ein}`)).name,
      metrics: (await get(`/impact/metrics/${ein}`)).total, posts: posts.filter((one) => one.organization_ein === ein),
    };
    break;
  }
  if (!found.full) throw new Error("no nonprofit of the data has returns, metrics and posts");
  [found.told] = busiest(stories, "ein");
  const storied = new Set([...stories, ...metrics].map((one) => one.ein));
  const { nonprofits } = await get("/beta/nonprofits/search?size=100");
  found.plain = nonprofits.map((one) => one.ein).find((ein) => !storied.has(ein) && !posting.includes(ein));
  found.named = nonprofits.find((one) => one.city && one.state && /^[a-z]{5,} [a-z]{5,} /i.test(one.name));
  found.twice = await twiceNamed(get, nonprofits);
  for (const { grantor_ein: ein, grantor_name: name } of (await get("/grants/search?size=100")).items) {
    const made = await get(`/nonprofits/grants/${ein}?size=100`);
    if (!made.items.some((one) => one.recipient_match === "filed") || !made.items[0].purpose) continue;
    found.grantor = { ein, name, made };
    break;
  }
  return found;
}
