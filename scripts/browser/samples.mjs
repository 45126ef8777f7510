// What of the served data the steps look at: nonprofits that have what a view shows, found through
// the API, so that the test holds for any data that has returns, metrics, stories and posts.

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

/**
 * @returns {Promise<object>} `full`: details, returns, metrics and posts of one nonprofit that has
 *   several of each; `told`: the EIN of one with stories; `plain`: one that has none of all this;
 *   `named`: a name to type, with its place
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
  return found;
}
