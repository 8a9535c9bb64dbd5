//! Points in time as the CLI writes them: `2026-12-01T02:17:51.770Z`.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Reads a date with a time, in UTC unless it says otherwise; `None` for anything else.
pub(super) fn parse(text: &str) -> Option<SystemTime> {
    let (date, time) = text.split_once(['T', ' '])?;
    let mut date = date.splitn(3, '-').map(number);
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let (time, offset) = split_offset(time)?;
    let (time, fraction) = time.split_once('.').unwrap_or((time, ""));
    let mut time = time.splitn(3, ':').map(number);
    let (hour, minute) = (time.next()??, time.next()??);
    let second = time.next().unwrap_or(Some(0))?;
    let fits = (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && (1970..=9999).contains(&year)
        && hour < 24
        && minute < 60
        && second <= 60;
    if !fits || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let nanos = fraction.bytes().chain([b'0'; 9]).take(9);
    let nanos = nanos.fold(0, |nanos, digit| nanos * 10 + u64::from(digit - b'0'));
    let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset;
    let seconds = u64::try_from(seconds).ok()?;
    UNIX_EPOCH.checked_add(Duration::from_secs(seconds) + Duration::from_nanos(nanos))
}

/// Writes a point in time as the CLI does, in UTC with milliseconds.
pub(super) fn format(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, rest) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    let millis = since.subsec_millis();
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

fn number(text: &str) -> Option<i64> {
    if text.bytes().all(|b| b.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// Splits `Z`, `+02:00` or nothing off a time, and gives it in seconds.
fn split_offset(time: &str) -> Option<(&str, i64)> {
    if let Some(time) = time.strip_suffix(['Z', 'z']) {
        return Some((time, 0));
    }
    let Some(at) = time.find(['+', '-']) else { return Some((time, 0)) };
    let (hours, minutes) = time[at + 1..].split_once(':')?;
    let seconds = number(hours)? * 3600 + number(minutes)? * 60;
    Some((&time[..at], if time.as_bytes()[at] == b'-' { -seconds } else { seconds }))
}

/// Days from 1970-01-01 to a date of the Gregorian calendar.
///
/// Years are counted from March, so that the leap day is the last of its year.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year / 400, year % 400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The date that is this many days after 1970-01-01: what [`days`] undoes.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests;
