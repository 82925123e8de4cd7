//! The connections to a mail server, their deadlines, and the meaning of its answers for a mail.
//!
//! Connections are kept by hand: a pool that takes back a connection after a timeout would read the answers of one
//! mail as those of the next.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use lettre::{
    Message,
    transport::smtp::{
        Error,
        authentication::{Credentials, Mechanism},
        client::{AsyncSmtpConnection, TlsParameters},
        commands::{Data, Mail, Rcpt},
        extension::ClientId,
    },
};
use secrecy::ExposeSecret as _;
use tokio::time::{Instant, error::Elapsed, timeout, timeout_at};

use rules::mail_replies::{Stage, enhanced_code};

use super::{
    retry::Failure,
    settings::{Encryption, SmtpUrl},
};

/// Until the server is ready for mail. With [`SEND`] it is half of an outbox lease.
const CONNECT: Duration = Duration::from_secs(10);
/// From the sender's address to the answer after the text.
const SEND: Duration = Duration::from_secs(20);
/// Longer for the answer to a letter to many: a server may take minutes over the text (RFC 5321, section 4.5.3.2.6), and usually has it
/// when a wait ends too early. All three together are shorter than `rules::letter_sending::HANDING_MS`.
pub(super) const MORE_FOR_MANY: Duration = Duration::from_secs(80);
const SLOW: &str = "no answer in time";
const IDLE: usize = 4;
/// Firewalls drop silent connections without a word; then each would be waited for.
const IDLE_MAX: Duration = Duration::from_mins(1);
/// Mails in one connection. Servers that count them answer 421 to the next one, as if it were too fast.
const MAILS_MAX: u32 = 50;

pub(super) struct Server {
    url: SmtpUrl,
    tls: TlsParameters,
    hello: ClientId,
    idle: Mutex<Vec<Connection>>,
}

struct Connection {
    smtp: AsyncSmtpConnection,
    /// Those that the server has taken.
    mails: u32,
    used_at: Instant,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("host", &self.url.host).finish_non_exhaustive()
    }
}

impl Server {
    /// `hello` is the name that the program greets the server with.
    pub(super) fn new(url: SmtpUrl, hello: &str) -> anyhow::Result<Self> {
        let tls = TlsParameters::new(url.host.clone())?;
        Ok(Self { url, tls, hello: ClientId::Domain(hello.to_owned()), idle: Mutex::default() })
    }

    pub(super) fn host(&self) -> &str {
        &self.url.host
    }

    /// Sends the sender and the recipient; the server then waits for the text.
    pub(super) async fn begin(&self, message: &Message) -> Result<MailTransaction<'_>, Refusal> {
        let mut connection = answered(At::Connecting, timeout(CONNECT, self.connection()).await)?;
        let deadline = Instant::now() + SEND;
        let mut stage = Stage::Sender;
        let ready = timeout_at(deadline, async {
            let envelope = message.envelope();
            // Addresses and text are ASCII, so no extension is needed.
            connection.smtp.command(Mail::new(envelope.from().cloned(), Vec::new())).await?;
            stage = Stage::Recipient;
            for to in envelope.to() {
                connection.smtp.command(Rcpt::new(to.clone(), Vec::new())).await?;
            }
            stage = Stage::Text;
            connection.smtp.command(Data).await
        });
        let ready = ready.await;
        answered(At::Command(stage), ready)?;
        Ok(MailTransaction { server: self, connection, deadline })
    }

    async fn connection(&self) -> Result<Connection, Error> {
        loop {
            let kept = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let Some(mut connection) = kept else {
                let smtp = self.connect().await?;
                return Ok(Connection { smtp, mails: 0, used_at: Instant::now() });
            };
            if connection.used_at.elapsed() < IDLE_MAX && connection.smtp.test_connected().await {
                return Ok(connection);
            }
        }
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, Error> {
        let SmtpUrl { host, port, encryption, credentials } = &self.url;
        let address = (host.as_str(), *port);
        let wrapper = (*encryption == Encryption::Tls).then(|| self.tls.clone());
        let mut connection =
            AsyncSmtpConnection::connect_tokio1(address, Some(CONNECT), &self.hello, wrapper, None).await?;
        if *encryption == Encryption::StartTls {
            connection.starttls(self.tls.clone(), &self.hello).await?;
        }
        if let Some((user, password)) = credentials {
            let credentials = Credentials::new(user.clone(), password.expose_secret().to_owned());
            connection.auth(&[Mechanism::Plain, Mechanism::Login], &credentials).await?;
        }
        Ok(connection)
    }

    fn keep(&self, mut connection: Connection) {
        connection.mails += 1;
        connection.used_at = Instant::now();
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < IDLE && connection.mails < MAILS_MAX {
            idle.push(connection);
        }
    }

    pub(super) fn rest(&self) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// A mail transaction (RFC 5321, section 3.3) whose server waits for the text. Dropping it sends no mail.
pub(super) struct MailTransaction<'a> {
    server: &'a Server,
    connection: Connection,
    deadline: Instant,
}

impl MailTransaction<'_> {
    /// Sends the text, and waits for the answer until [`SEND`] and `more` are over. On success the server is responsible for the mail.
    pub(super) async fn finish(mut self, message: &Message, more: Duration) -> Result<(), Refusal> {
        let taken =
            timeout_at(self.deadline + more, self.connection.smtp.message(&message.formatted())).await;
        // After a failure the connection is dropped: its next answer cannot be predicted.
        answered(At::Text, taken)?;
        self.server.keep(self.connection);
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Connecting,
    Command(Stage),
    /// The text was under way.
    Text,
}

/// A mail that the server did not take, as far as is known.
#[derive(Debug)]
pub(super) struct Refusal {
    at: At,
    /// None if it did not answer in time.
    error: Option<Error>,
}

fn answered<T>(at: At, answer: Result<Result<T, Error>, Elapsed>) -> Result<T, Refusal> {
    answer.map_err(|_| None).and_then(|done| done.map_err(Some)).map_err(|error| Refusal { at, error })
}

impl Refusal {
    /// The server's reply, if it made one: what it answers, its code, and its enhanced code.
    pub(super) fn reply(&self) -> Option<(Stage, u16, Option<[u16; 3]>)> {
        let error = self.error.as_ref()?;
        let code = error.status()?.into();
        let text = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
        let stage = match self.at {
            At::Connecting => Stage::Sender,
            At::Command(stage) => stage,
            At::Text => Stage::Text,
        };
        Some((stage, code, enhanced_code(&text)))
    }

    /// Whether the server may have taken the mail although no reply says so.
    pub(super) fn is_unknown(&self) -> bool {
        self.at == At::Text && self.reply().is_none()
    }

    /// The meaning for a mail of the outbox.
    pub(super) fn failure(&self) -> Failure {
        match (&self.error, self.at) {
            (Some(error), At::Connecting) => Failure::Away(in_words(error)),
            (None, At::Connecting) => Failure::Away(SLOW.to_owned()),
            (Some(error), at) => failure(error, at),
            (None, _) => Failure::Later(SLOW.to_owned()),
        }
    }
}

/// Describes an error without the server's words, which may repeat addresses.
fn in_words(error: &Error) -> String {
    if let Some(code) = error.status() {
        return code.to_string();
    }
    let kind = if error.is_timeout() {
        SLOW
    } else if error.is_tls() {
        "no encrypted connection"
    } else if error.is_client() {
        "cannot be asked as set up"
    } else {
        "no connection"
    };
    kind.to_owned()
}

fn failure(error: &Error, at: At) -> Failure {
    let reason = in_words(error);
    match error.status().map(u16::from) {
        // The server is closing, or demands a sign-in: neither is about this mail.
        Some(421 | 530 | 534 | 535 | 538) => Failure::Away(reason),
        // After the sender it is about the recipient, such as `454 4.7.1 Relay access denied`.
        Some(454) if at == At::Command(Stage::Sender) => Failure::Away(reason),
        _ if error.is_permanent() => Failure::Rejected(reason),
        _ if error.is_client() => Failure::Unreadable,
        _ => Failure::Later(reason),
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
        net::{TcpListener, TcpStream},
    };

    use super::*;

    /// Takes every mail.
    async fn serve(stream: TcpStream) -> std::io::Result<()> {
        let mut stream = BufReader::new(stream);
        stream.write_all(b"220 sink\r\n").await?;
        let (mut line, mut is_text) = (String::new(), false);
        while stream.read_line(&mut line).await? > 0 {
            let ends_text = is_text && line == ".\r\n";
            let answer: &[u8] = if line == "DATA\r\n" { b"354 go on\r\n" } else { b"250 OK\r\n" };
            if !is_text || ends_text {
                stream.write_all(answer).await?;
            }
            is_text = answer.starts_with(b"354") || is_text && !ends_text;
            line.clear();
        }
        Ok(())
    }

    #[tokio::test]
    async fn a_connection_is_used_again_for_a_minute() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = SmtpUrl {
            host: "127.0.0.1".to_owned(),
            port: listener.local_addr().unwrap().port(),
            encryption: Encryption::None,
            credentials: None,
        };
        let server = Server::new(url, "label.example").unwrap();
        let message = Message::builder().from("a@label.example".parse().unwrap());
        let message = message.to("b@label.example".parse().unwrap()).body(String::new()).unwrap();
        let mut connections = 0;
        for (seconds, expected) in [(0, 1), (59, 1), (61, 2)] {
            tokio::time::pause();
            tokio::time::advance(Duration::from_secs(seconds)).await;
            tokio::time::resume();
            let mut sending = std::pin::pin!(async {
                let transaction = server.begin(&message).await.unwrap();
                transaction.finish(&message, Duration::ZERO).await.unwrap();
            });
            loop {
                tokio::select! {
                    () = &mut sending => break,
                    accepted = listener.accept() => {
                        connections += 1;
                        tokio::spawn(serve(accepted.unwrap().0));
                    }
                }
            }
            assert_eq!(connections, expected, "after {seconds} s");
        }
    }
}
