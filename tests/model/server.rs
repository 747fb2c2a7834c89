//! A server that says what it is told to, one answer after the other.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// One answer.
#[derive(Clone)]
pub(crate) enum Answer {
    /// A status, a header line or none, and a body.
    Says(u16, &'static str, String),
    /// The head of an answer that announces more than comes.
    CutOff,
    /// Nothing for so long.
    Silence(Duration),
    /// An answer after so long.
    #[allow(dead_code, reason = "the tests of the terminal wait for it")]
    Later(Duration, Box<Answer>),
}

/// Where it listens, and what it was asked.
pub(crate) struct Server {
    pub(crate) endpoint: String,
    asked: Receiver<(String, Value)>,
}

impl Server {
    /// Starts to listen; the last answer is given again and again.
    pub(crate) fn start(answers: Vec<Answer>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let endpoint = format!("http://{}/v1", listener.local_addr().unwrap());
        let (sender, asked) = channel();
        thread::spawn(move || {
            let mut answers = answers.into_iter().peekable();
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let Some(request) = request(&mut stream) else {
                    continue;
                };
                if sender.send(request).is_err() {
                    return;
                }
                let Some(answer) = answers.peek().cloned() else {
                    return;
                };
                answers.next_if(|_| true);
                if answers.peek().is_none() {
                    answers = vec![answer.clone()].into_iter().peekable();
                }
                give(&mut stream, answer);
            }
        });
        Self { endpoint, asked }
    }

    /// The heads and bodies of the requests so far.
    pub(crate) fn asked(&self) -> Vec<(String, Value)> {
        self.asked.try_iter().collect()
    }
}

fn request(stream: &mut TcpStream) -> Option<(String, Value)> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        (reader.read_line(&mut head).ok()? > 0).then_some(())?;
    }
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.trim().parse().ok())?
    })?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((head, serde_json::from_slice(&body).unwrap()))
}

fn give(stream: &mut TcpStream, answer: Answer) {
    let head = |status, header: &str, length| {
        format!(
            "HTTP/1.1 {status} X\r\nContent-Length: {length}\r\nConnection: close\r\n{header}\r\n"
        )
    };
    // A client that has enough goes away.
    let _ = match answer {
        Answer::Says(status, header, body) => {
            let text = head(status, header, body.len()) + &body;
            stream.write_all(text.as_bytes())
        }
        Answer::CutOff => {
            let text = head(200, "", 1000) + "{\"choices\":";
            stream.write_all(text.as_bytes())
        }
        Answer::Silence(time) => {
            thread::sleep(time);
            Ok(())
        }
        Answer::Later(time, answer) => {
            thread::sleep(time);
            give(stream, *answer);
            Ok(())
        }
    };
}

/// A chat's answer with a text.
pub(crate) fn chat(text: &str) -> Answer {
    let body = json!({ "choices": [{ "message": { "content": text }, "finish_reason": "stop" }] });
    Answer::Says(200, "", body.to_string())
}

/// The same between the tags that are asked for.
pub(crate) fn tagged(text: &str) -> Answer {
    chat(&format!("<updated_code>\n{text}</updated_code>"))
}

pub(crate) fn status(status: u16) -> Answer {
    Answer::Says(status, "", "{}".to_owned())
}
