// Elements from calls: h for HTML, s for SVG. Knows nothing of the views and keeps no state.
// Style attributes are refused by the page's content security policy: use classes, or
// `element.style.…` from script.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Makes an HTML element.
 * @param {string} name tag name
 * @param {object|null} [attributes] `class`, `dataset` (object), `on<Event>` (function), booleans,
 *   anything else goes through setAttribute; null, undefined and false are left out
 * @param {...*} children nodes, strings, numbers and lists of them to any depth; null, undefined,
 *   true and false are left out
 * @returns {HTMLElement}
 */
export function h(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** Makes an SVG element; as `h` otherwise. */
export function s(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** Nodes of a list of children as `h` takes them. */
export function nodes(children) {
  return [children]
    .flat(Infinity)
    .filter((one) => one !== null && one !== undefined && one !== true && one !== false)
    .map((one) => (one instanceof Node ? one : document.createTextNode(String(one))));
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "dataset") Object.assign(element.dataset, value);
    else if (typeof value === "function") element.addEventListener(name.slice(2).toLowerCase(), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...nodes(children));
  return element;
}
