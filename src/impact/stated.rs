//! Figures that a return states on lines of their own, and so need not be found in its texts.

use super::identifier;
use crate::record::{Filing, Metric, TimeAggregation, Timestamp, thousands};

/// A line: what it counts, how many it says, and where it stands.
type StatedLine = (&'static str, Option<u32>, &'static str);

/// Volunteers, and who got grants, as far as the return states them.
pub(super) fn metrics(filing: &Filing, url: Option<&str>) -> Vec<Metric> {
    let totals = &filing.totals;
    let charities = (totals.schedule_i_charities, totals.schedule_i_others);
    let funded = match charities {
        (None, None) => None,
        (charities, others) => {
            charities.unwrap_or_default().checked_add(others.unwrap_or_default())
        }
    };
    let lines: [StatedLine; 2] = [
        ("volunteers", filing.volunteers, "Form 990, Part I, line 6"),
        ("organizations funded", funded, "Schedule I, Part II, lines 2 and 3"),
    ];
    let stated = lines.into_iter().filter_map(|(kind, count, line)| Some((kind, count?, line)));
    let stated = stated.filter(|(_, count, _)| *count > 0);
    stated.map(|(kind, count, line)| metric(filing, url, (kind, count, line))).collect()
}

fn metric(
    filing: &Filing,
    url: Option<&str>,
    (kind, count, line): (&'static str, u32, &'static str),
) -> Metric {
    let text = format!("{} {kind}", thousands(u64::from(count)));
    let snippet = format!("{text} ({line})");
    Metric {
        metric_id: identifier(filing, &text, &snippet),
        ein: filing.ein,
        metric_type: Some(kind.to_owned()),
        metric_value: Some(f64::from(count)),
        unit: Some(kind.to_owned()),
        geo_impact: None,
        time_aggregation: Some(TimeAggregation::Annual.name().to_owned()),
        time_aggregation_text: None,
        source_snippet: Some(snippet),
        url: url.map(str::to_owned),
        report_year: Some(i32::from(filing.period_end.year())),
        date_added: Some(filing.filed.unwrap_or_else(|| Timestamp::of_day(filing.period_end))),
        metric_text: Some(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Form, Month};

    #[test]
    fn lines_are_told_with_where_they_stand() {
        let ein = "010000001".parse().unwrap();
        let period = Month::parse_yyyymm("202212").unwrap();
        let mut filing = Filing::of_figures(ein, Form::Full, period);
        assert_eq!(metrics(&filing, None), []);
        filing.volunteers = Some(0);
        filing.totals.schedule_i_others = Some(2);
        assert_eq!(metrics(&filing, None).len(), 1);
        filing.volunteers = Some(1_245);
        let found = metrics(&filing, Some("https://a.example/1.xml"));
        let told = |metric: &Metric| {
            (metric.metric_type.clone().unwrap(), metric.source_snippet.clone().unwrap())
        };
        let expected = [
            ("volunteers", "1,245 volunteers (Form 990, Part I, line 6)"),
            ("organizations funded", "2 organizations funded (Schedule I, Part II, lines 2 and 3)"),
        ];
        let expected = expected.map(|(kind, snippet)| (kind.to_owned(), snippet.to_owned()));
        assert_eq!(found.iter().map(told).collect::<Vec<_>>(), expected);
        assert_eq!((found[0].metric_value, found[0].report_year), (Some(1_245.0), Some(2022)));
    }
}
