//! HTTP server on loopback in front of the scripted model.

use std::convert::Infallible;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::sync::oneshot;

use super::model::ScriptedModel;
use crate::agent::wire::MOST_BYTES;

/// A server that runs until it is dropped.
#[derive(Debug)]
pub(super) struct ProbeServer {
    port: u16,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ProbeServer {
    /// Listens on a free port of the loopback interface.
    pub(super) fn start(model: Arc<ScriptedModel>) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let (stop, stopped) = oneshot::channel();
        let thread = thread::Builder::new()
            .name("countersign-probe".to_owned())
            .spawn(move || {
                runtime.block_on(serve(listener, model, stopped));
                runtime.shutdown_background();
            })?;
        Ok(Self {
            port,
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    /// Returns the address that clients are given.
    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for ProbeServer {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // A server that has ended needs no message.
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

async fn serve(
    listener: TcpListener,
    model: Arc<ScriptedModel>,
    mut stopped: oneshot::Receiver<()>,
) {
    // Without a listener no client gets an answer, and nothing is shown.
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
        return;
    };
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = &mut stopped => return,
        };
        let Ok((stream, _)) = accepted else {
            return;
        };
        let model = Arc::clone(&model);
        tokio::spawn(async move {
            let answer = service_fn(|request| {
                let model = Arc::clone(&model);
                async move { Ok::<_, Infallible>(answer(&model, request).await) }
            });
            // A connection that fails has ended.
            let _ = http1::Builder::new()
                .serve_connection(TokioIo::new(stream), answer)
                .await;
        });
    }
}

/// Answers requests to the model. It is the client's proxy as well, and lets it connect to nothing.
async fn answer(model: &ScriptedModel, request: Request<Incoming>) -> Response<Full<Bytes>> {
    let is_proxied = request.uri().authority().is_some();
    if request.method() != Method::POST || is_proxied {
        return refused(StatusCode::FORBIDDEN);
    }
    let path = request.uri().path().to_owned();
    let body = Limited::new(request.into_body(), MOST_BYTES)
        .collect()
        .await;
    let Ok(body) = body else {
        return refused(StatusCode::PAYLOAD_TOO_LARGE);
    };
    let Ok(body) = serde_json::from_slice(&body.to_bytes()) else {
        return refused(StatusCode::BAD_REQUEST);
    };
    let answer = model.answer(&path, &body);
    let mut response = Response::new(Full::from(answer.body));
    let kind = HeaderValue::from_static(answer.kind);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

fn refused(status: StatusCode) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::default());
    *response.status_mut() = status;
    response
}
