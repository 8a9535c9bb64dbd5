use std::io::{self, ErrorKind, Write};

use super::{Piece, Report};

#[test]
fn each_piece_goes_to_its_stream_and_ends_its_line() {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let report = Report {
        pieces: vec![
            Piece::Err("first".to_owned()),
            Piece::Out("second".to_owned()),
            Piece::Out("third, which ends by itself\n".to_owned()),
            Piece::Out(String::new()),
        ],
        code: 0,
    };
    report.write(&mut out, &mut err).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), "second\nthird, which ends by itself\n\n");
    assert_eq!(String::from_utf8(err).unwrap(), "first\n");
}

#[test]
fn a_reader_that_has_gone_ends_the_output() {
    struct Gone;

    impl Write for Gone {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let mut report = Report::default();
    report.line("a line");
    let error = report.write(&mut Gone, &mut Vec::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BrokenPipe);
}
