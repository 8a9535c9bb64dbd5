//! The formats of strings that are checked.

use std::net::{Ipv4Addr, Ipv6Addr};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    DateTime,
    Date,
    Time,
    Duration,
    Uuid,
    Email,
    Uri,
    UriReference,
    Hostname,
    Ipv4,
    Ipv6,
    JsonPointer,
}

impl Format {
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "date-time" => Self::DateTime,
            "date" => Self::Date,
            "time" => Self::Time,
            "duration" => Self::Duration,
            "uuid" => Self::Uuid,
            "email" => Self::Email,
            "uri" => Self::Uri,
            "uri-reference" => Self::UriReference,
            "hostname" => Self::Hostname,
            "ipv4" => Self::Ipv4,
            "ipv6" => Self::Ipv6,
            "json-pointer" => Self::JsonPointer,
            _ => return None,
        })
    }

    /// With an example, which a model follows better than a name.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::DateTime => "a date and time like `2026-11-30T08:15:00Z`",
            Self::Date => "a date like `2026-11-30`",
            Self::Time => "a time like `08:15:00Z`",
            Self::Duration => "a duration like `PT15M`",
            Self::Uuid => "a UUID like `67e55044-10b1-426f-9247-bb680e5fe0c8`",
            Self::Email => "an email address",
            Self::Uri => "a URI like `https://example.com/`",
            Self::UriReference => "a URI or a part of one",
            Self::Hostname => "a host name like `example.com`",
            Self::Ipv4 => "an IPv4 address like `192.0.2.1`",
            Self::Ipv6 => "an IPv6 address like `2001:db8::1`",
            Self::JsonPointer => "a JSON pointer like `/a/0`",
        }
    }

    pub(super) fn fits(self, text: &str) -> bool {
        match self {
            Self::DateTime => is_date_time(text),
            Self::Date => is_date(text),
            Self::Time => is_time(text),
            Self::Duration => is_duration(text),
            Self::Uuid => is_uuid(text),
            Self::Email => is_email(text),
            Self::Uri => has_scheme(text) && is_uri_reference(text),
            Self::UriReference => is_uri_reference(text),
            Self::Hostname => is_hostname(text),
            Self::Ipv4 => text.parse::<Ipv4Addr>().is_ok(),
            Self::Ipv6 => text.parse::<Ipv6Addr>().is_ok(),
            Self::JsonPointer => is_json_pointer(text),
        }
    }
}

/// Reads a number of exactly so many digits.
fn digits(text: &str, count: usize) -> Option<u32> {
    let fits = text.len() == count && text.bytes().all(|b| b.is_ascii_digit());
    fits.then(|| text.parse().ok())?
}

fn is_date(text: &str) -> bool {
    let parse = || {
        let (year, rest) = text.split_once('-')?;
        let (month, day) = rest.split_once('-')?;
        let (year, month, day) = (digits(year, 4)?, digits(month, 2)?, digits(day, 2)?);
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = match month {
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            4 | 6 | 9 | 11 => 30,
            2 => 28 + u32::from(leap),
            _ => return None,
        };
        (1..=days).contains(&day).then_some(())
    };
    parse().is_some()
}

fn is_time(text: &str) -> bool {
    let parse = || {
        let (clock, offset) = text.split_at_checked(8)?;
        let (hour, minute, second) = clock_of(clock)?;
        let offset = match offset.strip_prefix('.') {
            Some(fraction) => {
                let rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
                (rest.len() < fraction.len()).then_some(rest)?
            }
            None => offset,
        };
        let shift = match offset.as_bytes() {
            [b'Z' | b'z'] => 0,
            [sign @ (b'+' | b'-'), ..] => {
                let (hours, minutes) = offset[1..].split_once(':')?;
                let (hours, minutes) = (digits(hours, 2)?, digits(minutes, 2)?);
                let shift = i64::from(hours * 60 + minutes);
                (hours < 24 && minutes < 60).then_some(())?;
                if *sign == b'+' { shift } else { -shift }
            }
            _ => return None,
        };
        // A second is inserted at the end of a day, as Greenwich has it.
        let minute_of_day = (i64::from(hour * 60 + minute) - shift).rem_euclid(24 * 60);
        (second < 60 || minute_of_day == 24 * 60 - 1).then_some(())
    };
    parse().is_some()
}

/// `08:15:00`
fn clock_of(text: &str) -> Option<(u32, u32, u32)> {
    let mut parts = text.split(':').map(|part| digits(part, 2));
    let (hour, minute, second) = (parts.next()??, parts.next()??, parts.next()??);
    (parts.next().is_none() && hour < 24 && minute < 60 && second <= 60)
        .then_some((hour, minute, second))
}

fn is_date_time(text: &str) -> bool {
    text.split_once(['T', 't']).is_some_and(|(date, time)| is_date(date) && is_time(time))
}

/// `P1Y2M3DT4H5M6S` or `P3W`: each unit at most once, in order, none skipped between two.
fn is_duration(text: &str) -> bool {
    fn part(mut text: &str, units: &str) -> bool {
        if text.is_empty() {
            return false;
        }
        let mut next = None;
        while !text.is_empty() {
            let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
            let Some(unit) = rest.chars().next() else { return false };
            let Some(at) = units.find(unit) else { return false };
            if rest.len() == text.len() || next.is_some_and(|next| at != next) {
                return false;
            }
            next = Some(at + 1);
            text = &rest[1..];
        }
        true
    }

    let Some(rest) = text.strip_prefix('P') else { return false };
    if let Some(weeks) = rest.strip_suffix('W') {
        return !weeks.is_empty() && weeks.bytes().all(|b| b.is_ascii_digit());
    }
    match rest.split_once('T') {
        Some((date, time)) => (date.is_empty() || part(date, "YMD")) && part(time, "HMS"),
        None => part(rest, "YMD"),
    }
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, b)| match at {
            8 | 13 | 18 | 23 => b == b'-',
            _ => b.is_ascii_hexdigit(),
        })
}

fn is_hostname(text: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
            // Others that look like this are made by an encoding, and have to be so.
            && (label.get(2..4) != Some("--") || label.get(..4).is_some_and(|s| s.eq_ignore_ascii_case("xn--")))
    };
    text.len() <= 253 && text.split('.').all(is_label)
}

fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let is_atom = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&b);
    let quoted = local.len() > 2 && local.starts_with('"') && local.ends_with('"');
    let local_fits = if quoted {
        let inside = &local[1..local.len() - 1];
        let mut escaped = false;
        inside.bytes().all(|b| {
            let fits = escaped || b != b'"';
            escaped = b == b'\\' && !escaped;
            fits && (b' '..=b'~').contains(&b)
        }) && !escaped
    } else {
        local.split('.').all(|atom| !atom.is_empty() && atom.bytes().all(is_atom))
    };
    let domain_fits = match domain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(address) => match address.strip_prefix("IPv6:") {
            Some(address) => address.parse::<Ipv6Addr>().is_ok(),
            None => address.parse::<Ipv4Addr>().is_ok(),
        },
        None => is_hostname(domain),
    };
    local.len() <= 64 && local_fits && domain_fits
}

fn has_scheme(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, _)| is_scheme(scheme))
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
}

/// RFC 3986, with what has no scheme.
fn is_uri_reference(text: &str) -> bool {
    let (rest, fragment) = text.split_once('#').unwrap_or((text, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let rest = match rest.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) => rest,
        // Without a scheme, a colon may not come before the first slash.
        Some((before, _)) if !before.contains('/') => return false,
        _ => rest,
    };
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => ("", rest),
    };
    is_authority(authority)
        && are_uri_chars(path, b":@/")
        && are_uri_chars(query, b":@/?")
        && are_uri_chars(fragment, b":@/?")
}

fn is_authority(text: &str) -> bool {
    let (user, rest) = text.rsplit_once('@').unwrap_or(("", text));
    let (host, port) = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, after)) => {
            if address.parse::<Ipv6Addr>().is_err() {
                return false;
            }
            match (after.strip_prefix(':'), after) {
                (Some(port), _) => ("", port),
                (None, "") => ("", ""),
                _ => return false,
            }
        }
        None => rest.rsplit_once(':').unwrap_or((rest, "")),
    };
    are_uri_chars(user, b":")
        && are_uri_chars(host, b"")
        && port.bytes().all(|b| b.is_ascii_digit())
}

/// Whether all characters may stand in a part of a URI that allows `more`.
fn are_uri_chars(text: &str, more: &[u8]) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().all(|(at, b)| match b {
        b'%' => bytes.get(at + 1..at + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)),
        b => b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(b) || more.contains(b),
    })
}

fn is_json_pointer(text: &str) -> bool {
    if !(text.is_empty() || text.starts_with('/')) {
        return false;
    }
    text.split('~').skip(1).all(|after| after.starts_with(['0', '1']))
}
