//! Kinds of tokens.

use std::str::FromStr;

use syntect::highlighting::{
    Color, ScopeSelectors, StyleModifier, Theme, ThemeItem, ThemeSettings,
};

/// Kind of a token.
///
/// The highlighter answers in tokens instead of colours, so its answers stay valid when the theme changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Token {
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

impl Token {
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
const MEANING: [(&str, Token); 21] = [
    ("comment", Token::Comment),
    ("string", Token::String),
    ("constant", Token::Constant),
    ("variable.language", Token::Constant),
    ("keyword, storage.modifier, storage.control", Token::Keyword),
    ("keyword.operator", Token::Punctuation),
    (
        "keyword.operator.word, keyword.operator.logical.python",
        Token::Keyword,
    ),
    ("storage.type", Token::Keyword),
    (
        "entity.name.function, support.function, variable.function, support.macro, entity.name.macro",
        Token::Function,
    ),
    (
        "entity.name.type, entity.name.class, entity.name.struct, entity.name.enum, entity.name.trait, entity.name.impl",
        Token::Type,
    ),
    (
        "support.type, support.class, entity.other.inherited-class, storage.type.primitive",
        Token::Type,
    ),
    (
        "variable.parameter, entity.other.attribute-name",
        Token::Name,
    ),
    (
        "support.type.property-name, meta.mapping.key string, entity.name.tag.yaml",
        Token::Name,
    ),
    (
        "meta.annotation, variable.annotation, meta.attribute",
        Token::Name,
    ),
    ("entity.name.tag", Token::Tag),
    ("entity.name.section, markup.heading", Token::Heading),
    ("markup.raw, markup.underline.link", Token::String),
    ("markup.bold, markup.italic", Token::Type),
    ("punctuation", Token::Punctuation),
    ("punctuation.definition.string", Token::String),
    ("punctuation.definition.comment", Token::Comment),
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
            foreground: Some(color(Token::Text)),
            ..ThemeSettings::default()
        },
        scopes: scopes.collect(),
        ..Theme::default()
    }
}

fn color(token: Token) -> Color {
    let number = Token::ALL.iter().position(|&other| other == token);
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
        for token in Token::ALL {
            assert_eq!(Token::of(color(token)), token);
        }
    }
}
