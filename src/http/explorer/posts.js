// One post of a nonprofit, as in the feed and on its profile. Asks the server for nothing.
import { line, profileOf } from "./card.js";
import { h } from "./dom.js";
import { day, place, website } from "./format.js";

const TEXT_SHOWN = 600;

/** What the values of `classification` are called. */
export const KINDS = {
  article: "Article", video: "Video", event: "Event", podcast: "Podcast",
  job_posting: "Job", volunteer_opportunity: "Volunteering",
};

/** The host of an address, without “www.”; "" if it is none. */
export function host(url) {
  const safe = website(url);
  return safe ? new URL(safe).hostname.replace(/^www\./, "") : "";
}

/** A link out of the page, or null if the address is not safe to follow. */
export function out(url, text) {
  const safe = website(url);
  return safe && h("a", { href: safe, rel: "noopener noreferrer" }, text ?? host(url));
}

/** Text as filed, in paragraphs. */
export const paragraphs = (text) =>
  String(text ?? "").split(/\n\s*\n|\r?\n/).map((part) => part.trim()).filter(Boolean).map((part) => h("p", {}, part));

/** A long text with its end folded away. */
export function folded(text) {
  const whole = String(text ?? "").trim();
  if (whole.length <= TEXT_SHOWN * 1.25) return paragraphs(whole);
  // After a sentence if one ends near, else after a word.
  const head = whole.slice(0, TEXT_SHOWN);
  const sentence = head.search(/[.!?]\s[^.!?]*$/);
  const end = sentence > TEXT_SHOWN / 2 ? sentence + 1 : Math.max(head.lastIndexOf(" "), TEXT_SHOWN / 2);
  return [
    paragraphs(whole.slice(0, end)),
    h("details", { class: "more" }, h("summary", {}, "Read on"), paragraphs(whole.slice(end))),
  ];
}

/** `heading` is "h2" or "h3", as the list it stands in needs; `who` false on the nonprofit's own page. */
export function postItem(post, { heading = "h3", who = true } = {}) {
  const kind = KINDS[post.post_classification];
  const tags = [...new Set([...(post.post_categories ?? []), ...(post.post_tags ?? [])])];
  const published = post.post_published_date;
  return h("li", { class: "item" },
    h("div", { class: "spread" },
      h(heading, { class: "item-title" }, post.post_title),
      kind && h("span", { class: "badge" }, kind)),
    h("p", { class: "muted small" }, line([
      who && h("a", { href: profileOf(post.organization_ein) }, post.organization_name),
      who && place({ city: post.organization_city, state: post.organization_state }),
      published && h("time", { datetime: published }, day(published)),
      post.post_author && `by ${post.post_author}`,
    ])),
    post.post_description && h("p", {}, post.post_description),
    post.post_content && h("details", { class: "more" },
      h("summary", {}, "Read it here", h("span", { class: "visually-hidden" }, `: ${post.post_title}`)),
      paragraphs(post.post_content)),
    h("div", { class: "item-foot" },
      tags.length > 0 && h("ul", { class: "plain tags", "aria-label": "Tags" }, tags.map((tag) => h("li", {}, tag))),
      website(post.post_url) && h("span", {}, "On ", out(post.post_url))));
}
