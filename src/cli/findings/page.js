// Collects what the operator decided on the findings of the page, as lines of curated records.
"use strict";

const forms = [...document.forms];
// Lines of a loaded file that are about nothing on this page: they stay in the next file.
let others = [];

const readers = {
  text: (value) => value.trim() || null,
  number: (value) => (value.trim() ? Number(value) : null),
  list: (value) => value.split("\n").map((line) => line.trim()).filter(Boolean),
};

const identifierOf = (line) => (line.kind === "withdrawal" ? line.id : line.story_id ?? line.metric_id);

const recordOf = (form) => {
  const record = JSON.parse(form.dataset.record);
  for (const field of form.querySelectorAll("textarea")) record[field.name] = readers[field.dataset.form](field.value);
  return record;
};

const lineOf = (form) => (form.elements.decision.value === "drop" ? JSON.parse(form.dataset.withdrawal) : recordOf(form));

const decided = () => forms.filter((form) => form.elements.decision.value !== "keep");

const show = (form) => {
  form.dataset.decision = form.elements.decision.value;
  form.querySelector(".record").textContent = JSON.stringify(recordOf(form));
  const count = decided().length + others.length;
  document.getElementById("count").textContent = `${count} decision${count === 1 ? "" : "s"}`;
};

// Whether a line that mends would be refused; the browser shows where.
const isRefused = (form) => {
  const fields = [...form.querySelectorAll("[data-form=number]")];
  for (const field of fields) field.setCustomValidity(Number.isFinite(Number(field.value)) ? "" : "Expected a number.");
  return form.elements.decision.value === "mend" && !form.reportValidity();
};

for (const form of forms) {
  form.addEventListener("input", (event) => {
    if (event.target.name !== "decision") form.elements.decision.value = "mend";
    show(form);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
}

document.getElementById("save").addEventListener("click", () => {
  if (decided().some(isRefused)) return;
  const lines = [...others, ...decided().map(lineOf)].map((line) => `${JSON.stringify(line)}\n`);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(lines, { type: "application/x-ndjson" }));
  link.download = "decisions.ndjson";
  link.click();
});

const load = (lines) => {
  const byIdentifier = new Map(forms.map((form) => [identifierOf(JSON.parse(form.dataset.record)), form]));
  others = [];
  for (const line of lines) {
    const form = byIdentifier.get(identifierOf(line));
    if (!form) {
      others.push(line);
      continue;
    }
    form.elements.decision.value = line.kind === "withdrawal" ? "drop" : "mend";
    for (const field of form.querySelectorAll("textarea")) {
      if (field.name in line) field.value = [line[field.name] ?? ""].flat().join("\n");
    }
  }
  forms.forEach(show);
};

document.getElementById("load").addEventListener("change", async (event) => {
  const text = await event.target.files[0]?.text();
  try {
    if (text !== undefined) load(text.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line)));
  } catch {
    document.getElementById("count").textContent = "Expected a file with a JSON object on each line.";
  }
});
