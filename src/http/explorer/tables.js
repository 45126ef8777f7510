// Tables of the data folder that the server hands out with the page: titles of NTEE codes, registries of
// charities by state. Each is loaded when it is first asked for; without it the page says less.

const loaded = new Map();

/** The rows of a table, each a list of its columns; none where it cannot be had. */
function rowsOf(name) {
  if (!loaded.has(name)) {
    const rows = fetch(new URL(`./${name}`, import.meta.url)).then((answer) => (answer.ok ? answer.text() : ""))
      .then((text) => text.split("\n").filter((line) => line && !line.startsWith("#")).map((line) => line.split("\t")));
    loaded.set(name, rows.catch(() => {
      loaded.delete(name);
      return [];
    }));
  }
  return loaded.get(name);
}

/** @returns {Promise<Map<string, string>>} "L41" → "Temporary Housing" */
export const nteeTitles = async () => new Map(await rowsOf("ntee.tsv"));

/** @returns {Promise<{office: string, address: string}|null>} where a state registers charities, as far as it does */
export async function registryOf(state) {
  const row = (await rowsOf("charity_registries.tsv")).find(([code]) => code === state);
  return row ? { office: row[1], address: row[2] } : null;
}
