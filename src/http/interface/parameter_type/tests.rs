//! What the kinds of parameters read and refuse.

use proptest::prelude::*;

use super::*;
use crate::record::Zip5;

fn refused<K: ParameterType>(kind: &K, cases: &[(&str, Reason)]) {
    for (raw, reason) in cases {
        assert_eq!(kind.read(raw).err().as_ref(), Some(reason), "{raw:?}");
    }
}

#[test]
fn texts_count_code_points() {
    let kind = Text::between(2, 3);
    refused(
        &kind,
        &[("", Reason::TooShort(2)), ("é", Reason::TooShort(2)), ("🌻🌻🌻🌻", Reason::TooLong(3))],
    );
    assert_eq!(kind.read("éé🌻").as_deref(), Ok("éé🌻"));
    assert!(!kind.empty_is_absent() && Text::ANY.empty_is_absent());
}

#[test]
fn names_of_a_list_are_measured_each() {
    let kind = Names { min: 2, max: 4, list_max: 12 };
    let cases = [
        ("é", Reason::TooShort(2)),
        ("abcde", Reason::TooLong(4)),
        ("ab,abcde", Reason::TooLong(4)),
        ("ab,ab,ab,ab,ab", Reason::TooLong(12)),
    ];
    refused(&kind, &cases);
    assert_eq!(kind.read("abcd,,éé🌻").as_deref(), Ok("abcd,,éé🌻"));
}

#[test]
fn eins_by_length_then_digits() {
    refused(
        &EinDigits,
        &[
            ("53-0196605", Reason::TooLong(9)),
            ("12345678", Reason::TooShort(9)),
            ("éééééééé", Reason::TooShort(9)),
            ("abcdefghi", Reason::Pattern(r"^\d{9}$")),
            ("12345678\n", Reason::Pattern(r"^\d{9}$")),
            ("١٢٣٤٥٦٧٨٩", Reason::Pattern(r"^\d{9}$")),
        ],
    );
    assert_eq!(EinDigits.read("000003154").unwrap().as_str(), "000003154");
}

#[test]
fn codes_match_their_pattern() {
    let kind = Code::<Zip5>::matching(r"^\d{5}$");
    for bad in ["", "1234", "123456", "1234a", "１１１１１", "1111\n", " 1111"] {
        refused(&kind, &[(bad, Reason::Pattern(r"^\d{5}$"))]);
    }
    assert_eq!(kind.read("05401").unwrap().to_string(), "05401");
}

#[test]
fn days() {
    assert_eq!(Day.read("2012-02-29").unwrap().to_string(), "2012-02-29");
    for bad in ["", "2011-02-29", "0000-00-00", "2011-2-1", "yesterday"] {
        assert!(matches!(Day.read(bad), Err(Reason::ValueError(_))), "{bad}");
    }
}

#[test]
fn integers() {
    let kind = Integer::between(1, 25);
    for (raw, value) in [("5", 5), (" 5 ", 5), ("+5", 5), ("025", 25)] {
        assert_eq!(kind.read(raw), Ok(value), "{raw:?}");
    }
    for bad in ["", " ", "+", "-", "abc", "1.5", "1e6", "1,000", "٣", "0x10", "1_0", "5 5"] {
        refused(&kind, &[(bad, Reason::NotWhole)]);
    }
    refused(
        &kind,
        &[
            ("0", Reason::AtLeast(1.0)),
            ("-99999999999999999999", Reason::AtLeast(1.0)),
            ("99999999999999999999", Reason::AtMost(25.0)),
        ],
    );
    assert_eq!(Integer::at_least(1).read("99999999999999999999"), Ok(i64::MAX));
}

#[test]
fn numbers() {
    let kind = Number::between(-90.0, 90.0);
    for (raw, value) in [("0.5", 0.5), ("-90", -90.0), (" 1e1 ", 10.0), ("+.5", 0.5)] {
        assert_eq!(kind.read(raw), Ok(value), "{raw:?}");
    }
    for bad in ["", "abc", "1,000", "٣", "0x10", "1.2.3"] {
        refused(&kind, &[(bad, Reason::NotNumber)]);
    }
    for bad in ["nan", "inf", "-inf", "NaN", "Infinity", "1e999"] {
        refused(&kind, &[(bad, Reason::NotFinite)]);
    }
    refused(&kind, &[("-90.01", Reason::AtLeast(-90.0)), ("90.01", Reason::AtMost(90.0))]);
}

#[test]
fn flags() {
    for raw in ["true", "1", "YES", "On", "t", "Y"] {
        assert_eq!(Flag.read(raw), Ok(true));
    }
    for raw in ["false", "0", "no", "oFF", "F", "n"] {
        assert_eq!(Flag.read(raw), Ok(false));
    }
    for bad in ["", "maybe", "2", "tru"] {
        refused(&Flag, &[(bad, Reason::NotFlag)]);
    }
}

#[test]
fn choices_states_and_uuids() {
    let kind = Choice::of(&[1, 2, 3], |number: usize| ["a", "b", "c"][number - 1]).or(&[("d", 1)]);
    assert_eq!((kind.read("b"), kind.read("d")), (Ok(2), Ok(1)));
    refused(&kind, &[("A", Reason::Literal("'a', 'b' or 'c'".into()))]);
    refused(&Choice::of(&[1], |_: usize| "a"), &[("", Reason::Literal("'a'".into()))]);
    assert_eq!(UspsCode.read("vt").unwrap().code(), "VT");
    refused(&UspsCode, &[("V", Reason::TooShort(2)), ("VTX", Reason::TooLong(2))]);
    for bad in ["ZZ", "00", "éé"] {
        assert!(matches!(UspsCode.read(bad), Err(Reason::ValueError(_))), "{bad}");
    }
    assert!(UuidText.read("67E55044-10B1-426F-9247-BB680E5FE0C8").is_ok());
    for bad in ["", "1234", "not-a-uuid", "67e55044-10b1-426f-9247-bb680e5fe0cg"] {
        assert!(matches!(UuidText.read(bad), Err(Reason::Uuid(_))), "{bad}");
    }
    refused(&Goal, &[("18", Reason::AtMost(17.0)), ("0", Reason::AtLeast(1.0))]);
}

proptest! {
    #[test]
    fn every_text_is_read_or_refused(raw in ".*") {
        let _ = (Text::between(2, 9).read(&raw), EinDigits.read(&raw), Flag.read(&raw));
        let _ = (Number::at_least(0.0).read(&raw), UspsCode.read(&raw), UuidText.read(&raw));
        let _ = Code::<Zip5>::matching("").read(&raw);
    }

    #[test]
    fn integers_are_read_as_rust_reads_them(value: i64) {
        prop_assume!(value != i64::MIN);
        prop_assert_eq!(whole(&value.to_string()), Some(value));
    }
}
