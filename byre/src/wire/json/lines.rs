//! Lines that wait together.

use std::{iter::Peekable, ops::Range, sync::Arc, vec};

use super::{Raw, Text};

/// Lines of one text, in order, at eight bytes each beside it: thousands may wait to be read.
#[derive(Debug)]
pub(crate) struct Lines {
    text: Arc<str>,
    ranges: vec::IntoIter<Range<u32>>,
}

impl Lines {
    /// Puts lines together from the front of `lines`, as many as are of one text and of which `line` gives one.
    /// Gives `None` where the first has a text of its own.
    pub(crate) fn take<T>(
        lines: &mut Peekable<impl Iterator<Item = T>>,
        line: impl Fn(&T) -> Option<&Raw>,
    ) -> Option<Self> {
        let Text::Copied(text) = line(lines.peek()?)?.line.clone() else { return None };
        // It does not grow: that would leave small pieces of memory between what waits.
        let mut ranges = Vec::with_capacity(lines.size_hint().0);
        let range = |raw: &Raw| match &raw.line {
            Text::Copied(other) if Arc::ptr_eq(other, &text) => {
                Some(u32::try_from(raw.range.start).ok()?..u32::try_from(raw.range.end).ok()?)
            }
            _ => None,
        };
        while let Some(range) = lines.peek().and_then(|next| range(line(next)?)) {
            ranges.push(range);
            lines.next();
        }
        ranges.shrink_to_fit();
        (!ranges.is_empty()).then(|| Self { text, ranges: ranges.into_iter() })
    }

    /// How long they are together, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.ranges.as_slice().iter().map(Range::len).sum()
    }
}

impl ExactSizeIterator for Lines {}

impl Iterator for Lines {
    type Item = Raw;

    fn next(&mut self) -> Option<Raw> {
        let Range { start, end } = self.ranges.next()?;
        Some(Raw {
            line: Text::Copied(Arc::clone(&self.text)),
            range: start as usize..end as usize,
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.ranges.size_hint()
    }
}
