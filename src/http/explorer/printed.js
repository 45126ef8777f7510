// What a printed page says of itself: when and where it was printed, and the lists that its figures are from.
import { h } from "./dom.js";
import { day } from "./format.js";
import { asOf, holdings } from "./holdings.js";

/** The line, on paper alone; `said` comes before it. The lists are named when they are known. */
export function printed(said = "") {
  const line = h("p", { class: "print-only printed small" }, [said, `Printed ${day(new Date().toISOString())} from ${location.host}.`].filter(Boolean).join(" "));
  holdings().then(({ lists }) => {
    const sources = lists.filter(({ loaded, rows }) => loaded && rows > 0).map(({ title, files }) => [title, asOf(files)].filter(Boolean).join(", "));
    if (sources.length) line.append(` Source: ${sources.join("; ")}.`);
  }, () => {});
  return line;
}
