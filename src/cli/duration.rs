//! Times as people type them: `60s`, `5m`, `24h`.

use std::time::Duration;

/// Reads a time of whole seconds, minutes or hours.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let expected = || "expected a whole number with s, m or h, such as 60s".to_owned();
    let unit = text.chars().next_back().ok_or_else(expected)?;
    let seconds: u64 = match unit {
        's' => 1,
        'm' => 60,
        'h' => 60 * 60,
        _ => return Err(expected()),
    };
    let digits = &text[..text.len() - 1];
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(expected());
    }
    let number: u64 = digits.parse().map_err(|_| expected())?;
    number.checked_mul(seconds).map(Duration::from_secs).ok_or_else(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit() {
        for (text, seconds) in [
            ("60s", Some(60)),
            ("5m", Some(300)),
            ("24h", Some(86_400)),
            ("0s", Some(0)),
            ("60", None),
            ("s", None),
            ("-1s", None),
            ("+1s", None),
            ("1.5h", None),
            ("1é", None),
            ("", None),
            ("99999999999999999999h", None),
        ] {
            assert_eq!(duration(text).ok(), seconds.map(Duration::from_secs), "{text}");
        }
    }
}
