//! What a subcommand has to say, and the only place in byre that prints.

use std::{
    io::{self, ErrorKind, Write},
    process::ExitCode,
};

/// What goes to stdout and stderr, in this order, and the exit code.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Report {
    pub(super) pieces: Vec<Piece>,
    pub(super) code: u8,
}

#[derive(Debug, PartialEq)]
pub(super) enum Piece {
    Out(String),
    Err(String),
}

/// Something went wrong, or the tool says so.
pub(super) const FAILURE: u8 = 1;

/// The command line can't be understood.
pub(super) const MISUSE: u8 = 2;

impl Report {
    /// A report of one thing that went wrong.
    pub(super) fn error(code: u8, text: impl AsRef<str>) -> Self {
        let mut report = Self { code, ..Self::default() };
        report.note(format!("error: {}", text.as_ref()));
        report
    }

    /// Adds lines for stdout: results.
    pub(super) fn line(&mut self, text: impl Into<String>) {
        self.pieces.push(Piece::Out(text.into()));
    }

    /// Adds lines for stderr: what is about the results.
    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.pieces.push(Piece::Err(text.into()));
    }

    /// Prints it, and gives the exit code.
    pub(super) fn print(self) -> ExitCode {
        let code = ExitCode::from(self.code);
        match self.write(&mut io::stdout().lock(), &mut io::stderr().lock()) {
            Ok(()) => code,
            // Whoever reads has read enough, `head` for example.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => code,
            Err(error) => {
                // If stderr is the one that fails, nobody can be told.
                let _ = writeln!(io::stderr(), "error: could not write the output: {error}");
                ExitCode::from(FAILURE)
            }
        }
    }

    fn write(&self, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<()> {
        self.pieces.iter().try_for_each(|piece| match piece {
            Piece::Out(text) => put(out, text),
            Piece::Err(text) => put(err, text),
        })
    }

    /// What goes to stdout.
    #[cfg(test)]
    pub(super) fn out(&self) -> String {
        self.text(|piece| matches!(piece, Piece::Out(_)))
    }

    /// What goes to stderr.
    #[cfg(test)]
    pub(super) fn err(&self) -> String {
        self.text(|piece| matches!(piece, Piece::Err(_)))
    }

    #[cfg(test)]
    fn text(&self, fits: impl Fn(&Piece) -> bool) -> String {
        let pieces = self.pieces.iter().filter(|piece| fits(piece)).map(|piece| match piece {
            Piece::Out(text) | Piece::Err(text) => text.as_str(),
        });
        pieces.collect::<Vec<_>>().join("\n")
    }
}

fn put(stream: &mut dyn Write, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        stream.write_all(b"\n")?;
    }
    // A terminal shows both streams, and they are to stand in their order.
    stream.flush()
}

#[cfg(test)]
mod tests;
