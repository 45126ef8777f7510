//! Builds with annual reports. The nonprofits in them are fictional.

use super::impact::every_metric;
use super::*;

/// A page that states a figure and, if there is one, an EIN.
fn page(ein: &str) -> String {
    let words =
        "Our kitchens are open on every day of the week, in every season of the year. ".repeat(4);
    format!(
        "<!DOCTYPE html><html><title>Report</title><h1>Annual Report 2023</h1><p>We served 1,245 students this \
         year.</p><p>{words}</p><footer>{ein}</footer></html>"
    )
}

#[test]
fn reports_become_metrics_of_whom_they_are() {
    let bench = Bench::filled();
    fs::create_dir(bench.folder.path().join("inputs/01-0000001")).unwrap();
    bench.input("01-0000001/report.html", &page("EIN 01-0000001"));
    bench.input("stated.html", &page("EIN 01-0000002, with help of 99-0000009"));
    bench.input("nobody.html", &page("EIN 99-0000009"));
    bench.input("999999999.html", &page(""));
    bench.input("wrong.html", &page("EIN 01-0000002.").replace("2023", "2021"));
    bench.input("empty.txt.pdf", "%PDF-1.5\n");
    bench.input("010000001.pdf", "%PDF-1.4\n");
    let table = "file,ein,year,url\nwrong.html,010000003,2021,https://example.org/report\n";
    bench.input("whose.csv", table);
    let report = bench.build().unwrap();
    assert_eq!(report.items.metrics, 3);
    let metrics = every_metric(&open(&bench.data()).unwrap());
    let metric = |ein: &str| {
        let metric = metrics.iter().find(|metric| metric.ein.as_str() == ein).unwrap();
        assert_eq!(metric.metric_value, Some(1_245.0));
        metric
    };
    let own = metric("010000001");
    assert!(own.metric_id.starts_with("010000001-report-") && own.metric_id.ends_with("-1"));
    assert_eq!((own.report_year, own.url.as_deref()), (Some(2023), None));
    assert_eq!(metric("010000002").report_year, Some(2023));
    let listed = metric("010000003");
    assert_eq!(listed.report_year, Some(2021));
    assert_eq!(listed.url.as_deref(), Some("https://example.org/report"));

    let doubt = "wrong.html is assigned to 010000003, but its text states 010000002 only";
    assert!(report.doubts.iter().any(|one| one == doubt), "{:?}", report.doubts);
    let left_out: Vec<&str> = report.skipped.iter().map(|one| one.path.to_str().unwrap()).collect();
    assert_eq!(left_out, ["empty.txt.pdf", "nobody.html"]);
    let rejects = reject_lines(&bench);
    assert_eq!(rejects.len(), 2, "{rejects:?}");
    assert!(rejects[0].contains("010000001.pdf") && rejects[0].contains("a PDF with pages"));
    assert!(rejects[1].contains("999999999.html") && rejects[1].contains("\"ein\""));

    // Built again, nothing is read again: identifiers and figures are those that were.
    let cache = names(&bench.data().join("reports.cache"));
    assert_eq!(cache.len(), 7);
    bench.build().unwrap();
    assert_eq!(names(&bench.data().join("reports.cache")), cache);
    assert_eq!(every_metric(&open(&bench.data()).unwrap()), metrics);
}

fn reject_lines(bench: &Bench) -> Vec<String> {
    let list = fs::read_to_string(bench.data().join("rejects.ndjson")).unwrap();
    list.lines().map(str::to_owned).collect()
}
