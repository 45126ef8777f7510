// A report on one nonprofit for grantors and contributors to rely on, to be printed: `#/reliance/<ein>`.
import { ask, call } from "./api.js";
import { h, nodes } from "./dom.js";
import { dashed, day } from "./format.js";
import { loading } from "./states.js";

const einOf = (path) => (path.split("/")[2] ?? "").replace(/\D/g, "");

export const title = (path) => `Report on ${dashed(einOf(path))}`;

export async function show(root, { path, signal, retitle }) {
  const ein = einOf(path);
  root.replaceChildren(h("h1", {}, `Report on ${dashed(ein)}`), loading("Loading the report…", 6));
  let report;
  try {
    ({ body: report } = await ask(`/nonprofits/reliance/${ein}`, {}, { signal }));
  } catch (error) {
    if (error.status !== 404 && error.status !== 422) throw error;
    root.replaceChildren(h("h1", {}, "Nonprofit not found"),
      h("p", {}, "No nonprofit of this snapshot has this EIN. ", h("a", { href: "#/" }, "Search by name"), " instead."));
    return;
  }
  retitle?.(`Report on ${report.legal_name}`);
  const { classification } = report;
  const facts = [
    ["Name", report.legal_name],
    ["EIN", dashed(report.ein)],
    ["Exempt under section", report.exemption ?? "not known"],
    ["Classification", classification
      ? [classification.section && `section ${classification.section}`, classification.description, classification.supporting]
        .filter(Boolean).join(", ") : "not known"],
    ["Contributions are deductible", report.deductible],
    ["Exemption revoked", report.revoked],
    ["Publication 78", report.publication_78.join(", ") || "no codes"],
    ["Provided at", report.provided_at.replace("T", " ").replace("Z", " UTC")],
    ["Snapshot", report.snapshot],
  ];
  root.replaceChildren(...nodes([
    h("h1", {}, report.legal_name),
    h("p", {}, `A report on the lines of ${report.citation}.`),
    h("dl", { class: "report-facts" }, facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    h("p", {}, report.statement),
    report.caveats.length > 0 && h("div", { class: "report-caveats", role: "note" },
      h("h2", {}, "What to mind"), h("ul", {}, report.caveats.map((text) => h("li", {}, text)))),
    h("h2", {}, "Lists"),
    h("ul", {}, report.lists.map(({ question, state, list, sha256 }) => h("li", {},
      `${question}: ${state}`, list && `, by ${list.title}, file ${list.file}, dated ${day(list.date)} (${list.dated_by})`,
      sha256 && h("div", { class: "muted small mono" }, `SHA-256 ${sha256}`)))),
    h("p", { class: "no-print" },
      h("button", { type: "button", class: "button", onClick: () => print() }, "Print"), " ",
      h("a", { href: `#/nonprofit/${ein}` }, "The nonprofit's page")),
    call([[`/nonprofits/reliance/${ein}`]])]));
}
