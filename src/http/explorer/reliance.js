// A report on one nonprofit for grantors and contributors to rely on, to be printed: `#/reliance/<ein>`.
import { ask, call } from "./api.js";
import { classified, pub78 } from "./classification.js";
import { h, nodes } from "./dom.js";
import { dashed, day, month, named, plural, secondLine } from "./format.js";
import { IRS_SEARCH, holdings, whyAbsent } from "./holdings.js";
import { loading } from "./states.js";

const einOf = (path) => (path.split("/")[2] ?? "").replace(/\D/g, "");

export const title = (path) => `Reliance report on ${dashed(einOf(path))}`;

export async function show(root, { path, signal, retitle }) {
  const ein = einOf(path);
  root.replaceChildren(h("h1", {}, `Reliance report on ${dashed(ein)}`), loading("Loading the report…", 6));
  let report;
  try {
    ({ body: report } = await ask(`/nonprofits/reliance/${ein}`, {}, { signal }));
  } catch (error) {
    if (error.status !== 404 && error.status !== 422) throw error;
    root.replaceChildren(h("h1", {}, "Nonprofit not found"),
      h("p", {}, `No nonprofit here has the EIN ${dashed(ein)}. ${await whyAbsent()} `, h("a", { href: "#/" }, "Search by name"), " instead."));
    return;
  }
  retitle?.(`Reliance report on ${named(report.legal_name)}`);
  const held = await holdings().catch(() => null);
  if (signal.aborted) return;
  root.replaceChildren(...nodes([
    h("h1", {}, report.group?.role === "subordinate" && report.alt_name ? `${report.alt_name} (${named(report.legal_name)})` : named(report.legal_name)),
    h("p", { class: "report-brief" }, inBrief(report)),
    h("p", {}, `Reliance report: what the loaded IRS lists say about this organization, for grantors and contributors to keep on file under ${report.citation}.`),
    h("dl", { class: "report-facts" }, factsOf(report, held).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    h("p", {}, report.statement),
    h("p", { class: "no-print" }, "Compare with the ", h("a", { href: IRS_SEARCH, rel: "noopener noreferrer" }, "IRS Tax Exempt Organization Search"), ", which has the current lists."),
    caveats(report, held),
    h("h2", {}, "What was checked"),
    h("ul", {}, report.lists.map(checked)),
    h("dl", { class: "report-signed" }, ["Checked by", "For the grant", "Date"].map((name) => h("div", {}, h("dt", {}, name), h("dd", {})))),
    h("p", { class: "no-print" },
      h("button", { type: "button", class: "button", onclick: () => print() }, "Print"), " ",
      h("a", { href: `#/nonprofit/${ein}` }, "The nonprofit's page")),
    call([[`/nonprofits/reliance/${ein}`]])]));
}

/** What the report comes to, in a few sentences: as of when gifts are deductible, what was not checked, and what is left to do. */
function inBrief({ deductible, deduction_limit: limit, revoked, lists }) {
  const of = lists.find(({ question, listed }) => question === "deductibility" && listed)?.list;
  const by = of ? `According to the ${of.title} ${DATED_IN_BRIEF(of)}, ` : "";
  const gifts = { yes: ["gifts to it are deductible", limit].filter(Boolean).join(" "), no: "gifts to it are not deductible" }[deductible] ?? "no list loaded here says whether gifts to it are deductible";
  const open = lists.filter(({ state }) => state === "not checked").map(({ question }) => OPEN[question] ?? question);
  return [`${by}${gifts}`, revoked === "yes" && "Its exemption was revoked", open.length > 0 && `Not checked: ${open.join(", and ")}`,
    "Before you give, look it up in the IRS Tax Exempt Organization Search"].filter(Boolean).map((one) => `${one[0].toUpperCase()}${one.slice(1)}.`).join(" ");
}

const DATED_IN_BRIEF = ({ date, dated_by: by }) => (by === "download" ? `(downloaded on ${day(date)}, its own date unknown)` : by === "ruling" ? `of ${month(date)}` : `of ${day(date)}`);

const OPEN = { exemption: "whether it is exempt", deductibility: "whether gifts are deductible", revocation: "whether its exemption was revoked" };

/** Whether the master file has it as one that is not exempt. */
const isRefused = ({ lists }) => lists.some(({ question, state, listed }) => question === "exemption" && state === "no" && listed);

/** Whether a list of the IRS that is loaded has it. */
const isListed = ({ lists }, question) => lists.some((one) => one.question === question && one.listed);

function factsOf(report, held) {
  const address = [report.street, report.city, [report.state, report.zip].filter(Boolean).join(" ")].filter(Boolean).join(", ");
  const claimed = report.exemption && !isListed(report, "exemption") ? ", as its own return says; no loaded IRS list has it" : "";
  return [
    ["Name", report.legal_name],
    secondLine({ name: report.legal_name, alt_name: report.alt_name }) && ["Second name line in the IRS’s file", report.alt_name],
    ["EIN", dashed(report.ein)],
    address && ["Address", address],
    report.group && ["Group exemption", groupOf(report.group)],
    ["Exempt under section", isRefused(report) ? `not exempt by the IRS’s master file${report.exemption ? `, which lists it under section ${report.exemption}` : ""}` : report.exemption ? report.exemption + claimed : "not known"],
    ["Classification", classified(report)],
    ["Contributions are deductible", [report.deductible, report.deduction_limit].filter(Boolean).join(", ")],
    ["Exemption revoked", report.revoked],
    ["Publication 78", publication(report, held)],
    ["Report made", report.provided_at.replace("T", " ").replace("Z", " UTC")],
    ["Data snapshot", report.snapshot],
  ].filter(Boolean);
}

/** What it is in its group, and of whose. */
function groupOf({ number, role, central_name: name, central_ein: ein }) {
  const group = `group ${String(number).padStart(4, "0")}`;
  if (role === "central") return `central organization of ${group}`;
  return `${role === "subordinate" ? "subordinate of" : "in"} ${group}, whose central organization is ${name ? `${name} (EIN ${dashed(ein)})` : "in no loaded list"}`;
}

const listOf = (held) => held?.lists.find(({ kind }) => kind === "publication78");

/** What the IRS's list of those to whom gifts are deductible has of it, and how long that list is here. */
function publication({ publication_78: codes }, held) {
  if (codes.length) return pub78(codes);
  const list = listOf(held);
  if (!list) return "not found";
  return list.loaded ? `not found in the loaded file (${plural(list.rows, "row", "rows")})` : "not checked: it is not loaded";
}

/** What the server warns of, and that one whose gifts are deductible is missing from the list of those. */
function caveats(report, held) {
  const list = listOf(held);
  const missing = list?.loaded && report.deductible === "yes" && !report.publication_78.length
    && `not found in Publication 78, though the master file says that gifts are deductible. ${list.rows < held.organizations
      ? `The file loaded here has ${plural(list.rows, "row", "rows")} and is likely only part of the list` : "It may be listed through a group, or be newer than the file"}; look it up at the IRS`;
  const all = [...report.caveats, missing, report.publication_78.length === 0 && report.group?.note].filter(Boolean);
  return all.length > 0 && h("div", { class: "report-caveats", role: "note" },
    h("h2", {}, "Before you rely on this"), h("ul", {}, all.map((text) => h("li", {}, text))));
}

/** How it is known of when a list is. */
const DATED = { ruling: "the latest ruling in it", download: "the day it was downloaded", name: "the date in its name" };

/** What a check of a list comes to. */
const FOUND = {
  exemption: { yes: "Exemption checked: it is exempt", no: "Exemption checked: it is not exempt" },
  deductibility: { yes: "Deductibility checked: gifts are deductible", no: "Deductibility checked: gifts are not deductible" },
  revocation: { yes: "Revocation checked: its exemption is on the list as revoked", no: "Revocation checked: its exemption is not on the list as revoked" },
};

/** One question with the list that answers it; of a list that does not have it neither a file nor its hash speaks. */
function checked({ question, state, listed, list, sha256 }) {
  const witness = list && (listed === false && state === "not checked" ? `: the ${list.title} does not have it`
    : `, by the ${list.title}, file ${list.file}, dated ${list.dated_by === "ruling" ? month(list.date) : day(list.date)}${list.dated_by ? ` (${DATED[list.dated_by] ?? list.dated_by})` : ""}`);
  return h("li", {}, FOUND[question]?.[state] ?? `${question[0].toUpperCase()}${question.slice(1)}: ${state}`, witness,
    sha256 && !(listed === false && state === "not checked") && h("div", { class: "muted small mono" }, `SHA-256 ${sha256}`));
}
