//! The page: the passages of each report with the words that were found marked, and beside them each finding with its
//! members and the lines that mend it or take it back. It holds all that it needs and asks nobody for anything.

use std::io::{self, Write};

use data_encoding::BASE64;
use sha2::{Digest, Sha256};

use super::finding::{Finding, Member};
use super::passages::{Mark, Rows, marked};
use crate::build::ReportFindings;
use crate::http::escaped;
use crate::record::{Passage, PassageKind};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// What a page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counts {
    pub(super) reports: u64,
    pub(super) findings: u64,
}

/// Writes the page of reports, one after the other.
pub(super) fn write(
    out: &mut impl Write,
    reports: impl Iterator<Item = ReportFindings>,
) -> io::Result<Counts> {
    let hash = |text: &str| BASE64.encode(&Sha256::digest(text));
    let (style, script) = (hash(STYLE), hash(SCRIPT));
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{style}'; \
         script-src 'sha256-{script}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>Findings in annual reports</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>Findings in annual reports</h1>\n\
         <p>A finding is kept unless it is mended or dropped. Put <code>decisions.ndjson</code> among the inputs: builds \
         obey it from then on.</p>\n\
         <p class=\"tools\"><button id=\"save\" type=\"button\">Download decisions.ndjson</button>\n\
         <output id=\"count\">0 decisions</output>\n\
         <label>Go on from a file of decisions <input id=\"load\" type=\"file\" accept=\".ndjson\"></label></p>\n\
         </header>\n<main>\n"
    )?;
    let mut counts = Counts::default();
    for report in reports {
        write_report(out, &report, &mut counts)?;
    }
    write!(out, "</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n")?;
    Ok(counts)
}

fn write_report(
    out: &mut impl Write,
    report: &ReportFindings,
    counts: &mut Counts,
) -> io::Result<()> {
    let findings: Vec<Finding<'_>> = report.items.iter().filter_map(Finding::of).collect();
    counts.reports += 1;
    counts.findings += findings.len() as u64;
    let (prefix, rest) = report.ein.as_str().split_at(2);
    let source = escaped(&report.source);
    write!(out, "<section>\n<h2>{source} <small>EIN {prefix}-{rest}</small></h2>\n")?;
    let rows = Rows::of(&report.passages, &findings);
    for row in rows.all() {
        out.write_all(b"<div class=\"row\">\n<div class=\"text\">\n")?;
        for number in row.clone() {
            let passage = &report.passages[number];
            if number == 0 || report.passages[number - 1].page != passage.page {
                writeln!(out, "<p class=\"page\">Page {}</p>", passage.page)?;
            }
            write_passage(out, passage, rows.marks(number))?;
        }
        out.write_all(b"</div>\n<div class=\"found\">\n")?;
        for finding in rows.beginning_in(&row) {
            write_finding(out, &findings[finding])?;
        }
        out.write_all(b"</div>\n</div>\n")?;
    }
    out.write_all(b"</section>\n")
}

fn write_passage(out: &mut impl Write, passage: &Passage, marks: &[Mark]) -> io::Result<()> {
    let class = match passage.kind {
        PassageKind::Heading => "heading",
        PassageKind::Paragraph => "paragraph",
        PassageKind::ListItem => "item",
        PassageKind::Quotation => "quotation",
        PassageKind::Caption => "caption",
        PassageKind::TableRow => "table-row",
    };
    writeln!(out, "<p class=\"{class}\">{}</p>", marked(&passage.text, marks))
}

fn write_finding(out: &mut impl Write, finding: &Finding<'_>) -> io::Result<()> {
    let (kind, id) = (finding.kind(), escaped(finding.id()));
    let [record, withdrawal] = [finding.record(), finding.withdrawal()].map(|line| escaped(&line));
    write!(
        out,
        "<form class=\"{kind}\" data-record=\"{record}\" data-withdrawal=\"{withdrawal}\">\n\
         <h3>{kind} <code>{id}</code></h3>\n<fieldset><legend>Decision</legend>"
    )?;
    for (choice, checked) in [("keep", " checked"), ("mend", ""), ("drop", "")] {
        writeln!(
            out,
            "<label><input type=\"radio\" name=\"decision\" value=\"{choice}\"{checked}> {choice}</label>"
        )?;
    }
    out.write_all(b"</fieldset>\n")?;
    for Member { name, form, is_required, value } in finding.members() {
        let required = if is_required { " required" } else { "" };
        writeln!(
            out,
            "<label class=\"member\"><span>{name}</span><textarea rows=\"1\" name=\"{name}\" \
             data-form=\"{}\" placeholder=\" \"{required}>{}</textarea></label>",
            form.name(),
            escaped(&value)
        )?;
    }
    write!(
        out,
        "<details><summary>Lines to copy</summary>\n<p>To mend it, with what is changed above:</p>\n\
         <pre class=\"record\">{record}</pre>\n<p>To drop it:</p>\n<pre>{withdrawal}</pre></details>\n</form>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curated::Item;
    use crate::record::Metric;

    #[test]
    fn what_a_report_says_is_no_markup() {
        const TEXT: &str = "We served <script>alert(1)</script> \"40\" & more.";
        let text = || Some(TEXT.to_owned());
        let metric = Metric {
            metric_id: "m1".to_owned(),
            ein: "170000001".parse().unwrap(),
            metric_text: text(),
            metric_type: None,
            metric_value: Some(40.0),
            unit: None,
            geo_impact: None,
            time_aggregation: None,
            time_aggregation_text: None,
            source_snippet: text(),
            url: None,
            report_year: None,
            date_added: None,
        };
        let passage = Passage { page: 1, kind: PassageKind::Paragraph, text: TEXT.to_owned() };
        let report = ReportFindings {
            source: "a\"><script>.html".to_owned(),
            ein: metric.ein,
            passages: vec![passage],
            items: vec![Item::Metric(Box::new(metric))],
        };
        let mut page = Vec::new();
        let counts = write(&mut page, std::iter::once(report)).unwrap();
        assert_eq!(counts, Counts { reports: 1, findings: 1 });
        let page = String::from_utf8(page).unwrap();
        assert_eq!(page.matches("<script>").count(), 1);
        assert!(
            page.contains(&format!("<mark title=\"metric_text\">{}</mark>", escaped(TEXT))),
            "{page}"
        );
        let record = page.split("data-record=\"").nth(1).and_then(|rest| rest.split('"').next());
        let record =
            record.unwrap().replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">");
        let record: serde_json::Value =
            serde_json::from_str(&record.replace("&amp;", "&")).unwrap();
        assert_eq!((&record["metric_text"], &record["metric_value"]), (&TEXT.into(), &40.0.into()));
    }
}
