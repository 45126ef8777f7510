//! Dates of HTTP headers, of the one form that servers write (RFC 9110, 5.6.7):
//! `Sun, 06 Nov 1994 08:49:37 GMT`. The two older forms are not read.

use crate::record::Moment;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The moment of a date; `None` for everything else.
pub(super) fn moment(text: &str) -> Option<Moment> {
    let (_, rest) = text.trim().split_once(", ")?;
    let mut words = rest.split(' ');
    let (day, month, year) = (words.next()?, words.next()?, words.next()?);
    let (clock, zone) = (words.next()?, words.next()?);
    if zone != "GMT" || words.next().is_some() {
        return None;
    }
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    Moment::parse(&format!("{year}-{month:02}-{day}T{clock}Z")).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn dates() {
        for (text, expected) in [
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777)),
            ("Thu, 01 Jan 1970 00:00:00 GMT", Some(0)),
            ("Sun, 06 Nov 1994 08:49:37 PST", None),
            ("Sunday, 06-Nov-94 08:49:37 GMT", None),
            ("Sun, 31 Feb 1994 08:49:37 GMT", None),
            ("", None),
        ] {
            assert_eq!(moment(text).map(Moment::seconds), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_date_or_none(text in "\\PC{0,40}") {
            let _ = moment(&text);
        }
    }
}
