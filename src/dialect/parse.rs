//! Entry of the module: from text to a proposal.

use std::borrow::Cow;

use super::colour::uncoloured;
use super::contract::Evidence;
use super::input::{Asked, Input};
use super::options::Options;
use super::parsed::Parsed;
use super::table::DIALECTS;
use super::transport::Certainty;
use super::{aider_history, colour, quotation, scan, series, transport, unsupported};
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
    let mut parsed = parse_raw(text, options);
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
        Err(line) => return colour::odd(line),
    };
    if let Some(dialect) = options.dialect {
        let input = Input::new(&text, path, Asked::ByName)
            .with_turns(options.turns)
            .with_reader(read);
        let mut parsed = scan::scan(&input, &[dialect]);
        series::trace(&input, &mut parsed.proposal.files);
        return parsed;
    }
    let text = transport::stripped(&text);
    let parsed = read_in_turn(&text, options);
    if !text.contains(transport::ESCAPE) {
        return parsed;
    }
    // Where colours hide an edit, they are those of the terminal.
    let Some((plain, certainty)) = transport::uncoloured(&text) else {
        return parsed;
    };
    let plain = read_in_turn(&plain, options);
    if !transport::has_more(&plain, &parsed) {
        parsed
    } else if certainty == Certainty::Certain {
        plain
    } else {
        colour::within_edits(&text, &plain)
    }
}

/// Reads a text in every dialect, or as a form that is refused by its name.
fn read_in_turn(text: &str, options: &Options) -> Parsed {
    let input = Input::new(text, options.path.as_deref(), Asked::InTurn)
        .with_turns(options.turns)
        .with_reader(read);
    if let Some(parsed) = aider_history::read(&input) {
        return parsed;
    }
    let mut parsed = read(&input);
    unsupported::name_word_diff(&input, &mut parsed);
    if parsed.is_empty() {
        parsed
            .problems
            .extend(unsupported::named(&input, "unified"));
    }
    if parsed.is_empty() {
        let intent = std::mem::take(&mut parsed.proposal.intent);
        parsed = unsupported::guessed(&input);
        let prose = intent.split("\n```").next().unwrap_or_default();
        prose.clone_into(&mut parsed.proposal.intent);
    }
    parsed
}

/// Reads an input in every dialect.
pub(super) fn read(input: &Input) -> Parsed {
    let by_evidence = |wanted: &dyn Fn(Evidence) -> bool| {
        let dialects = DIALECTS.into_iter();
        let dialects: Vec<_> = dialects
            .filter(|dialect| wanted(dialect.evidence()))
            .collect();
        scan::scan(input, &dialects)
    };
    let parsed = by_evidence(&|evidence| evidence != Evidence::Shape);
    let texts = quotation::texts(input);
    if quotation::are_all_in_scripts(&parsed, &texts) {
        return by_evidence(&|evidence| evidence == Evidence::Shape);
    }
    let mut parsed = quotation::refuse(input, &texts, parsed);
    quotation::add_files(&mut parsed, texts);
    series::trace(input, &mut parsed.proposal.files);
    parsed
}
