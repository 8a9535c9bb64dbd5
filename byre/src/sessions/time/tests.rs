use std::time::{Duration, UNIX_EPOCH};

use super::{format, parse};

/// Reads `text`, and compares it with a point in time, in milliseconds since 1970.
fn check(text: &str, want: Option<u64>) {
    let got = parse(text).map(|time| time.duration_since(UNIX_EPOCH).unwrap().as_millis());
    assert_eq!(got, want.map(u128::from), "{text:?}");
}

#[test]
fn what_the_cli_writes_is_read() {
    check("2026-12-01T02:17:51.770Z", Some(1_796_091_471_770));
    check("1970-01-01T00:00:00.000Z", Some(0));
    check("2000-02-29T23:59:59.999Z", Some(951_868_799_999));
}

#[test]
fn other_spellings_are_read() {
    check("2026-12-01T02:17:51", Some(1_796_091_471_000));
    check("2026-12-01 02:17", Some(1_796_091_420_000));
    check("2026-12-01T04:17:51.77+02:00", Some(1_796_091_471_770));
    check("2026-11-30T21:17:51.7700000001-05:00", Some(1_796_091_471_770));
}

#[test]
fn what_is_no_time_is_none() {
    for text in [
        "",
        "yesterday",
        "2026-12-01",
        "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z",
        "2026-12-32T00:00:00Z",
        "2026-12-01T24:00:00Z",
        "2026-12-01T02:17:51.7x0Z",
        "1969-12-31T23:59:59Z",
        "99999999999999999999-01-01T00:00:00Z",
        "2026-12-01T02:17:51+0200",
        "+026-12-01T02:17:51Z",
    ] {
        check(text, None);
    }
}

#[test]
fn every_day_of_four_centuries_comes_back() {
    for day in 0..146_097 {
        let time = UNIX_EPOCH + Duration::from_millis(day * 86_400_000 + 3_723_004);
        let text = format(time);
        assert_eq!(parse(&text), Some(time), "{text}");
    }
    assert_eq!(
        format(UNIX_EPOCH + Duration::from_millis(1_796_091_471_770)),
        "2026-12-01T02:17:51.770Z"
    );
}
