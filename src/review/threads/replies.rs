//! Replies to threads in the prose of an agent: `Thread t3: because …`.

/// Most digits of a thread's name.
const MOST_DIGITS: usize = 9;

/// Returns the replies in a text: the names of the threads, and what is written after each up to an empty line, a code fence, or the
/// next reply. The line may be an item of a list, a quotation, or bold.
pub fn replies_in(text: &str) -> Vec<(String, String)> {
    let mut replies: Vec<(String, Vec<&str>)> = Vec::new();
    let (mut is_open, mut is_code) = (false, false);
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            (is_open, is_code) = (false, !is_code);
        } else if is_code {
        } else if let Some((id, rest)) = reply(line) {
            replies.push((id, vec![rest]));
            is_open = true;
        } else if line.is_empty() {
            is_open = false;
        } else if let Some((_, lines)) = replies.last_mut().filter(|_| is_open) {
            lines.push(line);
        }
    }
    let joined = replies.into_iter().map(|(id, lines)| {
        let text = lines.join("\n").trim().to_owned();
        (id, text)
    });
    joined.filter(|(_, text)| !text.is_empty()).collect()
}

/// Parses the first line of a reply.
fn reply(line: &str) -> Option<(String, &str)> {
    let line = line.trim_start_matches(['>', '*', '-', '#', '_', ' ']);
    let (word, rest) = line.split_once(' ')?;
    if !word.eq_ignore_ascii_case("thread") {
        return None;
    }
    let (id, rest) = rest.split_once(':')?;
    let id = id.trim().trim_matches(['`', '*', '_']);
    let digits = id.strip_prefix(['t', 'T'])?;
    let is_number = (1..=MOST_DIGITS).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    let rest = rest.trim_start_matches(['*', '_']).trim();
    is_number.then(|| (format!("t{digits}"), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let found: Vec<String> = replies_in(text)
            .into_iter()
            .map(|(id, text)| format!("{id}={text}"))
            .collect();
        assert_eq!(found.join("|"), expected, "{text}");
    }

    #[test]
    fn a_reply_is_a_line_that_names_its_thread() {
        check("Thread t3: because of the cache", "t3=because of the cache");
        check("- **Thread t3:** so", "t3=so");
        check("> thread `T12`: so", "t12=so");
        check(
            "Thread t3:\nmore\nand more\n\nnot this",
            "t3=more\nand more",
        );
        check("Thread t3: a\nThread t4: b", "t3=a|t4=b");
        check("Thread t3: a\n```\ncode\n```\nafter", "t3=a");
    }

    #[test]
    fn other_lines_are_no_replies() {
        for text in [
            "",
            "t3: because",
            "Threads t3: so",
            "thread three: so",
            "the thread t3: so",
            "Thread t: so",
            "Thread t1234567890: so",
            "Thread t3:",
            "Thread t3 is done",
            "```\nThread t3: so\n```",
        ] {
            check(text, "");
        }
    }
}
