// What a page does with the picker of picker.html: the change of the hidden field `ein` names what was chosen.
const form = document.querySelector("form");
const output = document.querySelector("output");

form.addEventListener("change", ({ target, detail }) => {
  if (target.name !== "ein") return;
  output.textContent = detail.ein ? `${detail.name} has the EIN ${detail.ein}.` : "";
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  output.textContent = `Sent: ${new URLSearchParams(new FormData(form))}`;
});
