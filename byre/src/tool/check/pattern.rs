//! Regular expressions as JSON Schema means them, which is as JavaScript does.
//!
//! They differ from Rust's in what `.`, `\d`, `\w` and `\s` are, in what has to be escaped, and in how
//! characters are written by their number. So a pattern is rewritten, and everything in it that Rust could
//! take for something else is spelled out.

use std::{fmt, fmt::Write as _, iter::Peekable, str::Chars};

use regex_lite::Regex;

/// A pattern that may match anywhere in a text.
pub(in crate::tool) struct Pattern {
    text: String,
    regex: Regex,
}

impl Pattern {
    /// # Errors
    ///
    /// Says what in the pattern is unknown or wrong.
    pub(super) fn new(text: &str) -> Result<Self, String> {
        let rust = Rewriter { rest: text.chars().peekable(), out: String::new() }.pattern()?;
        let regex = Regex::new(&rust).map_err(|error| error.to_string())?;
        Ok(Self { text: text.to_owned(), regex })
    }

    pub(super) fn matches(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }
}

/// As its author wrote it.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pattern({})", self.text)
    }
}

/// Ranges of characters, both ends included.
type Ranges = &'static [(char, char)];

const DIGIT: Ranges = &[('0', '9')];
const WORD: Ranges = &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
const LINE_END: Ranges = &[('\n', '\n'), ('\r', '\r'), ('\u{2028}', '\u{2029}')];
const SPACE: Ranges = &[
    ('\t', '\r'),
    (' ', ' '),
    ('\u{a0}', '\u{a0}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{2000}', '\u{200a}'),
    ('\u{2028}', '\u{2029}'),
    ('\u{202f}', '\u{202f}'),
    ('\u{205f}', '\u{205f}'),
    ('\u{3000}', '\u{3000}'),
    ('\u{feff}', '\u{feff}'),
];

/// One member of a class, or what one escape stands for.
enum Item {
    Char(char),
    Set { ranges: Ranges, negated: bool },
}

struct Rewriter<'a> {
    rest: Peekable<Chars<'a>>,
    out: String,
}

impl Rewriter<'_> {
    fn pattern(mut self) -> Result<String, String> {
        while let Some(c) = self.rest.next() {
            match c {
                '\\' => self.escape()?,
                '[' => self.class()?,
                '(' => self.group()?,
                '.' => self.set(LINE_END, true),
                '{' => self.braces(),
                '^' | '$' | '*' | '+' | '?' | '|' | ')' => self.out.push(c),
                c => self.char(c),
            }
        }
        Ok(self.out)
    }

    fn char(&mut self, c: char) {
        if c.is_ascii_alphanumeric() {
            self.out.push(c);
        } else {
            let _ = write!(self.out, "\\x{{{:X}}}", u32::from(c));
        }
    }

    /// A class of its own.
    fn set(&mut self, ranges: Ranges, negated: bool) {
        self.out.push_str(if negated { "[^" } else { "[" });
        self.ranges(ranges);
        self.out.push(']');
    }

    fn ranges(&mut self, ranges: Ranges) {
        for (from, to) in ranges {
            self.char(*from);
            self.out.push('-');
            self.char(*to);
        }
    }

    /// What is not in the ranges, as part of a class: Rust has no negation there.
    fn complement(&mut self, ranges: Ranges) {
        let mut next = '\0';
        for (from, to) in ranges {
            if let Some(before) = char::from_u32(u32::from(*from).wrapping_sub(1))
                && next <= before
            {
                self.char(next);
                self.out.push('-');
                self.char(before);
            }
            next = char::from_u32(u32::from(*to) + 1).unwrap_or(char::MAX);
        }
        self.char(next);
        self.out.push('-');
        self.char(char::MAX);
    }

    fn escape(&mut self) -> Result<(), String> {
        match self.rest.peek() {
            Some('b' | 'B') => {
                self.out.push('\\');
                self.out.extend(self.rest.next());
            }
            Some('k' | '1'..='9') => return Err("it refers back to a group".to_owned()),
            _ => match self.escaped()? {
                Item::Char(c) => self.char(c),
                Item::Set { ranges, negated } => self.set(ranges, negated),
            },
        }
        Ok(())
    }

    /// What comes after a backslash, in a class or outside.
    fn escaped(&mut self) -> Result<Item, String> {
        let c = self.rest.next().ok_or("it ends in a backslash")?;
        let set = |ranges, negated| Ok(Item::Set { ranges, negated });
        Ok(Item::Char(match c {
            'd' | 'D' => return set(DIGIT, c == 'D'),
            'w' | 'W' => return set(WORD, c == 'W'),
            's' | 'S' => return set(SPACE, c == 'S'),
            'p' | 'P' => return Err("it asks for a property of Unicode".to_owned()),
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            'v' => '\u{b}',
            'f' => '\u{c}',
            '0' => '\0',
            'c' => match self.rest.next() {
                Some(c) if c.is_ascii_alphabetic() => char::from(c as u8 & 31),
                _ => return Err("no letter comes after `\\c`".to_owned()),
            },
            'x' => self.number(2)?,
            'u' => self.unicode()?,
            c if c.is_ascii_alphanumeric() => return Err(format!("`\\{c}` means nothing")),
            c => c,
        }))
    }

    fn number(&mut self, digits: usize) -> Result<char, String> {
        char::from_u32(self.hex(digits)?).ok_or_else(|| "it names half a character".to_owned())
    }

    fn hex(&mut self, digits: usize) -> Result<u32, String> {
        let mut number = 0;
        for _ in 0..digits {
            let digit = self.rest.next().and_then(|c| c.to_digit(16));
            number = number * 16 + digit.ok_or("a character's number is too short")?;
        }
        Ok(number)
    }

    /// `\u{1F600}`, `\u00e9`, or two halves of a character.
    fn unicode(&mut self) -> Result<char, String> {
        if self.rest.next_if_eq(&'{').is_some() {
            let mut number = 0u32;
            loop {
                match self.rest.next() {
                    Some('}') => break,
                    Some(c) if c.is_ascii_hexdigit() && number < 0x11_0000 => {
                        number = number * 16 + c.to_digit(16).unwrap_or_default();
                    }
                    _ => return Err("a character's number has no end".to_owned()),
                }
            }
            return char::from_u32(number).ok_or_else(|| "there is no such character".to_owned());
        }
        let first = self.hex(4)?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first).ok_or_else(|| "it names half a character".to_owned());
        }
        if self.rest.next() != Some('\\') || self.rest.next() != Some('u') {
            return Err("it names half a character".to_owned());
        }
        let second = self.hex(4)?;
        char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + (second.wrapping_sub(0xdc00) & 0x3ff))
            .filter(|_| (0xdc00..0xe000).contains(&second))
            .ok_or_else(|| "it names half a character".to_owned())
    }

    fn group(&mut self) -> Result<(), String> {
        self.out.push('(');
        if self.rest.next_if_eq(&'?').is_none() {
            return Ok(());
        }
        match self.rest.next() {
            Some(':') => self.out += "?:",
            Some('<') if !matches!(self.rest.peek(), Some('=' | '!')) => {
                // A name is of use only to those who refer to it.
                while self.rest.next().ok_or("a group's name has no end")? != '>' {}
            }
            Some('=' | '!' | '<') => return Err("it looks around".to_owned()),
            _ => return Err("it has a group that JavaScript does not know".to_owned()),
        }
        Ok(())
    }

    /// `{2,3}` repeats; any other brace is itself.
    fn braces(&mut self) {
        let mut ahead = self.rest.clone();
        let inside: String = ahead.by_ref().take_while(|c| *c != '}').collect();
        let closed = self.rest.clone().any(|c| c == '}');
        let (min, max) = inside.split_once(',').unwrap_or((&inside, "0"));
        let is_number = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        if closed && !min.is_empty() && is_number(min) && is_number(max) {
            let _ = write!(self.out, "{{{inside}}}");
            self.rest = ahead;
        } else {
            self.char('{');
        }
    }

    fn class(&mut self) -> Result<(), String> {
        let negated = self.rest.next_if_eq(&'^').is_some();
        if self.rest.next_if_eq(&']').is_some() {
            // `[^]` is any character, and `[]` is none.
            self.out += if negated { "[\\x{0}-\\x{10FFFF}]" } else { "[^\\x{0}-\\x{10FFFF}]" };
            return Ok(());
        }
        self.out.push_str(if negated { "[^" } else { "[" });
        loop {
            let item = self.member()?;
            let Some(item) = item else { break };
            let Item::Char(from) = item else {
                if let Item::Set { ranges, negated } = item {
                    if negated { self.complement(ranges) } else { self.ranges(ranges) }
                }
                continue;
            };
            // A hyphen at the end is itself.
            let mut ahead = self.rest.clone();
            let is_range = ahead.next() == Some('-') && !matches!(ahead.peek(), Some(']') | None);
            if !is_range {
                self.char(from);
                continue;
            }
            self.rest.next();
            match self.member()? {
                Some(Item::Char(to)) if from <= to => {
                    self.char(from);
                    self.out.push('-');
                    self.char(to);
                }
                _ => return Err("a range has no order".to_owned()),
            }
        }
        self.out.push(']');
        Ok(())
    }

    /// The next member of a class, or `None` at its end.
    fn member(&mut self) -> Result<Option<Item>, String> {
        match self.rest.next().ok_or("a class has no end")? {
            ']' => Ok(None),
            '\\' if self.rest.next_if_eq(&'b').is_some() => Ok(Some(Item::Char('\u{8}'))),
            '\\' if self.rest.next_if_eq(&'-').is_some() => Ok(Some(Item::Char('-'))),
            '\\' => self.escaped().map(Some),
            c => Ok(Some(Item::Char(c))),
        }
    }
}
