//! Mails with encoded parts or attachments, as mail clients and `git format-patch --attach` write them.
//!
//! The parts that may hold an edit are decoded to their bytes. The character set of a part is that of a text for people and transcodes no
//! patch, whose bytes are those of its files. What cannot be decoded is refused: an edit that is still encoded would be written as such.
//! RFC 2045, <https://git-scm.com/docs/git-mailinfo>

use std::borrow::Cow;
use std::fmt::Write;

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use mail_parser::{Message, MessageParser, MessagePart, MimeHeaders, PartType};

use crate::dialect::input::Input;
use crate::dialect::markdown::fence::Fence;
use crate::dialect::parsed::Parsed;
use crate::dialect::unsupported::UNSUPPORTED;
use crate::proposal::{InputSpan, Problem};
use crate::text::{LineIdx, LineNo, raw_bytes};

/// The endings of the names of attachments that may hold an edit.
const PATCH_NAMES: [&str; 6] = [".patch", ".diff", ".txt", ".md", ".mbox", ".eml"];

/// Why a mail cannot be read: the form found, and the one expected.
type Undecodable = (String, &'static str);

/// Decodes the mails that a text begins with; `None` if it begins with none, or with one whose text is not encoded.
///
/// # Errors
///
/// The first mail with a part that cannot be decoded.
pub(in crate::dialect) fn decoded(text: &str) -> Result<Option<String>, Box<Problem>> {
    let starts = starts(text);
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let (mut output, mut is_decoded) = (String::new(), false);
    for (start, end) in starts.iter().copied().zip(ends) {
        let mail = &text[start..end];
        match decoded_mail(mail) {
            Ok(None) => output.push_str(mail),
            Ok(Some(mail)) => {
                output.push_str(&mail);
                is_decoded = true;
            }
            Err((found, expected)) => {
                let lines = |text: &str| memchr::memchr_iter(b'\n', text.as_bytes()).count();
                let first = lines(&text[..start]);
                return Err(Box::new(Problem {
                    line: LineNo::from_idx(first),
                    span: InputSpan::of(first..first + lines(mail).max(1)),
                    dialect: UNSUPPORTED,
                    path: None,
                    found,
                    expected: expected.to_owned(),
                    text: Vec::new(),
                }));
            }
        }
    }
    Ok(is_decoded.then_some(output))
}

/// Takes the edits out that follow the header of an encoded mail within another text.
pub(in crate::dialect) fn refuse_encoded(input: &Input, parsed: &mut Parsed) {
    let is_field = |at: &LineIdx| encoding_field(input.line(*at).unwrap_or_default()).is_some();
    if parsed.proposal.files.is_empty() || !(0..input.len()).any(|at| is_field(&at)) {
        return;
    }
    let mails = encoded_mails(input, parsed);
    let files = std::mem::take(&mut parsed.proposal.files);
    for file in files {
        let mail = mails
            .iter()
            .find(|mail| mail.0 < file.span.first.idx() && file.span.first.idx() < mail.1);
        let Some((_, _, encoding)) = mail else {
            parsed.proposal.files.push(file);
            continue;
        };
        parsed.problems.push(Problem {
            line: file.span.first,
            span: file.span,
            dialect: file.dialect,
            path: Some(file.path),
            found: format!(
                "an edit in a mail whose text is encoded as {encoding}, below other text"
            ),
            expected: "the mail alone, with its header, which is then decoded".to_owned(),
            text: Vec::new(),
        });
    }
    parsed.problems.sort_by_key(|problem| problem.line);
}

/// Finds the header fields that name an encoding, outside of the edits: each with the end of its mail and the encoding.
fn encoded_mails<'a>(input: &Input<'a>, parsed: &Parsed) -> Vec<(usize, usize, &'a str)> {
    let start = input.number(0).idx();
    let (mut open, mut mails): (Option<Fence>, Vec<(usize, usize, &str)>) = (None, Vec::new());
    let mut first_in_fence = 0;
    for at in 0..input.len() {
        let line = input.line(at).unwrap_or_default();
        if let Some(fence) = Fence::of(line) {
            match open {
                Some(opening) if fence.closes(&opening) => {
                    let here = mails[first_in_fence..].iter_mut();
                    here.for_each(|mail| mail.1 = start + at);
                    open = None;
                }
                None => (open, first_in_fence) = (Some(fence), mails.len()),
                Some(_) => (),
            }
        }
        if let Some(encoding) = encoding_field(line) {
            let number = input.number(at);
            let is_in = |span: &InputSpan| span.first <= number && number <= span.last;
            if !parsed.proposal.files.iter().any(|file| is_in(&file.span)) {
                mails.push((start + at, usize::MAX, encoding));
            }
        }
    }
    mails
}

/// Returns the encoding that a header field names, if it changes the bytes of a text.
fn encoding_field(line: &str) -> Option<&str> {
    const NAME: &str = "content-transfer-encoding:";
    let name = line.get(..NAME.len())?;
    let encoding = line[NAME.len()..].trim();
    (name.eq_ignore_ascii_case(NAME) && !is_identity(encoding)).then_some(encoding)
}

fn is_identity(encoding: &str) -> bool {
    let names = ["", "7bit", "8bit", "binary"];
    names.iter().any(|name| encoding.eq_ignore_ascii_case(name))
}

/// Returns the places where the mails of a text begin: that of the only one, or those of a mailbox.
fn starts(text: &str) -> Vec<usize> {
    let mut at = text.len() - text.trim_start().len();
    let mut lines = text[at..].split_inclusive('\n').peekable();
    let is_mailbox = lines.peek().is_some_and(|line| is_separator(line));
    let mut starts = Vec::new();
    while let Some(line) = lines.next() {
        let is_start = if is_mailbox {
            is_separator(line) && lines.peek().is_some_and(|next| is_header(next))
        } else {
            starts.is_empty() && is_header(line)
        };
        if is_start {
            starts.push(at);
        } else if starts.is_empty() {
            break;
        }
        at += line.len();
    }
    // Blank lines above the first mail are lines of the input as well.
    if let Some(first) = starts.first_mut() {
        *first = 0;
    }
    starts
}

/// Returns `true` for the line above a mail in a mailbox: `From`, an address or a commit, and a date.
fn is_separator(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("From ") else {
        return false;
    };
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_time = |word: &str| word.contains(':') && word.split(':').all(is_digits);
    let is_year = |word: &str| word.len() == 4 && is_digits(word);
    rest.split_whitespace().any(is_time) && rest.split_whitespace().any(is_year)
}

/// Returns `true` for a line that begins with the name of a header field.
fn is_header(line: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(is_letter);
    line.split_once(':').is_some_and(|(name, _)| is_name(name))
}

/// Decodes a mail; `None` if its text is not encoded.
fn decoded_mail(mail: &str) -> Result<Option<String>, Undecodable> {
    let body = mail.trim_start();
    let (separator, body) = match body.split_once('\n') {
        Some((line, rest)) if is_separator(line) => (line.trim_end(), rest),
        Some(_) | None => ("", body),
    };
    if !has_content_field(body) {
        return Ok(None);
    }
    let mut bytes = raw_bytes::to_bytes(body);
    if body
        .split('\n')
        .next()
        .is_some_and(|line| line.ends_with('\r'))
    {
        let lines = bytes.split_inclusive(|byte| *byte == b'\n');
        let lines = lines.flat_map(|line| match line {
            [text @ .., b'\r', b'\n'] => [text, b"\n"],
            _ => [line, b""],
        });
        bytes = Cow::Owned(lines.flatten().copied().collect());
    }
    let Some(message) = MessageParser::default().parse(bytes.as_ref()) else {
        return Ok(None);
    };
    if !message.parts.iter().any(is_encoded) {
        return Ok(None);
    }
    let mut output = separator.as_bytes().to_vec();
    if !separator.is_empty() {
        output.push(b'\n');
    }
    if !add_message(&message, &mut output)? {
        return Err((
            "a mail without a part in plain text".to_owned(),
            "the patch as plain text or as an attachment with the type `text/x-patch`",
        ));
    }
    Ok(Some(raw_bytes::from_bytes(output)))
}

/// Returns `true` for a text that begins with the header of a mail, if a field of it describes its content.
fn has_content_field(text: &str) -> bool {
    let header = || text.lines().take_while(|line| !line.trim().is_empty());
    let is_header = header().all(|line| is_header(line) || line.starts_with([' ', '\t']));
    let prefix = |line: &str| line.get(.."content-".len()).map(str::to_lowercase);
    is_header && header().any(|line| prefix(line).as_deref() == Some("content-"))
}

/// Returns `true` for a part whose bytes are not those of the edits that it may hold.
fn is_encoded(part: &MessagePart) -> bool {
    let is_text = matches!(part.body, PartType::Text(_)) && !is_flowed(part);
    !is_text || !is_identity(part.content_transfer_encoding().unwrap_or_default().trim())
}

fn is_flowed(part: &MessagePart) -> bool {
    let format = part.content_type().and_then(|it| it.attribute("format"));
    format.is_some_and(|format| format.eq_ignore_ascii_case("flowed"))
}

/// Adds the header of a message, without the fields of its encoding, and its decoded parts. Returns `true` if there are any.
fn add_message(message: &Message, output: &mut Vec<u8>) -> Result<bool, Undecodable> {
    let mut header = String::new();
    if let Some(subject) = message.subject() {
        writeln!(header, "Subject: {subject}").ok();
    }
    for name in ["From", "Date"] {
        if let Some(value) = message.header_raw(name) {
            writeln!(header, "{name}: {}", value.trim()).ok();
        }
    }
    output.extend_from_slice(header.as_bytes());
    output.push(b'\n');
    add_part(message, 0, output)
}

/// Adds a part of a message with the parts in it. Returns `true` if one may hold an edit.
fn add_part(message: &Message, id: u32, output: &mut Vec<u8>) -> Result<bool, Undecodable> {
    let Some(part) = message.part(id) else {
        return Ok(false);
    };
    match &part.body {
        PartType::Multipart(parts) => {
            let mut is_added = false;
            for id in parts {
                is_added |= add_part(message, *id, output)?;
                if is_added && part.is_content_type("multipart", "alternative") {
                    break;
                }
            }
            Ok(is_added)
        }
        PartType::Message(message) => add_message(message, output),
        PartType::Text(_) | PartType::Html(_) | PartType::Binary(_) | PartType::InlineBinary(_) => {
            add_leaf(message, part, output)
        }
    }
}

fn add_leaf(
    message: &Message,
    part: &MessagePart,
    output: &mut Vec<u8>,
) -> Result<bool, Undecodable> {
    let name = part.attachment_name().unwrap_or_default().to_lowercase();
    let is_named = PATCH_NAMES.iter().any(|end| name.ends_with(end));
    let is_patch = ["x-patch", "x-diff", "patch", "diff"]
        .iter()
        .any(|kind| part.is_content_type("text", kind));
    let is_body = name.is_empty() && matches!(part.body, PartType::Text(_));
    if !(is_named || is_patch || is_body) {
        if name.contains(".patch") || name.contains(".diff") {
            return Err((
                format!("a mail with the attachment `{name}`, which is not text"),
                "the patch as plain text",
            ));
        }
        return Ok(false);
    }
    if is_flowed(part) {
        return Err((
            "a mail with `format=flowed`, whose blanks and line ends may not be those of the patch"
                .to_owned(),
            "the patch as an attachment",
        ));
    }
    let range = part.offset_body as usize..part.offset_end as usize;
    let raw = message.raw_message.get(range).unwrap_or_default();
    let encoding = part.content_transfer_encoding().unwrap_or_default().trim();
    let decoded = if is_identity(encoding) {
        Some(raw.to_vec())
    } else if encoding.eq_ignore_ascii_case("quoted-printable") {
        is_quoted_printable(raw)
            .then(|| quoted_printable_decode(raw))
            .flatten()
    } else if encoding.eq_ignore_ascii_case("base64") {
        let digits = raw
            .iter()
            .filter(|byte| !byte.is_ascii_whitespace())
            .count();
        (digits % 4 == 0).then(|| base64_decode(raw)).flatten()
    } else {
        return Err((
            format!("a mail whose text is encoded as {encoding}"),
            "quoted-printable, base64 or plain text",
        ));
    };
    let Some(decoded) = decoded else {
        return Err((
            format!("a mail whose text is no valid {encoding}"),
            "the whole mail as it was received",
        ));
    };
    output.extend_from_slice(&decoded);
    if !decoded.ends_with(b"\n") {
        output.push(b'\n');
    }
    Ok(true)
}

/// Returns `true` if every equals sign begins a byte, or the end of a line that goes on. The decoder is more lenient.
fn is_quoted_printable(text: &[u8]) -> bool {
    memchr::memchr_iter(b'=', text).all(|at| match &text[at + 1..] {
        [high, low, ..] if high.is_ascii_hexdigit() => low.is_ascii_hexdigit(),
        rest => {
            let end = rest
                .iter()
                .find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
            matches!(end, None | Some(b'\n'))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str =
        "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+caf\u{e9} = 1\n-- \n2.47.3\n";
    const QUOTED: &str = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@=\n\n-x\n+caf=C3=A9 =3D 1\n--=20\n2.47.3\n";
    const BASE64: &str = "ZGlmZiAtLWdpdCBhL2EgYi9hCi0tLSBhL2EKKysrIGIvYQpAQCAtMSArMSBAQAoteAorY2Fmw6kg\nPSAxCi0tIAoyLjQ3LjMK\n";

    fn mail(fields: &str, body: &str) -> String {
        format!("From: A <a@b>\nSubject: [PATCH 1/2] a\n{fields}\n\n{body}")
    }

    fn multipart(kind: &str, parts: &[(&str, &str)]) -> String {
        let mut body = String::new();
        for (fields, text) in parts {
            write!(body, "--B\n{fields}\n\n{text}\n").unwrap();
        }
        let fields = format!("MIME-Version: 1.0\nContent-Type: multipart/{kind}; boundary=\"B\"");
        mail(&fields, &format!("{body}--B--\n"))
    }

    #[test]
    fn parts_are_decoded() {
        let check = |text: &str, expected: &str| {
            let plain = format!("Subject: [PATCH 1/2] a\nFrom: A <a@b>\n\n{expected}");
            assert_eq!(decoded(text), Ok(Some(plain)), "{text}");
            // The line ends of the transport are none of the patch.
            assert_eq!(
                decoded(&text.replace('\n', "\r\n")),
                decoded(text),
                "{text}"
            );
        };
        let quoted = "Content-Transfer-Encoding: quoted-printable";
        let base64 = "content-transfer-encoding: BASE64";
        check(&mail(quoted, QUOTED), DIFF);
        check(&mail(base64, BASE64), DIFF);
        check(&mail(quoted, "+a=0D\n+b=0D\n"), "+a\r\n+b\r\n");
        // A byte that is no UTF-8 stays one, whatever the character set is.
        let latin = raw_bytes::from_bytes(b"+caf\xE9\n".to_vec());
        let fields = format!("Content-Type: text/plain; charset=utf-8\n{quoted}");
        check(&mail(&fields, "+caf=E9\n"), &latin);
        let attachment = |fields: &str| {
            format!(
                "Content-Type: text/x-patch; name=\"1.patch\"\nContent-Disposition: attachment\n{fields}"
            )
        };
        check(
            &multipart(
                "mixed",
                &[
                    ("Content-Type: text/plain", "Hello"),
                    (&attachment(base64), BASE64),
                ],
            ),
            &format!("Hello\n{DIFF}"),
        );
        let stream = "Content-Type: application/octet-stream; name=\"1.diff\"";
        check(
            &multipart("mixed", &[(&format!("{stream}\n{quoted}"), QUOTED)]),
            DIFF,
        );
        check(
            &multipart(
                "alternative",
                &[
                    (&format!("Content-Type: text/plain\n{quoted}"), QUOTED),
                    ("Content-Type: text/html", "<p>-x"),
                ],
            ),
            DIFF,
        );
        let image = (
            "Content-Type: image/png; name=\"a.png\"\nContent-Transfer-Encoding: base64",
            "AAAA",
        );
        check(
            &multipart("mixed", &[("Content-Type: text/plain", DIFF), image]),
            DIFF,
        );
    }

    #[test]
    fn the_mails_of_a_mailbox_are_decoded_one_by_one() {
        let line = "From 1111111111111111111111111111111111111111 Mon Sep 17 00:00:00 2001\n";
        let quoted = mail("Content-Transfer-Encoding: quoted-printable", QUOTED);
        let plain = mail("X-A: b", DIFF);
        let found = decoded(&format!("{line}{plain}\n{line}{quoted}"))
            .unwrap()
            .unwrap();
        let expected =
            format!("{line}{plain}\n{line}Subject: [PATCH 1/2] a\nFrom: A <a@b>\n\n{DIFF}");
        assert_eq!(found, expected);
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        for text in [
            "",
            DIFF,
            &mail(
                "Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit",
                DIFF,
            ),
            "Note: a\n\nContent-Transfer-Encoding: base64\n",
            "Makefile:\n<<<<<<< SEARCH\nContent-Type: text/html\n=======\na\n>>>>>>> REPLACE\n",
            "{\"Content-Transfer-Encoding: base64\": 1}\n",
        ] {
            assert_eq!(decoded(text), Ok(None), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_decoded_is_refused() {
        let check = |text: &str, expected: &str| {
            let found = decoded(text).map_err(|problem| problem.found);
            assert_eq!(found, Err(expected.to_owned()), "{text}");
        };
        let quoted = "Content-Transfer-Encoding: quoted-printable";
        for text in ["a=3", "a=3\n3", "a=G0", "a==3D", "a= b"] {
            check(
                &mail(quoted, text),
                "a mail whose text is no valid quoted-printable",
            );
        }
        let base64 = "Content-Transfer-Encoding: base64";
        for text in ["ZGl", "ZGl*", &BASE64[..BASE64.len() - 2]] {
            check(&mail(base64, text), "a mail whose text is no valid base64");
        }
        check(
            &mail("Content-Transfer-Encoding: x-uuencode", "begin 644 a\n"),
            "a mail whose text is encoded as x-uuencode",
        );
        check(
            &mail("Content-Type: text/plain; format=flowed", DIFF),
            "a mail with `format=flowed`, whose blanks and line ends may not be those of the patch",
        );
        check(
            &mail("Content-Type: text/html", "<p>-x"),
            "a mail without a part in plain text",
        );
        let zipped = "Content-Type: application/gzip; name=\"1.patch.gz\"\nContent-Transfer-Encoding: base64";
        check(
            &multipart(
                "mixed",
                &[("Content-Type: text/plain", "a"), (zipped, "AAAA")],
            ),
            "a mail with the attachment `1.patch.gz`, which is not text",
        );
    }
}
