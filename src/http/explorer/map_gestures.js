// The gestures on the map: dragging, pinching, a double click and the wheel with Ctrl; the wheel alone scrolls the page.

/** A hand is never quite still: what moves less is a click. */
const STILL_PX = 4;

/**
 * Listens on the drawing.
 * @param {SVGElement} svg
 * @param {{zoom: (factor: number|null, at: number[]) => void, drag: (right: number, down: number) => void, tap: (target: Element) => void}} acts
 *   `zoom`: `factor` null is a step nearer; `at`: a pixel of the drawing
 */
export function gestures(svg, { zoom, drag, tap }) {
  const pointers = new Map();
  let moved = false;
  const at = ({ clientX, clientY }) => {
    const { left, top } = svg.getBoundingClientRect();
    return [clientX - left, clientY - top];
  };
  const end = ({ pointerId, type, target }) => {
    pointers.delete(pointerId);
    if (type === "pointerup" && !moved) tap(target);
  };
  const move = ({ pointerId }, [x, y]) => {
    const [fromX, fromY] = pointers.get(pointerId);
    if (!moved && Math.hypot(x - fromX, y - fromY) < STILL_PX) return;
    if (!moved) svg.setPointerCapture(pointerId);
    moved = true;
    const [other] = [...pointers].filter(([id]) => id !== pointerId);
    pointers.set(pointerId, [x, y]);
    if (!other) return drag(x - fromX, y - fromY);
    const [, [px, py]] = other;
    const before = Math.hypot(fromX - px, fromY - py);
    return zoom(Math.hypot(x - px, y - py) / Math.max(1, before), [(x + px) / 2, (y + py) / 2]);
  };
  const listen = (name, act, options) => svg.addEventListener(name, act, options);
  listen("pointerdown", (event) => {
    if (event.button) return;
    moved = false;
    pointers.set(event.pointerId, at(event));
  });
  listen("pointermove", (event) => pointers.has(event.pointerId) && move(event, at(event)));
  listen("pointerup", end);
  listen("pointercancel", end);
  listen("pointerleave", end);
  listen("dblclick", (event) => zoom(null, at(event)));
  listen("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 100), at(event));
  }, { passive: false });
}
