// The theme: that of the system until the user says otherwise, then as kept in this browser. Sets
// data-theme of <html> and looks after the button #theme; the colours are in style.css.
const STORE = "almoner-theme";
const button = document.getElementById("theme");
const dark = matchMedia("(prefers-color-scheme: dark)");

function stored() {
  try { return localStorage.getItem(STORE); } catch { return null; }
}

function show() {
  const kept = stored();
  if (kept === "dark" || kept === "light") document.documentElement.dataset.theme = kept;
  const shown = document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light");
  const next = shown === "dark" ? "light" : "dark";
  button.textContent = next === "dark" ? "Dark" : "Light";
  button.setAttribute("aria-label", `${button.textContent} theme`);
  button.dataset.next = next;
}

button.addEventListener("click", () => {
  const { next } = button.dataset;
  document.documentElement.dataset.theme = next;
  try { localStorage.setItem(STORE, next); } catch { /* a private window keeps nothing */ }
  show();
});
dark.addEventListener("change", show);
// Another tab of this server.
addEventListener("storage", (event) => { if (event.key === STORE) show(); });
show();
