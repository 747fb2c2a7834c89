//! Entry of the module: from text to a proposal.

use std::borrow::Cow;

use crate::dialect::call::{cut_off, reported};
use crate::dialect::dialect_trait::EvidenceKind;
use crate::dialect::diff::{diffstat, patch_series};
use crate::dialect::fenced::edit_in_fence;
use crate::dialect::input::{Input, ReadReason};
use crate::dialect::message::aider_history;
use crate::dialect::options::Options;
use crate::dialect::parsed::Parsed;
use crate::dialect::pasted::decoration::Certainty;
use crate::dialect::pasted::diff_colour::uncoloured;
use crate::dialect::pasted::{call_in_line, decoration, diff_colour, mail};
use crate::dialect::table::DIALECTS;
use crate::dialect::{file_names, guessed_fence, left_out, scan, tree_names, unread, unsupported};
use crate::text::raw_bytes;

/// Reads all edits of an input. A text without any gives an empty proposal and no problems.
///
/// ```
/// use countersign::dialect::{Options, parse};
///
/// let text = "Like this:\n\nsrc/a.rs\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n";
/// let parsed = parse(text, &Options::default());
/// assert_eq!(parsed.proposal.intent, "Like this:");
/// assert_eq!(parsed.proposal.files[0].path.first(), "src/a.rs");
/// assert_eq!(parsed.proposal.files[0].hunks[0].body.postimage, ["new"]);
/// ```
///
/// A text from [`raw_bytes::from_bytes`] may hold bytes that are not UTF-8. They stay in the hunks, where [`crate::review::intake`]
/// decodes them in the encoding of their file; the intent and the problems are for people, and get characters.
pub fn parse(text: &str, options: &Options) -> Parsed {
    let decoded = mail::decoded(text);
    let (text, mut parsed) = match &decoded {
        Ok(decoded) => {
            let text = decoded.as_deref().unwrap_or(text);
            (text, parse_raw(text, options))
        }
        Err(problem) => (
            text,
            Parsed {
                problems: vec![(**problem).clone()],
                ..Parsed::default()
            },
        ),
    };
    file_names::follow_moves(&mut parsed);
    parsed.refuse_long_names();
    parsed.quote_problems(text);
    if raw_bytes::is_raw(text) {
        parsed.make_readable();
    }
    parsed
}

fn parse_raw(text: &str, options: &Options) -> Parsed {
    let path = options.path.as_deref();
    let text = match uncoloured(text.as_bytes()) {
        Ok(plain) => plain.map_or(Cow::Borrowed(text), |plain| {
            String::from_utf8_lossy(&plain).into_owned().into()
        }),
        Err(line) => return diff_colour::odd(line),
    };
    if let Some(dialect) = options.dialect {
        let input = Input::new(&text, path, ReadReason::ByName)
            .with_open_end()
            .with_turns(options.turns)
            .with_reader(read);
        let mut parsed = scan::scan(&input, &[dialect]);
        reported::settle(&input, &mut parsed);
        diffstat::check(&input, &mut parsed);
        patch_series::sort(&input, &mut parsed);
        mail::refuse_encoded(&input, &mut parsed);
        return parsed;
    }
    let text = decoration::stripped(&text);
    let parsed = read_in_turn(&text, options);
    if !text.contains(decoration::ESCAPE) {
        return parsed;
    }
    // Where colours hide an edit, they are those of the terminal.
    let Some((plain, certainty)) = decoration::uncoloured(&text) else {
        return parsed;
    };
    let plain = read_in_turn(&plain, options);
    if !decoration::has_more(&plain, &parsed) {
        diff_colour::refuse_within(&text, parsed)
    } else if certainty == Certainty::Certain {
        plain
    } else {
        diff_colour::within_edits(&text, &plain)
    }
}

/// Reads a text in every dialect, or as a form that is refused by its name.
fn read_in_turn(text: &str, options: &Options) -> Parsed {
    let input = Input::new(text, options.path.as_deref(), ReadReason::InTurn)
        .with_open_end()
        .with_turns(options.turns)
        .with_reader(read);
    if let Some(parsed) = aider_history::read(&input) {
        return parsed;
    }
    let mut parsed = read(&input);
    if parsed.is_empty()
        && let Some(text) = call_in_line::alone(text)
    {
        let input = Input::new(&text, options.path.as_deref(), ReadReason::InTurn)
            .with_open_end()
            .with_turns(options.turns)
            .with_reader(read);
        let calls = read(&input);
        if !calls.is_empty() {
            return calls;
        }
    }
    unsupported::name_word_diff(&input, &mut parsed);
    if !parsed.is_empty() {
        unsupported::name_commands(&input, &mut parsed);
        unread::name_unread(&input, &mut parsed, cut_off::beside);
        left_out::name_changes(&input, &mut parsed);
        unread::name_begun(&input, &mut parsed, &DIALECTS);
    }
    if !parsed.proposal.files.is_empty() {
        guessed_fence::beside(&input, &mut parsed);
    }
    if parsed.is_empty() {
        let problem = unsupported::named(&input).or_else(|| left_out::first(&input));
        parsed.problems.extend(problem);
    }
    if parsed.is_empty() {
        (parsed.problems).extend(cut_off::alone(&input, unsupported::UNSUPPORTED));
    }
    if parsed.is_empty() {
        let intent = std::mem::take(&mut parsed.proposal.intent);
        parsed = guessed_fence::alone(&input);
        let prose = intent.split("\n```").next().unwrap_or_default();
        prose.clone_into(&mut parsed.proposal.intent);
    }
    parsed
}

/// Reads an input in every dialect.
pub(super) fn read(input: &Input) -> Parsed {
    let by_evidence = |wanted: &dyn Fn(EvidenceKind) -> bool| {
        let dialects = DIALECTS.into_iter();
        let dialects: Vec<_> = dialects
            .filter(|dialect| wanted(dialect.evidence()))
            .collect();
        scan::scan(input, &dialects)
    };
    let parsed = by_evidence(&|evidence| evidence != EvidenceKind::Shape);
    let texts = edit_in_fence::texts(input);
    if edit_in_fence::are_all_in_scripts(&parsed, &texts.texts) {
        return by_evidence(&|evidence| evidence == EvidenceKind::Shape);
    }
    let mut parsed = edit_in_fence::refuse(input, &texts.texts, parsed);
    edit_in_fence::add_files(&mut parsed, texts);
    diffstat::check(input, &mut parsed);
    patch_series::sort(input, &mut parsed);
    mail::refuse_encoded(input, &mut parsed);
    reported::settle(input, &mut parsed);
    tree_names::add_folders(input, &mut parsed);
    parsed
}
