//! HTTP server of the companion: authentication, and the end of a session when its client disconnects.

use std::convert::Infallible;
use std::net::TcpListener;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Collected, Empty, Full};
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::SessionManager;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use sha2::{Digest, Sha256};
use tokio::sync::{Semaphore, oneshot};

use super::diff::Opener;
use super::open_diffs::OpenDiffs;
use super::tools::{CompanionTools, SESSION};
use crate::agent::wire::MOST_BYTES;

/// Content type of an event stream.
const EVENTS: &str = "text/event-stream";
/// Connections at once; a client has two or three.
const CONNECTIONS: usize = 64;
/// The longest time for the head of a request.
const HEAD: Duration = Duration::from_secs(10);
/// The longest silence of a session: a person may think for long, and a client that has ended closes its connection.
const SILENCE: Duration = Duration::from_hours(24 * 7);

type HttpResponse = Response<BoxBody<Bytes, Infallible>>;

/// The server.
pub(super) struct CompanionServer {
    service: StreamableHttpService<CompanionTools, LocalSessionManager>,
    sessions: Arc<LocalSessionManager>,
    shown: OpenDiffs,
    /// Hash of the token that requests must carry. Comparing hashes reveals nothing about the token by its timing.
    token: [u8; 32],
}

impl CompanionServer {
    pub(super) fn new(opener: Opener, token: &str) -> Self {
        let shown = OpenDiffs::default();
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.keep_alive = Some(SILENCE);
        let sessions = Arc::new(sessions);
        let tools = CompanionTools {
            opener,
            shown: shown.clone(),
        };
        // A page in a browser has no business here, whatever it knows.
        let config = StreamableHttpServerConfig::default()
            .enforce_origin_validation()
            .with_max_request_body_bytes(MOST_BYTES);
        Self {
            service: StreamableHttpService::new(
                move || Ok(tools.clone()),
                Arc::clone(&sessions),
                config,
            ),
            sessions,
            shown,
            token: hash(&format!("Bearer {token}")),
        }
    }

    /// Serves until it is stopped.
    pub(super) async fn run(self, listener: TcpListener, mut stopped: oneshot::Receiver<()>) {
        // One that cannot be waited for lets nobody in.
        let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
            return;
        };
        let server = Arc::new(self);
        let room = Arc::new(Semaphore::new(CONNECTIONS));
        loop {
            let connection = async {
                let place = Arc::clone(&room).acquire_owned().await;
                (listener.accept().await, place)
            };
            let (accepted, place) = tokio::select! {
                connection = connection => connection,
                _ = &mut stopped => return,
            };
            let Ok((stream, _)) = accepted else {
                // A system without room for now: never a tight loop.
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            };
            let server = Arc::clone(&server);
            tokio::spawn(async move {
                let _place = place;
                let answer = service_fn(|request| {
                    let server = Arc::clone(&server);
                    async move { Ok::<_, Infallible>(server.answer(request).await) }
                });
                // A connection that fails has ended.
                let _ = http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(HEAD)
                    .serve_connection(TokioIo::new(stream), answer)
                    .await;
            });
        }
    }

    async fn answer(&self, request: Request<Incoming>) -> HttpResponse {
        let bearer = request.headers().get(AUTHORIZATION);
        let bearer = bearer.and_then(|bearer| bearer.to_str().ok());
        if bearer.map(hash) != Some(self.token) {
            return empty(StatusCode::UNAUTHORIZED);
        }
        if request.uri().path() != "/mcp" {
            return empty(StatusCode::NOT_FOUND);
        }
        let listens = request.method() == Method::GET;
        let leaves = request.method() == Method::DELETE;
        let session = request.headers().get(SESSION);
        let session = session
            .and_then(|name| name.to_str().ok())
            .map(str::to_owned);
        let answer = self.service.handle(request).await;
        let Some(session) = session.filter(|_| answer.status().is_success()) else {
            return in_one_piece(answer).await;
        };
        if leaves {
            self.shown.leave(&session);
        }
        if !listens {
            return in_one_piece(answer).await;
        }
        let leaving = SessionGuard {
            session,
            shown: self.shown.clone(),
            sessions: Arc::clone(&self.sessions),
        };
        answer.map(|body| {
            Listening {
                body,
                _leaving: leaving,
            }
            .boxed()
        })
    }
}

/// Event stream on which a client receives the outcomes of its diffs. Its end is the end of the client.
struct Listening {
    body: BoxBody<Bytes, Infallible>,
    _leaving: SessionGuard,
}

impl Body for Listening {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Ends a session when it is dropped.
struct SessionGuard {
    session: String,
    shown: OpenDiffs,
    sessions: Arc<LocalSessionManager>,
}

impl Drop for SessionGuard {
    fn drop(&mut self) {
        self.shown.leave(&self.session);
        let (sessions, session) = (Arc::clone(&self.sessions), self.session.as_str().into());
        // Outside of the runtime the server has stopped, and its sessions with it.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                // One that has ended needs no ending.
                let _ = sessions.close_session(&session).await;
            });
        }
    }
}

/// An answer as one piece of JSON instead of a stream of events. Gemini takes up again every stream whose events bear names,
/// also one that has come to its end, and when it then hears its answer twice it takes the connection for broken.
async fn in_one_piece(answer: HttpResponse) -> HttpResponse {
    let (mut head, body) = answer.into_parts();
    let kind = head.headers.get(CONTENT_TYPE);
    if kind.is_none_or(|kind| kind.as_bytes() != EVENTS.as_bytes()) {
        return Response::from_parts(head, body);
    }
    let Ok(events) = body.collect().await.map(Collected::to_bytes);
    let events = String::from_utf8_lossy(&events);
    let data = events.lines().filter_map(|line| line.strip_prefix("data:"));
    // What comes before the answer is only a name to resume by.
    let last = data.map(str::trim).rfind(|data| !data.is_empty());
    let last = last.unwrap_or_default().to_owned();
    head.headers
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Response::from_parts(head, Full::new(Bytes::from(last)).boxed())
}

fn empty(status: StatusCode) -> HttpResponse {
    let mut answer = Response::new(Empty::new().boxed());
    *answer.status_mut() = status;
    answer
}

fn hash(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}
