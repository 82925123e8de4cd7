//! The headers of a letter that arrived: what the receiving server found (RFC 8601), and what the signature covers (RFC 6376).

use serde::{Deserialize, Serialize};

use super::{ArrivalCheck, ArrivalError, Finding, Grade};

/// Largest text that is read, in bytes.
pub const HEADERS_MAX_BYTES: usize = 65_536;
/// Largest request with headers, in bytes; JSON escapes their line breaks.
pub const BODY_MAX_BYTES: usize = 2 * HEADERS_MAX_BYTES;
/// Results and signatures that are read.
const PARTS_MAX: usize = 20;
/// The longest name that is repeated in a sentence.
const NAME_MAX: usize = 100;
const LEAVE_HEADERS: [&str; 2] = ["List-Unsubscribe", "List-Unsubscribe-Post"];

/// The findings of a receiving server, read from the headers of a letter.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HeaderFindings {
    /// Which server says so, in a sentence.
    pub said: String,
    /// SPF, DKIM, DMARC and the headers to leave.
    pub findings: Vec<Finding>,
}

/// Reads the headers of a letter, or the whole letter. Of several results only the topmost count: those below may have come with the letter.
///
/// ```
/// use rules::letter_arrival::headers::read;
///
/// let read = read("Authentication-Results: mx.example; spf=pass\r\nSubject: A record\r\n\r\ntext").unwrap();
/// assert_eq!(read.said, "mx.example received the letter and found:");
/// assert_eq!(read.findings[0].text, "SPF passed: the letter came from a server that may send for the domain.");
/// ```
pub fn read(text: &str) -> Result<HeaderFindings, ArrivalError> {
    if text.len() > HEADERS_MAX_BYTES {
        return Err(ArrivalError::Headers);
    }
    let headers = unfolded(text);
    let all = |name: &'static str| {
        let named = headers.iter().filter(move |(found, _)| found.eq_ignore_ascii_case(name));
        named.map(|(_, value)| &**value)
    };
    let has = |name: &'static str| all(name).next().is_some();
    if !["From", "Received", "DKIM-Signature", "Authentication-Results"].into_iter().any(has) {
        return Err(ArrivalError::Headers);
    }
    let results = all("Authentication-Results").next().map(Results::parse);
    let said = match &results {
        None => "The headers hold no Authentication-Results: the server that received the letter does not say what it found.".to_owned(),
        Some(Results { server: Some(server), .. }) => format!("{server} received the letter and found:"),
        Some(_) => "The server that received the letter does not name itself. It found:".to_owned(),
    };
    let results = results.unwrap_or_default();
    let signatures: Vec<_> = all("DKIM-Signature").take(PARTS_MAX).map(Signature::parse).collect();
    let findings = vec![
        spf(&results),
        dkim(&results, &signatures),
        dmarc(&results),
        covered(&results, &signatures, LEAVE_HEADERS.into_iter().all(has)),
    ];
    Ok(HeaderFindings { said, findings })
}

/// The header fields before the first empty line, their folded lines joined.
fn unfolded(text: &str) -> Vec<(String, String)> {
    let mut headers: Vec<(String, String)> = Vec::new();
    for line in text.trim_start().lines() {
        if line.trim().is_empty() {
            break;
        }
        if line.starts_with([' ', '\t']) {
            if let Some((_, value)) = headers.last_mut() {
                value.push(' ');
                value.push_str(line.trim());
            }
        } else if let Some((name, value)) = line.split_once(':')
            && !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_graphic())
        {
            headers.push((name.to_owned(), value.trim().to_owned()));
        }
    }
    headers
}

/// A text without comments: `a (b (c)) d` as `a  d`.
fn uncommented(text: &str) -> String {
    let (mut depth, mut is_quoted, mut is_escaped) = (0_u32, false, false);
    let mut rest = String::with_capacity(text.len());
    for c in text.chars() {
        if is_escaped {
            is_escaped = false;
        } else if c == '\\' {
            is_escaped = true;
        } else if c == '"' && depth == 0 {
            is_quoted = !is_quoted;
        } else if c == '(' && !is_quoted {
            depth += 1;
        } else if c == ')' && !is_quoted && depth > 0 {
            depth -= 1;
        } else if depth == 0 && !(is_quoted && matches!(c, ';' | '=')) {
            rest.push(c);
        }
    }
    rest
}

fn short(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(NAME_MAX).collect()
}

#[derive(Debug, Default)]
struct Results {
    server: Option<String>,
    /// Method, result, and the domain that it is about, in lower case.
    parts: Vec<(String, String, Option<String>)>,
}

impl Results {
    fn parse(value: &str) -> Self {
        let value = uncommented(value);
        let mut server = None;
        let mut parts = Vec::new();
        for (at, part) in value.split(';').take(PARTS_MAX).enumerate() {
            let mut words = part.split_whitespace();
            let Some(first) = words.next() else { continue };
            let Some((method, result)) = first.split_once('=') else {
                if at == 0 {
                    server = Some(short(first));
                }
                continue;
            };
            let about = words.filter_map(|word| word.split_once('=')).find_map(|(name, value)| {
                matches!(name, "header.d" | "header.i")
                    .then(|| value.rsplit('@').next().unwrap_or(value).to_ascii_lowercase())
            });
            let method = method.split('/').next().unwrap_or(method);
            parts.push((method.to_ascii_lowercase(), result.to_ascii_lowercase(), about));
        }
        Self { server, parts }
    }

    fn of(&self, method: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
        let found = self.parts.iter().filter(move |(name, ..)| name == method);
        found.map(|(_, result, about)| (&**result, about.as_deref()))
    }

    fn first(&self, method: &str) -> Option<&str> {
        self.of(method).next().map(|(result, _)| result)
    }

    /// The domains of the signatures that held; none in a list if the server does not name it.
    fn signers(&self) -> Vec<Option<&str>> {
        self.of("dkim").filter(|(result, _)| *result == "pass").map(|(_, about)| about).collect()
    }
}

#[derive(Debug)]
struct Signature {
    domain: String,
    /// Names of the signed headers, in lower case.
    signed: Vec<String>,
}

impl Signature {
    fn parse(value: &str) -> Self {
        let tag = |name: &str| {
            value.split(';').find_map(|part| {
                let (tag, value) = part.split_once('=')?;
                (tag.trim() == name)
                    .then(|| value.split_whitespace().collect::<String>().to_ascii_lowercase())
            })
        };
        let signed = tag("h").unwrap_or_default().split(':').map(str::to_owned).collect();
        Self { domain: tag("d").unwrap_or_default(), signed }
    }
}

fn unsaid(check: ArrivalCheck, name: &str) -> Finding {
    Finding::new(check, Grade::Info, format!("The server says nothing about {name}."))
}

fn spf(results: &Results) -> Finding {
    let found = |grade, text: &str| Finding::new(ArrivalCheck::Spf, grade, text);
    match results.first("spf") {
        None => unsaid(ArrivalCheck::Spf, "SPF"),
        Some("pass") => {
            found(Grade::Pass, "SPF passed: the letter came from a server that may send for the domain.")
        }
        Some("none") => found(Grade::Fail, "The domain has no SPF record that the server could find."),
        Some("fail") => {
            found(Grade::Fail, "SPF failed: the record does not allow the server that the letter came from.")
        }
        Some("softfail" | "neutral") => found(
            Grade::Warning,
            "SPF did not pass: the record does not name the server that the letter came from.",
        ),
        Some("permerror") => found(Grade::Fail, "The SPF record breaks the rules."),
        Some(_) => found(Grade::Info, "The server could not look up the SPF record."),
    }
}

fn dkim(results: &Results, signatures: &[Signature]) -> Finding {
    let found = |grade, text: String| Finding::new(ArrivalCheck::Dkim, grade, text);
    if let Some(signer) = results.signers().first() {
        let by = signer.map_or_else(String::new, |domain| format!(" of {}", short(domain)));
        return found(Grade::Pass, format!("DKIM passed: the signature{by} holds."));
    }
    match results.first("dkim") {
        None if signatures.is_empty() => found(
            Grade::Fail,
            "The letter is not signed: switch DKIM on at the mail provider, and enter the record that it names.".to_owned(),
        ),
        None => unsaid(ArrivalCheck::Dkim, "DKIM"),
        Some("none") => found(
            Grade::Fail,
            "The letter is not signed: switch DKIM on at the mail provider, and enter the record that it names.".to_owned(),
        ),
        Some("temperror") => found(Grade::Info, "The server could not look up the key of the signature.".to_owned()),
        Some(_) => found(
            Grade::Fail,
            "DKIM failed: the signature does not hold. Compare the record with the one that the mail provider names.".to_owned(),
        ),
    }
}

fn dmarc(results: &Results) -> Finding {
    let found = |grade, text: &str| Finding::new(ArrivalCheck::Dmarc, grade, text);
    match results.first("dmarc") {
        None => unsaid(ArrivalCheck::Dmarc, "DMARC"),
        // Exchange says so where only its own guess passed.
        Some("pass") => found(
            Grade::Pass,
            "DMARC passed: the letter is in the name of the domain that sent or signed it.",
        ),
        Some("none" | "bestguesspass") => {
            found(Grade::Fail, "The domain has no DMARC record that the server could find.")
        }
        Some("fail") => found(
            Grade::Fail,
            "DMARC failed: the domain in From is neither that of SPF nor that of the signature.",
        ),
        Some("permerror") => found(Grade::Fail, "The DMARC record breaks the rules."),
        Some(_) => found(Grade::Info, "The server could not look up the DMARC record."),
    }
}

/// Whether a signature that held covers the headers to leave.
fn covered(results: &Results, signatures: &[Signature], has_headers: bool) -> Finding {
    let found = |grade, text: String| Finding::new(ArrivalCheck::Leave, grade, text);
    if !has_headers {
        return found(
            Grade::Info,
            "These headers have no List-Unsubscribe and List-Unsubscribe-Post: read back a letter, not another mail.".to_owned(),
        );
    }
    let signers = results.signers();
    let holds = |signature: &&Signature| {
        signers.iter().any(|domain| domain.is_none_or(|domain| signature.domain == domain))
    };
    // Without a verdict, all signatures are taken to hold.
    let held: Vec<_> = if results.first("dkim").is_some() {
        signatures.iter().filter(holds).collect()
    } else {
        signatures.iter().collect()
    };
    if held.is_empty() {
        return found(
            Grade::Warning,
            "No signature covers the headers to leave, so mail programs offer no button for it.".to_owned(),
        );
    }
    let left_out = |signature: &Signature| -> Vec<&str> {
        let is_signed = |name: &str| signature.signed.iter().any(|signed| signed.eq_ignore_ascii_case(name));
        LEAVE_HEADERS.into_iter().filter(|name| !is_signed(name)).collect()
    };
    let fewest = held.into_iter().map(left_out).min_by_key(Vec::len).unwrap_or_default();
    if fewest.is_empty() {
        return found(Grade::Pass, "The signature covers the headers to leave.".to_owned());
    }
    let text = format!(
        "The signature does not cover {} (its h=), so mail programs offer no button to leave: ask the mail provider.",
        fewest.join(" and ")
    );
    found(Grade::Warning, text)
}
