//! Kinds of tokens.

use std::str::FromStr;

use syntect::highlighting::{
    Color, ScopeSelectors, StyleModifier, Theme, ThemeItem, ThemeSettings,
};

/// Kind of a token.
///
/// The highlighter answers in tokens instead of colours, so its answers stay valid when the theme changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// Nothing in particular.
    Text,
    /// A comment.
    Comment,
    /// A string or character literal.
    String,
    /// A number, a boolean, a constant, an escape.
    Constant,
    /// A word of the language.
    Keyword,
    /// The name of a function or macro.
    Function,
    /// The name of a type.
    Type,
    /// The name of a parameter, attribute, key or property.
    Name,
    /// A tag of a markup language.
    Tag,
    /// A heading.
    Heading,
    /// Brackets, separators, operators.
    Punctuation,
}

impl TokenKind {
    /// Every token, in the order of its number.
    pub const ALL: [Self; 11] = [
        Self::Text,
        Self::Comment,
        Self::String,
        Self::Constant,
        Self::Keyword,
        Self::Function,
        Self::Type,
        Self::Name,
        Self::Tag,
        Self::Heading,
        Self::Punctuation,
    ];

    /// The token that [`theme`] wrote into a colour.
    pub(crate) fn of(color: Color) -> Self {
        let token = Self::ALL.get(usize::from(color.r));
        token.copied().unwrap_or(Self::Text)
    }
}

/// Tokens by `TextMate` scope; the more specific selector wins.
const MEANING: [(&str, TokenKind); 21] = [
    ("comment", TokenKind::Comment),
    ("string", TokenKind::String),
    ("constant", TokenKind::Constant),
    ("variable.language", TokenKind::Constant),
    (
        "keyword, storage.modifier, storage.control",
        TokenKind::Keyword,
    ),
    ("keyword.operator", TokenKind::Punctuation),
    (
        "keyword.operator.word, keyword.operator.logical.python",
        TokenKind::Keyword,
    ),
    ("storage.type", TokenKind::Keyword),
    (
        "entity.name.function, support.function, variable.function, support.macro, entity.name.macro",
        TokenKind::Function,
    ),
    (
        "entity.name.type, entity.name.class, entity.name.struct, entity.name.enum, entity.name.trait, entity.name.impl",
        TokenKind::Type,
    ),
    (
        "support.type, support.class, entity.other.inherited-class, storage.type.primitive",
        TokenKind::Type,
    ),
    (
        "variable.parameter, entity.other.attribute-name",
        TokenKind::Name,
    ),
    (
        "support.type.property-name, meta.mapping.key string, entity.name.tag.yaml",
        TokenKind::Name,
    ),
    (
        "meta.annotation, variable.annotation, meta.attribute",
        TokenKind::Name,
    ),
    ("entity.name.tag", TokenKind::Tag),
    ("entity.name.section, markup.heading", TokenKind::Heading),
    ("markup.raw, markup.underline.link", TokenKind::String),
    ("markup.bold, markup.italic", TokenKind::Type),
    ("punctuation", TokenKind::Punctuation),
    ("punctuation.definition.string", TokenKind::String),
    ("punctuation.definition.comment", TokenKind::Comment),
];

/// A theme whose colours are the numbers of tokens.
pub(crate) fn theme() -> Theme {
    let scopes = MEANING.iter().filter_map(|(selectors, token)| {
        Some(ThemeItem {
            scope: ScopeSelectors::from_str(selectors).ok()?,
            style: StyleModifier {
                foreground: Some(color(*token)),
                background: None,
                font_style: None,
            },
        })
    });
    Theme {
        settings: ThemeSettings {
            foreground: Some(color(TokenKind::Text)),
            ..ThemeSettings::default()
        },
        scopes: scopes.collect(),
        ..Theme::default()
    }
}

fn color(token: TokenKind) -> Color {
    let number = TokenKind::ALL.iter().position(|&other| other == token);
    Color {
        r: number.and_then(|n| u8::try_from(n).ok()).unwrap_or(0),
        g: 0,
        b: 0,
        a: 0xff,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_selector_is_understood() {
        assert_eq!(theme().scopes.len(), MEANING.len());
        for token in TokenKind::ALL {
            assert_eq!(TokenKind::of(color(token)), token);
        }
    }
}
