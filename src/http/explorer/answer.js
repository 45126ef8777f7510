// What the server says to one message of a conversation, as elements: the sentence and whatever
// comes with it. Keeps nothing and asks nothing; `say(message)` sends a next message.
import { cards, line } from "./card.js";
import { h, nodes } from "./dom.js";
import { dashed, day, place } from "./format.js";
import { tellGifts } from "./gifts.js";
import { withLinks } from "./links.js";
import { host, out, paragraphs } from "./posts.js";

/**
 * @param {object} body an answer of `/chat`
 * @param {(message: string) => void} say
 * @param {boolean} last whether to offer next messages
 */
export function answer(body, say, last, hasFunds) {
  return [
    h("div", { class: "said" }, paragraphs(body.message).map(linked)),
    body.nonprofits?.length > 0 && cards(body.nonprofits, tellGifts),
    body.article && articleText(body.article),
    body.articles?.length > 0 && h("ul", { class: "plain cards" }, body.articles.map((one) => article(one, say))),
    body.funds?.length > 0 && h("ul", { class: "plain cards" }, body.funds.map(fund)),
    body.kbSources?.length > 0 && sources(body.kbSources),
    last && body.suggestions?.length > 0 && nextMessages(body.suggestions, say, hasFunds),
  ];
}

/** An address in a sentence: of another site, or of this server's API, whose answer the page shows as a view. */
const ADDRESS = /https?:\/\/[^\s<>"“”()]*[^\s<>"“”().,;:?!]|\/nonprofits\/(?:reliance|details|standing)\/\d{9}/g;
const VIEWS = { reliance: "reliance", details: "nonprofit", standing: "nonprofit" };

/** A paragraph whose addresses are links. */
function linked(paragraph) {
  const text = paragraph.textContent;
  let end = 0;
  const parts = [];
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    const [, , view, ein] = address.startsWith("/") ? address.split("/") : [];
    parts.push(withLinks(text.slice(end, index)), view ? h("a", { href: `#/${VIEWS[view]}/${ein}` }, view === "reliance" ? "its reliance report" : "its profile") : out(address, address) ?? address);
    end = index + address.length;
  }
  paragraph.replaceChildren(...nodes([parts, withLinks(text.slice(end))]));
  return paragraph;
}

/** Chips that send a message; of two with one label the EIN is told too. Without a list of funds none is offered. */
export function nextMessages(all, say, hasFunds = false) {
  const offered = hasFunds ? all : all.filter(({ message }) => !/\bfunds\b/i.test(message));
  const labelOf = ({ label, message }) => {
    const [, ein] = /\bEIN (\d{9})\b/.exec(message) ?? [];
    return ein && offered.filter((one) => one.label === label).length > 1 ? `${label} (${dashed(ein)})` : label;
  };
  const list = offered.map((one) => ({ ...one, label: labelOf(one) }));
  return list.length > 0 && h("ul", { class: "plain chips next-messages", "aria-label": "Messages to send next" }, list.map(({ label, message }) =>
    h("li", {}, h("button", { type: "button", class: "chip", title: message === label ? null : message, onclick: () => say(message) }, label))));
}

function article({ id, title, excerpt, url, publisher, date_added: added }, say) {
  return h("li", {},
    h("div", { class: "card-name" }, out(url, title) ?? title),
    h("div", { class: "muted small" }, line([publisher, added && day(added), url && host(url)])),
    excerpt && h("div", { class: "small card-summary" }, excerpt),
    id !== null && h("button", { type: "button", class: "link small", onclick: () => say(`show me article ${id}`) }, "Read it here", h("span", { class: "visually-hidden" }, `: ${title}`)));
}

function articleText({ title, url, text }) {
  return h("article", { class: "card article" },
    h("h2", {}, title), paragraphs(text), out(url) && h("p", { class: "small" }, "From ", out(url)));
}

function fund({ title, purpose, sponsor, content, fund_url: url, website, fund_minimum_investment: minimum, type, address, category }) {
  const least = minimum && (/^none$/i.test(minimum) ? "no minimum" : `from ${minimum}`);
  return h("li", {},
    h("div", { class: "card-name" }, out(url ?? website, title) ?? title),
    h("div", { class: "muted small" }, line([sponsor, type, category?.name, least, place(address)])),
    (purpose || content) && h("div", { class: "small card-summary" }, purpose || content));
}

function sources(list) {
  return h("p", { class: "muted small" }, "From the knowledge base: ",
    list.map(({ title, url }, at) => [at > 0 && "; ", url ? [`${title} (`, out(url) ?? host(url), ")"] : title]));
}
