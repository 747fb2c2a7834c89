//! Opening tags of markup, with their attributes.

/// An opening tag.
pub(super) struct OpeningTag<'a> {
    pub(super) name: &'a str,
    pub(super) attributes: Vec<(&'a str, &'a str)>,
    /// Its length in bytes, angle brackets included.
    pub(super) length: usize,
    /// True if the element ends with it.
    pub(super) is_empty: bool,
}

impl<'a> OpeningTag<'a> {
    /// Reads the tag that a text begins with.
    pub(super) fn open(text: &'a str) -> Option<Self> {
        let inner = text.strip_prefix('<')?;
        let first = inner.chars().next()?;
        if !first.is_ascii_alphabetic() && first != '｜' {
            return None;
        }
        let end = end_of_tag(inner)?;
        let tag = inner[..end].trim_end();
        let is_empty = tag.ends_with('/');
        let tag = tag.trim_end_matches('/');
        let (name, rest) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        Some(Self {
            name,
            attributes: attributes(rest)?,
            length: end + 2,
            is_empty,
        })
    }

    /// The name in its closing tag.
    pub(super) fn element(&self) -> &'a str {
        self.name
            .split_once('=')
            .map_or(self.name, |(name, _)| name)
    }

    /// Returns the attributes that the tag of a call has beside its name and what tells one call from another.
    pub(super) fn of_call(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let attributes = self.attributes.clone().into_iter();
        attributes.filter(|(name, value)| match *name {
            "name" | "index" => false,
            "type" => *value != "function",
            name => !name.to_ascii_lowercase().ends_with("id"),
        })
    }

    /// Returns the attributes that the tag of a field has beside its name and the type of its text.
    pub(super) fn of_field(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let attributes = self.attributes.clone().into_iter();
        attributes.filter(|(name, value)| match *name {
            "name" => false,
            "string" => !matches!(*value, "true" | "false"),
            "type" => !matches!(*value, "string" | "text"),
            _ => true,
        })
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&'a str> {
        let mut attributes = self.attributes.iter();
        attributes.find_map(|(known, value)| (*known == name).then_some(*value))
    }
}

/// The position of the `>` that ends a tag, on the same line.
fn end_of_tag(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (_, '\n') => return None,
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, '>') => return Some(at),
            _ => (),
        }
    }
    None
}

fn attributes(text: &str) -> Option<Vec<(&str, &str)>> {
    let mut found = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (name, after) = rest.split_once('=')?;
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (value, after) = match quote {
            Some(quote) => after[1..].split_once(quote)?,
            // Typographic quotes are those of a page that changed the text within the tags as well.
            None if after.starts_with(['\u{201C}', '\u{201D}', '\u{2018}', '\u{2019}']) => {
                return None;
            }
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        found.push((name.trim(), value));
        rest = after.trim_start();
    }
    Some(found)
}
