//! Types of settings, and how they are read and shown: one implementation for every sort of value.

use std::borrow::Cow;
use std::fmt::Write as _;

use ignore::gitignore::GitignoreBuilder;
use regex::Regex;
use toml::Value;
use toml::de::DeValue;

use super::choice::WordChoice;

/// A setting's value.
pub(super) trait Field {
    /// Takes what was written, if it is a value of this sort.
    ///
    /// # Errors
    ///
    /// [`Unfit`] if it is not, and nothing has changed then.
    fn take(&mut self, written: &DeValue<'_>, taking: FieldMerge) -> Result<(), Unfit>;

    /// The values that there are, to follow the word "expected".
    fn expected(&self) -> String;

    /// The value as a file would hold it.
    fn shown(&self) -> String;
}

/// Way in which a value is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldMerge {
    /// In place of the one before.
    Freely,
    /// Only if it lets through no more than the one before; a list is added to it.
    Tightening,
}

/// Reason why a value is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unfit {
    /// It is of another sort.
    Sort,
    /// It would let through more.
    Loosens,
}

/// A whole number, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count<const LEAST: usize, const MOST: usize>(pub usize);

/// Minimum similarity of a reworded place: from 0.8 to 1.0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MatchPrecision(pub f64);

/// Patterns of files, as `.gitignore` writes them. There are none that take others back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Patterns(pub Vec<String>);

/// A regular expression that must match a whole text; none if it is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Expression(pub String);

/// Names of files, without folders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileNames(pub Vec<String>);

/// The name of a theme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThemeName(pub String);

impl Field for ThemeName {
    fn take(&mut self, written: &DeValue<'_>, _: FieldMerge) -> Result<(), Unfit> {
        let name = written.as_str().ok_or(Unfit::Sort)?;
        let is_name = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(Unfit::Sort);
        }
        name.clone_into(&mut self.0);
        Ok(())
    }

    fn expected(&self) -> String {
        "the name of a theme in quotes".to_owned()
    }

    fn shown(&self) -> String {
        quoted(&self.0)
    }
}

impl Field for bool {
    fn take(&mut self, written: &DeValue<'_>, _: FieldMerge) -> Result<(), Unfit> {
        *self = written.as_bool().ok_or(Unfit::Sort)?;
        Ok(())
    }

    fn expected(&self) -> String {
        "`true` or `false`".to_owned()
    }

    fn shown(&self) -> String {
        self.to_string()
    }
}

impl<const LEAST: usize, const MOST: usize> Field for Count<LEAST, MOST> {
    fn take(&mut self, written: &DeValue<'_>, taking: FieldMerge) -> Result<(), Unfit> {
        let whole = written.as_integer().ok_or(Unfit::Sort)?;
        let count = usize::from_str_radix(whole.as_str(), whole.radix()).ok();
        let count = count.filter(|count| (LEAST..=MOST).contains(count));
        let count = count.ok_or(Unfit::Sort)?;
        // Every number that may only be tightened is a limit.
        if taking == FieldMerge::Tightening && count > self.0 {
            return Err(Unfit::Loosens);
        }
        *self = Self(count);
        Ok(())
    }

    fn expected(&self) -> String {
        format!("a whole number from {LEAST} to {MOST}")
    }

    fn shown(&self) -> String {
        self.0.to_string()
    }
}

impl Field for MatchPrecision {
    fn take(&mut self, written: &DeValue<'_>, taking: FieldMerge) -> Result<(), Unfit> {
        let float = written.as_float().map(|float| float.as_str().to_owned());
        let whole = || written.as_integer().map(|whole| whole.as_str().to_owned());
        let text = float.or_else(whole).ok_or(Unfit::Sort)?;
        let number: f64 = text.parse().map_err(|_| Unfit::Sort)?;
        if !(0.8..=1.0).contains(&number) {
            return Err(Unfit::Sort);
        }
        if taking == FieldMerge::Tightening && number < self.0 {
            return Err(Unfit::Loosens);
        }
        *self = Self(number);
        Ok(())
    }

    fn expected(&self) -> String {
        "a number from 0.8 to 1.0".to_owned()
    }

    fn shown(&self) -> String {
        Value::Float(self.0).to_string()
    }
}

/// A text that may be missing, which is written as an empty one.
impl Field for Option<String> {
    fn take(&mut self, written: &DeValue<'_>, _: FieldMerge) -> Result<(), Unfit> {
        let text = written.as_str().ok_or(Unfit::Sort)?.trim();
        *self = Some(text.to_owned()).filter(|text| !text.is_empty());
        Ok(())
    }

    fn expected(&self) -> String {
        "a text in quotes".to_owned()
    }

    fn shown(&self) -> String {
        quoted(self.as_deref().unwrap_or_default())
    }
}

impl<T: WordChoice> Field for T {
    fn take(&mut self, written: &DeValue<'_>, taking: FieldMerge) -> Result<(), Unfit> {
        let word = written.as_str().ok_or(Unfit::Sort)?;
        let known = T::WORDS.iter().find(|(known, _)| *known == word);
        let (_, choice) = *known.ok_or(Unfit::Sort)?;
        if taking == FieldMerge::Tightening && self.is_loosened_by(choice) {
            return Err(Unfit::Loosens);
        }
        *self = choice;
        Ok(())
    }

    fn expected(&self) -> String {
        let words: Vec<String> = T::WORDS.iter().map(|(word, _)| quoted(word)).collect();
        match words.split_last() {
            Some((last, others)) if !others.is_empty() => {
                format!("{} or {last}", others.join(", "))
            }
            Some(_) | None => words.concat(),
        }
    }

    fn shown(&self) -> String {
        let word = T::WORDS.iter().find(|(_, choice)| choice == self);
        quoted(word.map_or("", |(word, _)| word))
    }
}

/// Returns `true` for a pattern that can match a path. `./x` and `.\x` match none, and neither does a bracket without an end. A class
/// by name, `[[:alpha:]]`, would be read as a set of characters.
fn is_pattern(text: &str) -> bool {
    let mut rules = GitignoreBuilder::new("");
    let is_folder = |part: &str| matches!(part, "." | "..");
    let escapes_a_letter = text
        .split('\\')
        .skip(1)
        .any(|rest| rest.starts_with(char::is_alphanumeric));
    let names_a_class = text.contains("[:") && text.contains(":]");
    !text.trim().is_empty()
        && !text.starts_with(['!', '#'])
        && !text.split('/').any(is_folder)
        && !escapes_a_letter
        && !names_a_class
        && rules
            .allow_unclosed_class(false)
            .add_line(None, text)
            .is_ok()
}

impl Field for Patterns {
    fn take(&mut self, written: &DeValue<'_>, taking: FieldMerge) -> Result<(), Unfit> {
        take_list(&mut self.0, written, taking, is_pattern)
    }

    fn expected(&self) -> String {
        "patterns that can match a path, in quotes between `[` and `]`, none with `!` in front"
            .to_owned()
    }

    fn shown(&self) -> String {
        list(&self.0)
    }
}

impl Expression {
    /// Returns the expression, which matches whole texts only; `None` for an empty one.
    pub fn compiled(&self) -> Option<Regex> {
        let is_set = !self.0.is_empty();
        is_set.then(|| Regex::new(&format!(r"\A(?:{})\z", self.0)).ok())?
    }
}

impl Field for Expression {
    fn take(&mut self, written: &DeValue<'_>, _: FieldMerge) -> Result<(), Unfit> {
        let taken = Self(written.as_str().ok_or(Unfit::Sort)?.to_owned());
        // An expression that is none by itself, such as `a)|(b`, must not become one between brackets.
        let is_expression =
            Regex::new(&taken.0).is_ok() && (taken.0.is_empty() || taken.compiled().is_some());
        if !is_expression {
            return Err(Unfit::Sort);
        }
        *self = taken;
        Ok(())
    }

    fn expected(&self) -> String {
        "a regular expression in quotes".to_owned()
    }

    fn shown(&self) -> String {
        quoted(&self.0)
    }
}

impl Field for FileNames {
    fn take(&mut self, written: &DeValue<'_>, taking: FieldMerge) -> Result<(), Unfit> {
        let is_name = |text: &str| !text.contains('/') && !["", ".", ".."].contains(&text);
        take_list(&mut self.0, written, taking, is_name)
    }

    fn expected(&self) -> String {
        "names of files in quotes between `[` and `]`, without folders".to_owned()
    }

    fn shown(&self) -> String {
        list(&self.0)
    }
}

/// Takes a list of texts, or one text.
fn take_list(
    list: &mut Vec<String>,
    written: &DeValue<'_>,
    taking: FieldMerge,
    fits: impl Fn(&str) -> bool,
) -> Result<(), Unfit> {
    let texts: Option<Vec<&str>> = match written.as_array() {
        Some(texts) => texts.iter().map(|text| text.get_ref().as_str()).collect(),
        None => written.as_str().map(|text| vec![text]),
    };
    let texts = texts.filter(|texts| texts.iter().all(|text| fits(text)));
    let texts = texts.ok_or(Unfit::Sort)?;
    if taking == FieldMerge::Freely {
        list.clear();
    }
    list.extend(texts.into_iter().map(str::to_owned));
    Ok(())
}

/// Takes the text of a variable or an argument: a value as a file would hold it, or a text without its quotes.
///
/// # Errors
///
/// [`Unfit`] if it is neither. A list that is wrong in one place is not taken for the text of one pattern.
pub(super) fn take_text(field: &mut dyn Field, text: &str) -> Result<(), Unfit> {
    let read = DeValue::parse(text).map_err(|_| Unfit::Sort);
    let taken = read.and_then(|value| field.take(value.get_ref(), FieldMerge::Freely));
    if is_list(text) {
        return taken;
    }
    taken.or_else(|_| field.take(&DeValue::String(Cow::Borrowed(text)), FieldMerge::Freely))
}

/// True if a text begins as a list of texts does. A pattern may begin with `[` as well, but hardly with `["`.
fn is_list(text: &str) -> bool {
    let inside = text.trim_start().strip_prefix('[').map(str::trim_start);
    inside.is_some_and(|inside| inside.starts_with(['"', '\'', ']']))
}

/// A text as a file would hold it.
pub(super) fn quoted(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

/// A key as TOML writes it in quotes; for a value, [`quoted()`] may choose a form that no key can have.
pub(crate) fn quoted_key(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            // TOML has four digits for these.
            c if c.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

fn list(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", texts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locate::Confidence;
    use crate::review::Layout;

    /// Takes a text as the environment holds it, after a value like it.
    #[track_caller]
    fn check(mut field: impl Field, text: &str, expected: &str) {
        let shown = match take_text(&mut field, text) {
            Ok(()) => field.shown(),
            Err(Unfit::Sort) => format!("not {}", field.expected()),
            Err(Unfit::Loosens) => "loosens".to_owned(),
        };
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn values_are_read_as_they_are_shown() {
        check(false, "true", "true");
        check(true, "yes", "not `true` or `false`");
        check(Count::<0, 9>(3), "9", "9");
        check(Count::<0, 9>(3), "0x7", "7");
        check(Count::<0, 9>(3), "10", "not a whole number from 0 to 9");
        check(Count::<0, 9>(3), "-1", "not a whole number from 0 to 9");
        check(MatchPrecision(0.85), "0.9", "0.9");
        check(MatchPrecision(0.85), "1", "1.0");
        check(MatchPrecision(0.85), "0.5", "not a number from 0.8 to 1.0");
        check(MatchPrecision(0.85), "nan", "not a number from 0.8 to 1.0");
        check(None::<String>, "cargo check", "\"cargo check\"");
        check(Some("vi".to_owned()), "", "\"\"");
        check(None::<String>, "7", "\"7\"");
        check(None::<Layout>, "split", "\"split\"");
        check(
            None::<Layout>,
            "wide",
            "not \"auto\", \"split\" or \"unified\"",
        );
        check(Patterns::default(), "*.sql", "[\"*.sql\"]");
        check(Patterns::default(), "[\"a/\", \"b\"]", "[\"a/\", \"b\"]");
        check(
            Patterns::default(),
            "!a",
            "not patterns that can match a path, in quotes between `[` and `]`, none with `!` in front",
        );
        check(
            Patterns::default(),
            "a{b",
            "not patterns that can match a path, in quotes between `[` and `]`, none with `!` in front",
        );
        check(Patterns::default(), "[ab]*.key", "[\"[ab]*.key\"]");
        check(
            Patterns::default(),
            "/a/.b/..c/\\*.d",
            "['/a/.b/..c/\\*.d']",
        );
        for never in ["./a", "a/../b", "a/.", ".\\a", "a[b", "a/[!", "\\"] {
            let expected = "not patterns that can match a path, in quotes between `[` and `]`, none with `!` in front";
            check(Patterns::default(), never, expected);
        }
        for list in ["[\"a\", \"!b\"]", "[ 'a' 'b']", "['a'", "[\"a\", 3]"] {
            let expected = "not patterns that can match a path, in quotes between `[` and `]`, none with `!` in front";
            check(Patterns::default(), list, expected);
        }
        check(Expression::default(), "// [a-z ]*", "\"// [a-z ]*\"");
        check(Expression::default(), "", "\"\"");
        check(
            Expression::default(),
            "a)|(b",
            "not a regular expression in quotes",
        );
        check(
            FileNames::default(),
            "a/b",
            "not names of files in quotes between `[` and `]`, without folders",
        );
    }

    #[test]
    fn what_tightens_never_loosens() {
        let take = |field: &mut dyn Field, text: &str| {
            let value = DeValue::parse(text).unwrap();
            let taken = field.take(value.get_ref(), FieldMerge::Tightening);
            (taken, field.shown())
        };
        let same = |field: &str| (Err(Unfit::Loosens), field.to_owned());
        let taken = |field: &str| (Ok(()), field.to_owned());
        assert_eq!(take(&mut MatchPrecision(0.85), "0.8"), same("0.85"));
        assert_eq!(take(&mut MatchPrecision(0.85), "0.95"), taken("0.95"));
        assert_eq!(take(&mut Confidence::Safe, "'fuzzy'"), same("\"safe\""));
        assert_eq!(take(&mut Confidence::Safe, "'exact'"), taken("\"exact\""));
        assert_eq!(take(&mut Count::<1, 9>(5), "6"), same("5"));
        assert_eq!(take(&mut Count::<1, 9>(5), "4"), taken("4"));
        let mut names = FileNames(vec!["a".to_owned()]);
        assert_eq!(take(&mut names, "['b']"), taken("[\"a\", \"b\"]"));
    }
}
