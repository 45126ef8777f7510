// The box that a message of the chat is typed in: grows with the text, counts what is left of the
// length that the server takes. Knows nothing of the conversation.
import { h } from "./dom.js";

export const LETTERS_MAX = 256;
/** From here on the box says how much is left. */
const LETTERS_NEAR = 200;

/** The box to type in. Enter sends; what is too long is not sent, and said to be. */
export function composer(send) {
  const note = h("p", { class: "composer-note small", id: "chat-note", role: "status" });
  const box = h("textarea", {
    id: "chat-box", rows: "1", "aria-describedby": "chat-note", autocomplete: "off",
    placeholder: "Ask about nonprofits", enterkeyhint: "send", oninput: measure, onkeydown: enter,
  });
  const button = h("button", { class: "button primary" }, "Send");
  const form = h("form", { class: "composer", onsubmit: submit },
    h("label", { for: "chat-box", class: "visually-hidden" }, "Message"),
    h("div", { class: "composer-row" }, box, button), note);
  let waiting = false;
  const left = () => LETTERS_MAX - [...box.value.trim()].length;

  function measure() {
    const letters = left();
    const near = LETTERS_MAX - letters >= LETTERS_NEAR;
    box.setAttribute("aria-invalid", String(letters < 0));
    note.classList.toggle("error", letters < 0);
    note.textContent = !near ? "" : letters < 0 ? `${-letters} characters too long` : `${letters} characters left`;
  }
  function enter(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit(event);
  }
  function submit(event) {
    event.preventDefault();
    const message = box.value.trim();
    if (!message || waiting || left() < 0) return box.focus();
    box.value = "";
    measure();
    send(message);
  }
  // The button stays reachable while an answer is awaited, so that the focus is not lost.
  const settle = (now) => {
    waiting = now;
    button.setAttribute("aria-disabled", String(now));
  };
  return { form, box, settle };
}
