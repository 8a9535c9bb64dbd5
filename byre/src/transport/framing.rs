//! Splits the CLI's stdout into lines.

use std::{io, mem};

use tokio::io::{AsyncRead, AsyncReadExt};

use crate::wire::json::Line;

/// How long a line may be before it is skipped, unless the program says otherwise: far beyond any
/// screenshot or file, and below what would take the host's memory.
pub(crate) const MAX_LINE: usize = 512 * 1024 * 1024;

/// How much is asked for in one read. A pipe holds 64 KiB on Linux.
const READ_SIZE: usize = 64 * 1024;

/// From this length on a line keeps the buffer that it was read into, and is not copied out of it.
const LARGE_LINE: usize = 64 * 1024;

/// What stands on stdout.
#[derive(Debug)]
pub(crate) enum Framed {
    Line(Line),
    /// A line is longer than the limit, which this is, and all of it is thrown away. Told at once: its end
    /// may never come.
    Skipped(usize),
}

/// Reads lines from the CLI's stdout.
///
/// Splits on the byte `\n` only, and decodes whole lines only, so that neither a line separator inside
/// a text nor a character cut by a read does any harm.
#[derive(Debug)]
pub(crate) struct LineReader<R> {
    stdout: R,
    /// Bytes read and not yet handed out. Invariant: no `\n` before `scanned`.
    buffer: Vec<u8>,
    scanned: usize,
    max_line: usize,
    /// Inside a line that is too long, of which some has been thrown away.
    skips: bool,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    /// Reads lines of up to `max_line` bytes.
    pub(crate) fn new(stdout: R, max_line: usize) -> Self {
        Self { stdout, buffer: Vec::new(), scanned: 0, max_line, skips: false }
    }

    /// Reads once, appends the lines that are complete now to `lines`, and says whether more can come.
    ///
    /// A last line without a line break counts as a line. Blank lines are left out.
    ///
    /// # Errors
    ///
    /// If the pipe fails. Nothing more can be read then.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing: what was read stays here for the next call.
    pub(crate) async fn read(&mut self, lines: &mut Vec<Framed>) -> io::Result<bool> {
        // A long line grows the buffer by doubling, so that its bytes are moved a few times and not once
        // for every read.
        self.buffer.reserve(READ_SIZE.max(self.buffer.len() / 2));
        let count = self.stdout.read_buf(&mut self.buffer).await?;
        self.split(lines);
        if count == 0 {
            self.take_last(lines);
        }
        Ok(count > 0)
    }

    /// Hands out every line that is complete.
    fn split(&mut self, lines: &mut Vec<Framed>) {
        while let Some(at) = memchr::memchr(b'\n', &self.buffer[self.scanned..]) {
            let end = self.scanned + at;
            self.scanned = 0;
            if mem::take(&mut self.skips) {
                // Has been told.
                self.buffer.drain(..=end);
            } else if end > self.max_line {
                lines.push(Framed::Skipped(self.max_line));
                self.buffer.drain(..=end);
            } else if end >= LARGE_LINE {
                let rest = self.buffer.split_off(end + 1);
                let mut line = mem::replace(&mut self.buffer, rest);
                line.truncate(end);
                lines.extend(Line::glance(line).map(Framed::Line));
            } else {
                let last = self.end_of_last(end);
                Line::glance_at_all(&self.buffer[..last], |line| lines.push(Framed::Line(line)));
                self.buffer.drain(..=last);
            }
        }
        self.scanned = self.buffer.len();
        if !self.skips && self.buffer.len() > self.max_line {
            lines.push(Framed::Skipped(self.max_line));
            self.skips = true;
        }
        if self.skips {
            self.buffer = Vec::new();
            self.scanned = 0;
        }
    }

    /// Where the last line ends that can be taken together with the one that ends at `end`: those before
    /// one that is too long.
    fn end_of_last(&self, mut end: usize) -> usize {
        let rest = end + 1;
        for next in memchr::memchr_iter(b'\n', &self.buffer[rest..]) {
            if rest + next - end > self.max_line.min(LARGE_LINE) {
                break;
            }
            end = rest + next;
        }
        end
    }

    /// Hands out what stands after the last line break.
    fn take_last(&mut self, lines: &mut Vec<Framed>) {
        self.scanned = 0;
        let line = mem::take(&mut self.buffer);
        if !mem::take(&mut self.skips) {
            // The end of the CLI may have cut it short, wherever that is.
            lines.extend(Line::parse(line).map(Framed::Line));
        }
    }
}

#[cfg(test)]
mod tests;
