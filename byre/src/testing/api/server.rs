//! HTTP for [`MessagesApi`](super::MessagesApi): connections, routes, statuses.

use std::{convert::Infallible, io, sync::Arc, time::Duration};

use http_body_util::{BodyExt, Limited};
use hyper::{
    Method, Request, Response,
    body::{Bytes, Incoming},
    header::CONTENT_TYPE,
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinSet, time};

use super::{
    Shared,
    body::{Body, Sender},
};
use crate::{
    testing::{
        player::{Answer, Beat, message},
        reply::ApiError,
        request::ModelRequest,
    },
    wire::json::replace_lone_surrogates,
};

/// The longest body that is read: more than the CLI ever sends.
const MAX_BODY: usize = 100 * 1024 * 1024;

/// Serves until the task is aborted, which breaks the connections.
pub(super) async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    let shared = Arc::clone(&shared);
                    connections.spawn(async move {
                        let service = service_fn(|request| answer(request, &shared));
                        // A client that goes away in the middle is what some tests are about.
                        let _ = http1::Builder::new()
                            .serve_connection(TokioIo::new(stream), service)
                            .await;
                    });
                }
                // Out of file descriptors, most likely: wait for some to close.
                Err(_) => time::sleep(Duration::from_millis(10)).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn answer(request: Request<Incoming>, shared: &Shared) -> Result<Response<Body>, Infallible> {
    let is_post = request.method() == Method::POST;
    let path = request.uri().path().to_owned();
    if !is_post {
        return Ok(json_response(200, &[], &json!({})));
    }
    let body = match Limited::new(request.into_body(), MAX_BODY).collect().await {
        Ok(body) => body.to_bytes(),
        Err(error) => return Ok(refusal(413, &error.to_string())),
    };
    Ok(match path.as_str() {
        // About what a tokenizer would say; the CLI treats big results by it.
        "/v1/messages/count_tokens" => {
            json_response(200, &[], &json!({"input_tokens": body.len() / 4}))
        }
        "/v1/messages" => match parse(&body) {
            Ok(body) => {
                let request = ModelRequest::from_body(body);
                let (stream, model) = (request.stream, request.model.clone());
                let answer = shared.answer(request);
                if stream { streamed(answer).await } else { whole(answer, &model).await }
            }
            Err(error) => refusal(400, &error.to_string()),
        },
        _ => json_response(200, &[], &json!({})),
    })
}

/// Reads a body as the real API does, which takes halves of surrogate pairs.
fn parse(body: &[u8]) -> serde_json::Result<Value> {
    let text = String::from_utf8_lossy(body).into_owned();
    serde_json::from_str(&replace_lone_surrogates(text))
}

/// Answers with a stream of server-sent events, or with an error if that is what comes first.
async fn streamed(answer: Answer) -> Response<Body> {
    let mut beats = answer.beats.into_iter().peekable();
    // The status line is written with the first event, so whatever comes before decides about it.
    while let Some(beat) = beats.next_if(|beat| !matches!(beat, Beat::Event(_) | Beat::Block(_))) {
        match beat {
            Beat::Error(error) => return error_response(&error),
            Beat::Wait(time) => time::sleep(time).await,
            // The connection's task ends when the client goes away.
            Beat::Hold => std::future::pending().await,
            Beat::Cut => return cut(),
            Beat::Event(_) | Beat::Block(_) => {}
        }
    }
    let (sender, body) = Body::channel();
    tokio::spawn(async move {
        tokio::select! {
            () = send(beats, &sender) => {}
            // The client, or the server, has gone: a held reply must not stay behind.
            () = sender.closed() => {}
        }
    });
    response(200, "text/event-stream", body)
}

async fn send(beats: impl Iterator<Item = Beat>, sender: &Sender) {
    for beat in beats {
        match beat {
            Beat::Event(event) => {
                let kind = event["type"].as_str().unwrap_or_default();
                sender.send(format!("event: {kind}\ndata: {event}\n\n")).await;
            }
            Beat::Error(error) => {
                sender.send(format!("event: error\ndata: {}\n\n", error.body)).await;
            }
            Beat::Block(_) => {}
            Beat::Wait(time) => time::sleep(time).await,
            Beat::Hold => std::future::pending().await,
            Beat::Cut => {
                // What was sent before must reach the client first.
                time::sleep(Duration::from_millis(20)).await;
                sender.fail().await;
                return;
            }
        }
    }
}

/// Answers with the whole message at once.
async fn whole(answer: Answer, model: &str) -> Response<Body> {
    let mut message = message(&answer.id, model);
    let mut content = Vec::new();
    for beat in answer.beats {
        match beat {
            Beat::Event(event) if event["type"] == "message_delta" => {
                message["stop_reason"] = event["delta"]["stop_reason"].clone();
                message["usage"]["output_tokens"] = event["usage"]["output_tokens"].clone();
            }
            Beat::Event(_) => {}
            Beat::Block(block) => content.push(block),
            Beat::Wait(time) => time::sleep(time).await,
            Beat::Hold => std::future::pending().await,
            Beat::Cut => return cut(),
            Beat::Error(error) => return error_response(&error),
        }
    }
    message["content"] = content.into();
    json_response(200, &[], &message)
}

/// Makes a response whose connection breaks before its body is complete.
fn cut() -> Response<Body> {
    response(200, "text/event-stream", Body::failing(io::ErrorKind::ConnectionReset.into()))
}

fn error_response(error: &ApiError) -> Response<Body> {
    json_response(error.status, &error.headers, &error.body)
}

fn refusal(status: u16, message: &str) -> Response<Body> {
    let error = json!({"type": "invalid_request_error", "message": message});
    json_response(status, &[], &json!({"type": "error", "error": error}))
}

fn json_response(status: u16, headers: &[(String, String)], body: &Value) -> Response<Body> {
    let mut response =
        response(status, "application/json", Body::full(Bytes::from(body.to_string())));
    for (name, value) in headers {
        if let (Ok(name), Ok(value)) =
            (hyper::header::HeaderName::try_from(name), hyper::header::HeaderValue::try_from(value))
        {
            response.headers_mut().append(name, value);
        }
    }
    response
}

fn response(status: u16, content_type: &'static str, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    // A status that HTTP does not allow is a mistake in the script; 500 shows it at least.
    *response.status_mut() = status.try_into().unwrap_or(hyper::StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, hyper::header::HeaderValue::from_static(content_type));
    headers.insert("request-id", hyper::header::HeaderValue::from_static("req_scripted"));
    response
}
