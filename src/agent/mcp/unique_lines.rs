//! Standard input and output of the server, without the requests in which an object has a name twice.
//!
//! The library that serves takes the last value of the two; the person and the client's log may have seen the first. Such a request is
//! answered with an error, and the server does not get it.

use std::io;
use std::sync::Arc;

use tokio::io::{
    AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream, duplex,
};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

use crate::agent::acp::RpcMessage;

/// The most bytes that wait between the two sides.
const BUFFER: usize = 64 << 10;

/// Connection of the server to its client.
#[derive(Debug)]
pub(super) struct UniqueLines {
    /// The input and the output of the server.
    pub(super) server: (DuplexStream, DuplexStream),
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
        tokio::spawn(read(BufReader::new(input), to_server, Arc::clone(&output)));
        let written = tokio::spawn(write(BufReader::new(from_server), output));
        Self {
            server: (server_input, server_output),
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
        match RpcMessage::refusal(&line) {
            Some(refusal) => put(&output, &refusal.line()).await?,
            None => server.write_all(&line).await?,
        }
        line.clear();
    }
    Ok(())
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
}
