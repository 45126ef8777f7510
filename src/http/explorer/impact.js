// Stories and figures of what nonprofits accomplished, one by one and as lists that grow in place.
// Used by the profile (of one nonprofit) and by the feed (of all).
import { ask } from "./api.js";
import { line, named, profileOf } from "./card.js";
import { h } from "./dom.js";
import { count, figure, website } from "./format.js";
import { out } from "./posts.js";
import { problem } from "./states.js";

/** How many of a list that grows are shown after each press of its button; then as many more with each. */
const STEPS = [50, 100];

const FACTORS = { thousand: 1e3, million: 1e6, billion: 1e9, trillion: 1e12 };
const FIGURE = /\$?\d[\d,]*(?:\.\d+)?(?:\s+(thousand|million|billion|trillion)\b)?%?/gi;

/**
 * Where the figure stands in the sentence: `[start, end]`, or null. A number of equal value counts
 * first, the one within the metric's own words before others; else those words as a whole.
 */
export function figureIn(sentence, { metric_value: value, metric_text: words }) {
  const text = sentence.toLowerCase();
  const within = words ? text.indexOf(words.toLowerCase()) : -1;
  const found = [];
  for (const match of sentence.matchAll(FIGURE)) {
    const [whole, factor] = match;
    const number = Number(whole.replace(/[^\d.]/g, "")) * (factor ? FACTORS[factor.toLowerCase()] : 1);
    // Figures are kept as doubles: 4.4 million is not exactly 4.4 times a million.
    if (Math.abs(number - value) <= Math.abs(value) * 1e-9) found.push([match.index, match.index + whole.length]);
  }
  const nearest = found.find(([start]) => within >= 0 && start >= within && start < within + words.length);
  return nearest ?? found[0] ?? (within >= 0 ? [within, within + words.length] : null);
}

function sentenceOf(metric) {
  const sentence = metric.source_snippet || metric.metric_text || "";
  const at = figureIn(sentence, metric);
  if (!at) return sentence;
  return [sentence.slice(0, at[0]), h("mark", {}, sentence.slice(...at)), sentence.slice(at[1])];
}

/** `who`: show whose it is; the metric tells the EIN alone. */
export function metricItem(metric, { who = false, signal } = {}) {
  const source = website(metric.url);
  return h("li", { class: "metric" },
    h("div", { class: "metric-figure" },
      h("b", {}, figure(metric.metric_value)),
      h("span", {}, metric.unit || metric.metric_type)),
    h("div", {},
      h("p", { class: "metric-sentence" }, sentenceOf(metric)),
      h("p", { class: "muted small" }, line([
        who && named(metric.ein, signal),
        metric.time_aggregation_text,
        metric.geo_impact,
        metric.report_year && !String(metric.time_aggregation_text ?? "").includes(metric.report_year) && `reported for ${metric.report_year}`,
        source && h("a", { href: source, rel: "noopener noreferrer" }, sourceName(source), h("span", { class: "visually-hidden" }, ` that says “${metric.metric_text}”`)),
      ]))));
}

/** Returns lie as XML in the IRS's published collection; anything else is a report of its own. */
const sourceName = (url) => (/_public\.xml$/.test(url) ? "the return" : "the report");

/** A story, with its heart open and the rest to unfold. */
export function storyItem(story, { heading = "h3", who = false } = {}) {
  const states = [["Before", story.before_state], ["After", story.after_state]].filter(([, text]) => text);
  const rest = [
    ["What changed it", story.transformation_moment], ["How long it took", story.time_to_impact],
    ["Obstacles", story.obstacles_overcome?.join("; ")], ["What came of it", story.ripple_effect],
    ["What it asks for", story.call_to_action],
  ].filter(([, text]) => text);
  const facts = (pairs) => pairs.map(([name, text]) => h("div", {}, h("dt", {}, name), h("dd", {}, text)));
  return h("li", { class: "item story" },
    h("div", { class: "spread" },
      h(heading, { class: "item-title" }, story.story_title || story.emotional_hook),
      story.story_category && h("span", { class: "badge" }, story.story_category)),
    h("p", { class: "muted small" }, line([
      who && h("a", { href: profileOf(story.ein) }, story.organization_name),
      story.protagonist, story.report_year && String(story.report_year),
      Number.isFinite(story.power_score) && `power ${count(story.power_score)} of 10`,
      out(story.source_url, "the report"),
    ])),
    story.story_title && story.emotional_hook && h("p", {}, story.emotional_hook),
    story.full_quote && h("figure", { class: "quote" },
      h("blockquote", {}, story.full_quote),
      story.quote_attribution && h("figcaption", { class: "muted small" }, story.quote_attribution)),
    states.length > 0 && h("dl", { class: "states" }, facts(states)),
    story.metrics?.length > 0 && h("ul", { class: "plain tags", "aria-label": "Figures of this story" },
      story.metrics.map((one) => h("li", {}, line([one.metric_text, one.geo_impact])))),
    rest.length > 0 && h("details", { class: "more" },
      h("summary", {}, "The rest of the story", h("span", { class: "visually-hidden" }, `: ${story.story_title}`)),
      h("dl", { class: "states" }, facts(rest))));
}

/**
 * A list of a paged endpoint that grows by a button at its end.
 * @param {string} path
 * @param {object} parameters `size` among them
 * @param {(item: object) => HTMLElement} itemOf
 * @param {{signal?: AbortSignal, className?: string}} options
 * @returns {Promise<{list: HTMLElement, total: number}|null>} null when there is nothing
 */
export async function growing(path, parameters, itemOf, { signal, className = "items" } = {}) {
  const { body } = await ask(path, parameters, { signal });
  if (body.total === 0) return null;
  const list = h("ul", { class: `plain ${className}` }, body.items.map(itemOf));
  const foot = h("div", { class: "grow" });
  let shown = body.items.length;
  const left = () => body.total - shown;
  /** Pages become larger with what is shown: a page that begins before its end gives the rows beyond it. */
  const step = () => STEPS.find((size) => size > shown) ?? STEPS.at(-1);
  const further = () => Math.min(left(), step() - (shown % step()));
  const button = h("button", { type: "button", class: "button small", onclick: more });
  const label = () => { button.textContent = left() > further() ? `Show ${count(further())} more of ${count(left())}` : `Show ${count(left())} more`; };
  async function more() {
    button.disabled = true;
    try {
      const size = step();
      const next = await ask(path, { ...parameters, size, page: Math.floor(shown / size) + 1 }, { signal });
      const items = next.body.items.slice(shown % size).map(itemOf);
      shown += items.length;
      list.append(...items);
      // The button moves down, so the focus goes on where the new ones begin.
      if (items[0]) {
        items[0].tabIndex = -1;
        items[0].focus({ preventScroll: true });
      }
      label();
      foot.replaceChildren(...(left() > 0 && items.length > 0 ? [button] : []));
    } catch (error) {
      if (!signal?.aborted) foot.replaceChildren(problem(error, () => { foot.replaceChildren(button); more(); }));
    } finally {
      button.disabled = false;
    }
  }
  label();
  if (left() > 0) foot.append(button);
  return { list: h("div", {}, list, foot), total: body.total };
}
