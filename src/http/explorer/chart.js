// The finances of one nonprofit over the years, as inline SVG: revenue and expenses as pairs of
// bars, net assets as a line below on the same years, and the same figures as a table. Not a
// library of charts. What is not known is left blank, never drawn as zero; a year without a return
// keeps its place, so that the distance between two bars is always a year.
import { h, nodes, s } from "./dom.js";
import { dollars, month, short } from "./format.js";

const SERIES = [
  { field: "revenue", label: "Revenue", mark: "bar" },
  { field: "expenses", label: "Expenses", mark: "hatched" },
  { field: "net_assets", label: "Net assets", mark: "line" },
];
const MARGIN = { left: 58, right: 6, top: 26, years: 22 };
const BARS_HEIGHT = 170;
const LINE_HEIGHT = 84;
const LABEL_WIDTH = 44;
/** Beyond this, empty years are not drawn: a return of 1995 would press the rest together. */
const GAP_MAX = 12;
let drawn = 0;

const known = (value) => typeof value === "number" && Number.isFinite(value);

/**
 * One place on the axis for each year from the first return to the last: `{label, filing}`, oldest
 * first, `filing` null where there is none. Two returns of one year (a short period) get two places.
 */
export function placesOf(filings) {
  const ordered = [...filings].sort((a, b) => (a.period_end < b.period_end ? -1 : 1));
  const yearOf = (filing) => Number(filing.period_end.slice(0, 4));
  const places = [];
  let last = null;
  for (const filing of ordered) {
    const year = yearOf(filing);
    if (last !== null && year - last <= GAP_MAX) {
      for (let empty = last + 1; empty < year; empty += 1) places.push({ label: String(empty), filing: null });
    }
    places.push({ label: String(year), filing });
    last = year;
  }
  return places;
}

/** Round steps over all values and zero: `{low, high, ticks}` in dollars. */
export function scaleOf(values, steps) {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  if (low === high) return { low: 0, high: 1, ticks: [0] };
  const raw = (high - low) / steps;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = Math.max(1, power * [1, 2, 2.5, 5, 10].find((factor) => factor * power >= raw * 0.999));
  const ticks = [];
  for (let at = Math.floor(low / step); at <= Math.ceil(high / step); at += 1) ticks.push(at * step);
  return { low: ticks[0], high: ticks.at(-1), ticks };
}

const valuesOf = (places, fields) =>
  places.flatMap(({ filing }) => (filing ? fields.map((field) => filing[field]).filter(known) : []));

/** `filings` as `/nonprofits/filings` tells them → a figure, or null if none of them tells an amount. */
export function finances(filings) {
  const places = placesOf(filings);
  const series = SERIES.filter(({ field }) => valuesOf(places, [field]).length > 0);
  if (series.length === 0) return null;
  drawn += 1;
  const hatch = `hatch-${drawn}`;
  const reading = h("p", { class: "chart-reading" });
  const plot = h("div", { class: "chart-plot" });
  const latest = places.findLastIndex(({ filing }) => filing && series.some(({ field }) => known(filing[field])));
  const read = (index) => reading.replaceChildren(...nodes(readingOf(places[index], series, hatch)));
  const redraw = (width) => plot.replaceChildren(drawing(places, series, { width, hatch, latest, read }));
  new ResizeObserver(([entry]) => {
    const width = Math.round(entry.contentRect.width);
    if (width > 0 && width !== Number(plot.dataset.width)) {
      plot.dataset.width = width;
      redraw(width);
    }
  }).observe(plot);
  read(latest);
  return h("figure", { class: "chart" }, reading, plot, tableOf(places, series));
}

/** The year under the pointer in figures; it is the key to the marks as well. */
function readingOf({ label, filing }, series, hatch) {
  const items = series.map((one) => {
    const value = filing?.[one.field];
    return h("span", { class: "chart-key" }, swatch(one.mark, hatch), `${one.label} `,
      h("b", {}, known(value) ? short(value) : filing ? "not known" : "–"));
  });
  return [h("span", { class: "chart-year" }, label, !filing && h("small", {}, " no return here")), items];
}

function swatch(mark, hatch) {
  const size = { width: 14, height: 14, viewBox: "0 0 14 14", "aria-hidden": "true" };
  if (mark !== "line") return s("svg", size, bar({ x: 1, y: 1, width: 12, height: 12 }, mark, hatch));
  return s("svg", size,
    s("path", { class: "chart-line", d: "M0 7H14" }), s("circle", { class: "chart-dot", cx: 7, cy: 7, r: 3 }));
}

function bar(box, mark, hatch) {
  return s("rect", { ...box, class: `chart-${mark}`, fill: mark === "hatched" ? `url(#${hatch})` : null });
}

function drawing(places, series, { width, hatch, latest, read }) {
  const inner = Math.max(width - MARGIN.left - MARGIN.right, 40);
  const frame = { places, width, hatch, slot: Math.min(inner / places.length, 110) };
  const bars = series.filter(({ mark }) => mark !== "line");
  const lines = series.filter(({ mark }) => mark === "line");
  const barsBottom = bars.length ? MARGIN.top + BARS_HEIGHT : 0;
  const yearsBottom = barsBottom + (bars.length ? MARGIN.years : 0);
  const height = yearsBottom + (lines.length ? MARGIN.top + LINE_HEIGHT + (bars.length ? 14 : MARGIN.years) : 0);
  const band = s("rect", { class: "chart-band", y: 0, height, width: frame.slot });
  const point = (index) => {
    band.setAttribute("x", MARGIN.left + index * frame.slot);
    read(index);
  };
  const svg = s("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": saying(places, series) },
    s("defs", {}, s("pattern", { id: hatch, width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      s("rect", { class: "chart-hatch-ground", width: 5, height: 5 }),
      s("rect", { class: "chart-hatch", width: 2, height: 5 }))),
    band,
    bars.length > 0 && [barPanel(frame, bars), yearLabels(frame, barsBottom)],
    lines.length > 0 && [linePanel(frame, lines[0], yearsBottom + MARGIN.top),
      bars.length === 0 && yearLabels(frame, height - MARGIN.years)]);
  point(latest);
  const pointAt = (event) => {
    const index = Math.floor((event.clientX - svg.getBoundingClientRect().left - MARGIN.left) / frame.slot);
    if (index >= 0 && index < places.length) point(index);
  };
  svg.addEventListener("pointermove", pointAt);
  svg.addEventListener("pointerdown", pointAt);
  svg.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") point(latest); });
  return svg;
}

/** What a panel shows, above it. */
const heading = (series, top) => s("text", { class: "chart-tick", x: MARGIN.left, y: top - 12 },
  series.map(({ label }, at) => (at ? label.toLowerCase() : label)).join(" and "));

/** Position of an amount in a panel of `height` that begins at `top`. */
const placing = ({ low, high }, top, height) => (value) => top + height * (1 - (value - low) / (high - low));

function grid(scale, at, width) {
  return scale.ticks.map((tick) => [
    s("line", { class: tick === 0 ? "chart-zero" : "chart-grid", x1: MARGIN.left, x2: width - MARGIN.right, y1: at(tick), y2: at(tick) }),
    s("text", { class: "chart-tick", x: MARGIN.left - 8, y: at(tick) + 4, "text-anchor": "end" }, short(tick)),
  ]);
}

function barPanel({ places, width, slot, hatch }, series) {
  const scale = scaleOf(valuesOf(places, series.map(({ field }) => field)), 4);
  const at = placing(scale, MARGIN.top, BARS_HEIGHT);
  const barWidth = Math.max(2, Math.min(26, (slot * 0.7) / series.length));
  const marks = places.flatMap(({ filing }, index) => series.map(({ field, mark }, order) => {
    const value = filing?.[field];
    if (!known(value)) return null;
    const x = MARGIN.left + slot * (index + 0.5) + barWidth * (order - series.length / 2);
    // A known zero is a hair on the line, so that it does not look like a figure not known.
    const height = Math.max(Math.abs(at(value) - at(0)), 1.5);
    return bar({ x, width: Math.max(barWidth - 1, 1), y: value < 0 ? at(0) : at(0) - height, height }, mark, hatch);
  }));
  return s("g", {}, heading(series, MARGIN.top), grid(scale, at, width), marks);
}

function linePanel({ places, width, slot }, line, top) {
  const { field } = line;
  const scale = scaleOf(valuesOf(places, [field]), 2);
  const at = placing(scale, top, LINE_HEIGHT);
  const points = places.map(({ filing }, index) =>
    (known(filing?.[field]) ? { x: MARGIN.left + slot * (index + 0.5), y: at(filing[field]) } : null));
  const path = points.map((point, index) =>
    (point ? `${index > 0 && points[index - 1] ? "L" : "M"}${point.x.toFixed(1)} ${point.y.toFixed(1)}` : "")).join("");
  return s("g", {}, heading([line], top), grid(scale, at, width),
    s("path", { class: "chart-line", d: path }),
    points.filter(Boolean).map(({ x, y }) => s("circle", { class: "chart-dot", cx: x, cy: y, r: 3 })));
}

/** Every year if there is room, else each second, third, … counted from the latest. */
function yearLabels({ places, slot, width }, top) {
  const each = Math.ceil(LABEL_WIDTH / slot);
  const place = (index) => Math.min(MARGIN.left + slot * (index + 0.5), width - LABEL_WIDTH / 3);
  return places.map(({ label }, index) => ((places.length - 1 - index) % each === 0
    ? s("text", { class: "chart-tick", x: place(index), y: top + 16, "text-anchor": "middle" }, label)
    : null));
}

/** The whole chart in a sentence, for those who hear it; the table has every figure. */
function saying(places, series) {
  const years = places.length === 1 ? places[0].label : `${places[0].label} to ${places.at(-1).label}`;
  const parts = series.map(({ field, label }) => {
    const told = places.filter(({ filing }) => known(filing?.[field]));
    const [first, last] = [told[0], told.at(-1)];
    const end = `${dollars(last.filing[field])} in ${last.label}`;
    return told.length === 1 ? `${label} ${end}` : `${label} from ${dollars(first.filing[field])} in ${first.label} to ${end}`;
  });
  return `Finances ${years}. ${parts.join(". ")}. The table below has every figure.`;
}

function tableOf(places, series) {
  const cell = (value) => h("td", { class: "num" }, known(value) ? dollars(value) : h("span", { class: "unknown" }, "not known"));
  const rows = places.filter(({ filing }) => filing).reverse().map(({ filing }) =>
    h("tr", {}, h("th", { scope: "row" }, month(filing.period_end)), series.map(({ field }) => cell(filing[field]))));
  return h("details", { class: "chart-table" },
    h("summary", {}, "Figures as a table"),
    h("div", { class: "scroll-x", tabindex: "0", role: "group", "aria-label": "Finances by year" },
      h("table", { class: "data" },
        h("caption", { class: "visually-hidden" }, "Finances by the end of the year that each return is about"),
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Year to"),
          series.map(({ label }) => h("th", { scope: "col", class: "num" }, label)))),
        h("tbody", {}, rows))));
}
