//! A response body that is written piece by piece, and that can fail.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

use hyper::body::{Body as HttpBody, Bytes, Frame, SizeHint};
use tokio::sync::mpsc;

/// What hyper reads.
#[derive(Debug)]
pub(super) struct Body {
    pieces: mpsc::Receiver<io::Result<Bytes>>,
    /// The length, where it is known from the start.
    len: Option<u64>,
}

/// What the script writes to.
#[derive(Debug)]
pub(super) struct Sender(mpsc::Sender<io::Result<Bytes>>);

impl Body {
    pub(super) fn channel() -> (Sender, Self) {
        let (sender, pieces) = mpsc::channel(1);
        (Sender(sender), Self { pieces, len: None })
    }

    pub(super) fn full(bytes: Bytes) -> Self {
        let len = u64::try_from(bytes.len()).ok();
        Self { len, ..Self::one(Ok(bytes)) }
    }

    pub(super) fn failing(error: io::Error) -> Self {
        Self::one(Err(error))
    }

    fn one(piece: io::Result<Bytes>) -> Self {
        let (sender, body) = Self::channel();
        // There is room for one.
        let _ = sender.0.try_send(piece);
        body
    }
}

impl Sender {
    /// Sends a piece; to nobody, if the client has gone.
    pub(super) async fn send(&self, piece: String) {
        let _ = self.0.send(Ok(piece.into())).await;
    }

    /// Breaks the connection.
    pub(super) async fn fail(&self) {
        let _ = self.0.send(Err(io::ErrorKind::ConnectionReset.into())).await;
    }

    /// Waits until the client has gone.
    pub(super) async fn closed(&self) {
        self.0.closed().await;
    }
}

impl HttpBody for Body {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        self.pieces.poll_recv(cx).map(|piece| piece.map(|piece| piece.map(Frame::data)))
    }

    fn size_hint(&self) -> SizeHint {
        self.len.map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}
