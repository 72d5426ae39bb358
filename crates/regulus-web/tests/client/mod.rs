//! A visitor who speaks plain HTTP over a socket.

#![allow(dead_code)] // Not every test needs everything.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::{Value, json};

/// A visitor.
#[derive(Clone)]
pub struct Client {
    pub address: SocketAddr,
    pub host: String,
}

/// What a server answers.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&self.body)))
    }

    /// The code of the error.
    pub fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }
}

fn head(reader: &mut impl BufRead) -> Answer {
    let mut line = String::new();
    reader.read_line(&mut line).expect("a status line");
    let status = line.split(' ').nth(1).and_then(|s| s.parse().ok());
    let status = status.unwrap_or_else(|| panic!("no status: {line:?}"));
    let mut headers = Vec::new();
    loop {
        line.clear();
        reader.read_line(&mut line).expect("a header");
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    Answer { status, headers, body: Vec::new() }
}

impl Client {
    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a timeout");
        stream
    }

    /// Sends bytes as they are.
    pub fn raw(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        // A server that refuses early may not read everything.
        let _ = stream.write_all(bytes);
        let mut reader = BufReader::new(stream);
        let mut answer = head(&mut reader);
        match answer.header("content-length").map(|length| length.parse().expect("a length")) {
            Some(length) => {
                answer.body.resize(length, 0);
                reader.read_exact(&mut answer.body).expect("the body");
            }
            None if answer.status == 204 => {}
            None => {
                reader.read_to_end(&mut answer.body).expect("the body");
            }
        }
        answer
    }

    pub fn send(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Answer {
        let host = if headers.contains("Host:") {
            String::new()
        } else {
            format!("Host: {}\r\n", self.host)
        };
        let length = body.len();
        let mut bytes = format!(
            "{method} {path} HTTP/1.1\r\n{host}{headers}Content-Length: {length}\r\n\
             Connection: close\r\n\r\n"
        )
        .into_bytes();
        bytes.extend_from_slice(body);
        self.raw(&bytes)
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", &format!("/api/v1{path}"), "", b"")
    }

    pub fn delete(&self, path: &str) -> Answer {
        self.send("DELETE", &format!("/api/v1{path}"), "", b"")
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.post_bytes(path, body.to_string().as_bytes())
    }

    pub fn post_bytes(&self, path: &str, body: &[u8]) -> Answer {
        let headers = "Content-Type: application/json\r\n";
        self.send("POST", &format!("/api/v1{path}"), headers, body)
    }

    /// Begins a session; gives its path and its view.
    pub fn begin(&self, body: &Value) -> (String, Value) {
        self.begin_at("/sessions", body)
    }

    /// Begins a session on a video game.
    pub fn begin_video(&self, body: &Value) -> (String, Value) {
        self.begin_at("/video/sessions", body)
    }

    fn begin_at(&self, path: &str, body: &Value) -> (String, Value) {
        let answer = self.post(path, body);
        assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.body));
        let mut begun = answer.json();
        (format!("{path}/{}", begun["id"].as_str().expect("an id")), begun["view"].take())
    }

    /// Does something in a session; gives its view.
    pub fn perform(&self, session: &str, command: &str, body: &Value) -> Value {
        let answer = self.post(&format!("{session}/{command}"), body);
        assert_eq!(answer.status, 200, "{command}: {}", String::from_utf8_lossy(&answer.body));
        answer.json()
    }

    pub fn view(&self, session: &str) -> Value {
        self.get(session).json()
    }

    /// Listens to a session.
    pub fn events(&self, session: &str) -> Events {
        let mut stream = self.connect();
        let host = &self.host;
        let request = format!("GET /api/v1{session}/events HTTP/1.1\r\nHost: {host}\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("a request");
        let mut reader = BufReader::new(stream);
        let answer = head(&mut reader);
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("content-type"), Some("text/event-stream"));
        Events { reader }
    }
}

/// Events of a session, one after the other.
pub struct Events {
    reader: BufReader<TcpStream>,
}

impl Iterator for Events {
    type Item = (String, Value);

    fn next(&mut self) -> Option<Self::Item> {
        let (mut name, mut line) = (String::new(), String::new());
        loop {
            line.clear();
            if self.reader.read_line(&mut line).expect("an event") == 0 {
                return None;
            }
            // What is neither is the length of a chunk, a sign of life or an empty line.
            if let Some(event) = line.strip_prefix("event: ") {
                name = event.trim().to_owned();
            } else if let Some(data) = line.strip_prefix("data: ") {
                return Some((name, serde_json::from_str(data.trim()).expect("JSON")));
            }
        }
    }
}

impl Events {
    /// The first view that is as wished.
    pub fn until(&mut self, wished: impl Fn(&Value) -> bool) -> Value {
        self.find(|(name, data)| name == "view" && wished(data)).expect("such a view").1
    }
}

/// Seats: `h` is a human, a number an agent with that many simulations.
pub fn seats(words: &[&str]) -> Value {
    let seat = |word: &&str| match *word {
        "h" => json!({ "kind": "human" }),
        count => json!({ "kind": "agent", "agent": "auto", "limit": format!("sims={count}") }),
    };
    words.iter().map(seat).collect()
}
