//! Standard input and output of the server, without the messages that it would not read as the client wrote them.
//!
//! Of an object that has a name twice the library that serves takes the last value; the person and the client's log may have seen the
//! first. A line that is too long it drops, and the client would wait for ever. Such a request is answered with an error, and the server
//! does not get it.

use std::io;
use std::sync::Arc;

use rmcp::transport::async_rw::DEFAULT_MAX_LINE_LENGTH;
use serde_json::Value;
use tokio::io::{
    AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream, duplex,
};
use tokio::sync::{Mutex, watch};
use tokio::task::JoinHandle;

use crate::agent::acp::RpcMessage;

/// The most bytes that wait between the two sides.
const BUFFER: usize = 64 << 10;

/// Connection of the server to its client.
#[derive(Debug)]
pub(super) struct UniqueLines {
    /// The input and the output of the server.
    pub(super) server: (DuplexStream, DuplexStream),
    /// Closed when the client has closed its side.
    pub(super) input: watch::Receiver<()>,
    /// Ends when the server has closed its side and all of it is written.
    pub(super) written: JoinHandle<io::Result<()>>,
}

impl UniqueLines {
    /// Connects a server to a client. Must be called within a runtime.
    pub(super) fn between<R, W>(input: R, output: W) -> Self
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let (to_server, server_input) = duplex(BUFFER);
        let (server_output, from_server) = duplex(BUFFER);
        let output = Arc::new(Mutex::new(output));
        let (open, ended) = watch::channel(());
        let reading = read(BufReader::new(input), to_server, Arc::clone(&output));
        tokio::spawn(async move {
            let read = reading.await;
            drop(open);
            read
        });
        let written = tokio::spawn(write(BufReader::new(from_server), output));
        Self {
            server: (server_input, server_output),
            input: ended,
            written,
        }
    }
}

/// Passes the lines of the client on, and answers those that are refused.
async fn read<R, W>(
    mut input: BufReader<R>,
    mut server: DuplexStream,
    output: Arc<Mutex<W>>,
) -> io::Result<()>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line).await? > 0 {
        match too_long(&line).or_else(|| RpcMessage::refusal(&line)) {
            Some(refusal) => put(&output, &refusal.line()).await?,
            None => server.write_all(&line).await?,
        }
        line.clear();
        // The memory of a long message is given back.
        line.shrink_to(BUFFER);
    }
    Ok(())
}

/// Returns the answer to a message that is longer than the server reads. One without an id gets none by name: the error is all that there
/// is to say about it.
fn too_long(line: &[u8]) -> Option<RpcMessage> {
    if line.len() <= DEFAULT_MAX_LINE_LENGTH {
        return None;
    }
    let message = RpcMessage::parse(line);
    let id = message.as_ref().and_then(RpcMessage::id);
    let why = format!(
        "countersign: this message is longer than {} MiB, so it is not read and nothing is written; propose the change in parts",
        DEFAULT_MAX_LINE_LENGTH >> 20
    );
    Some(RpcMessage::error(id.unwrap_or(&Value::Null), &why))
}

/// Passes the lines of the server on.
async fn write<W: AsyncWrite + Unpin>(
    mut server: BufReader<DuplexStream>,
    output: Arc<Mutex<W>>,
) -> io::Result<()> {
    let mut line = Vec::new();
    while server.read_until(b'\n', &mut line).await? > 0 {
        put(&output, &line).await?;
        line.clear();
    }
    Ok(())
}

async fn put<W: AsyncWrite + Unpin>(output: &Mutex<W>, line: &[u8]) -> io::Result<()> {
    let mut output = output.lock().await;
    output.write_all(line).await?;
    output.flush().await
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    #[test]
    fn a_request_with_a_name_twice_is_answered_and_kept_from_the_server() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        runtime.block_on(async {
            let twice = r#"{"id":1,"method":"tools/call","params":{"input":"a","input":"b"}}"#;
            let once = r#"{"id":2,"method":"tools/call","params":{"input":"a"}}"#;
            let (mut client, client_side) = duplex(BUFFER);
            let (output, mut answers) = duplex(BUFFER);
            let lines = UniqueLines::between(client_side, output);
            let (mut server_input, mut server_output) = lines.server;
            client
                .write_all(format!("{twice}\n{once}\n").as_bytes())
                .await
                .unwrap();
            drop(client);
            let mut read = String::new();
            server_input.read_to_string(&mut read).await.unwrap();
            assert_eq!(read, format!("{once}\n"));
            server_output.write_all(b"answer\n").await.unwrap();
            drop(server_output);
            lines.written.await.unwrap().unwrap();
            let mut written = String::new();
            answers.read_to_string(&mut written).await.unwrap();
            let (error, answer) = written.split_once('\n').unwrap();
            assert!(
                error.contains(r#""id":1"#) && error.contains("input"),
                "{error}"
            );
            assert_eq!(answer, "answer\n");
        });
    }

    #[test]
    fn a_message_that_is_too_long_is_answered() {
        let check = |before: &str, after: &str, expected: Option<&str>| {
            let length = DEFAULT_MAX_LINE_LENGTH - before.len() - after.len();
            for (length, expected) in [(length, None), (length + 1, expected)] {
                let line = format!("{before}{}{after}", "y".repeat(length));
                let answer = too_long(line.as_bytes()).map(|answer| answer.line());
                let answer = answer.map(|line| String::from_utf8(line).unwrap());
                let has = |id: &str| answer.as_ref().is_some_and(|answer| answer.contains(id));
                assert_eq!(expected.is_some(), answer.is_some(), "{before}");
                assert!(expected.is_none_or(has), "{answer:?}");
            }
        };
        let call = "{\"method\":\"tools/call\",\"params\":{\"content\":\"";
        check(call, "\"},\"id\":7}\n", Some("\"id\":7"));
        check(call, "\"}}\n", Some("\"id\":null"));
        check("no JSON", "\n", Some("\"id\":null"));
    }
}
