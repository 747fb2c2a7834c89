//! Words, redirections and ends of commands in the text of a shell script.
//!
//! <https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html>, section 2.3

use std::iter::Peekable;
use std::str::CharIndices;

/// A part of a shell script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ShellToken {
    Word(ShellWord),
    /// An operator such as `2>`; the next word is its target.
    Redirection(String),
    /// A sign between commands, and its position.
    End(char, usize),
    /// Start of a command substitution, which is a part of the word before it.
    Open,
    /// End of a command substitution.
    Close,
}

/// A word of a shell script, without its quotes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ShellWord {
    pub(crate) text: String,
    /// True if any part of it is in quotes, so that the shell does not change it.
    pub(crate) quoted: bool,
    /// True if the shell would compute a part of it.
    pub(crate) computed: bool,
    /// True if it continues the word before a command substitution.
    pub(crate) continues: bool,
}

/// Splits a script into its tokens. The flag is false if a quote or a substitution has no end.
pub(crate) fn shell_tokens(script: &str) -> (Vec<ShellToken>, bool) {
    let mut lexer = Lexer {
        chars: script.char_indices().peekable(),
        open: Vec::new(),
        word: None,
        continues: false,
        tokens: Vec::new(),
    };
    let mut is_complete = true;
    while let Some((at, c)) = lexer.chars.next() {
        is_complete &= lexer.read(at, c);
    }
    lexer.tokens.extend(lexer.word.take().map(ShellToken::Word));
    (lexer.tokens, is_complete && lexer.open.is_empty())
}

/// An open quote, substitution or group around a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OpenSign {
    Quotes,
    /// `$(`
    Substitution,
    Backquote,
    /// `(`
    Group,
}

struct Lexer<'s> {
    chars: Peekable<CharIndices<'s>>,
    open: Vec<OpenSign>,
    word: Option<ShellWord>,
    /// True directly behind a substitution.
    continues: bool,
    tokens: Vec<ShellToken>,
}

impl Lexer<'_> {
    /// Reads what begins with a character; `false` if its end is missing.
    fn read(&mut self, at: usize, c: char) -> bool {
        let is_quoted = self.open.last() == Some(&OpenSign::Quotes);
        match c {
            '\\' => return self.escape(is_quoted),
            '"' if is_quoted => {
                self.word().quoted = true;
                self.open.pop();
            }
            '"' => {
                self.open.push(OpenSign::Quotes);
                self.word().quoted = true;
            }
            '`' if self.open.last() == Some(&OpenSign::Backquote) => self.close(),
            '`' => self.substitution(OpenSign::Backquote),
            '$' if self.chars.next_if(|(_, c)| *c == '(').is_some() => {
                self.substitution(OpenSign::Substitution);
            }
            '$' => {
                self.word().computed = true;
                self.word().text.push(c);
            }
            c if is_quoted => self.word().text.push(c),
            '\'' => {
                self.word().quoted = true;
                loop {
                    match self.chars.next() {
                        Some((_, '\'')) => break,
                        Some((_, c)) => self.word().text.push(c),
                        None => return false,
                    }
                }
            }
            ' ' | '\t' => self.end_word(),
            '>' | '<' => self.redirection(c),
            '&' if self.chars.peek().is_some_and(|(_, c)| *c == '>') => self.redirection(c),
            ')' if self.open.last() == Some(&OpenSign::Substitution) => self.close(),
            '\n' | ';' | '|' | '&' | '(' | ')' => {
                self.end_word();
                if c == '(' {
                    self.open.push(OpenSign::Group);
                } else if c == ')' {
                    self.open.pop_if(|open| *open == OpenSign::Group);
                }
                self.tokens.push(ShellToken::End(c, at));
            }
            c => {
                let word = self.word();
                word.computed |= matches!(c, '*' | '?' | '~');
                word.text.push(c);
            }
        }
        true
    }

    /// Returns the word that is being read.
    fn word(&mut self) -> &mut ShellWord {
        let quoted = self.open.last() == Some(&OpenSign::Quotes);
        let continues = std::mem::take(&mut self.continues);
        self.word.get_or_insert_with(|| ShellWord {
            quoted,
            continues,
            ..ShellWord::default()
        })
    }

    fn end_word(&mut self) {
        self.tokens.extend(self.word.take().map(ShellToken::Word));
        self.continues = false;
    }

    fn escape(&mut self, is_quoted: bool) -> bool {
        let Some((_, next)) = self.chars.next() else {
            return false;
        };
        // An escaped line break joins two lines.
        if next != '\n' {
            let word = self.word();
            word.quoted = true;
            if is_quoted && !matches!(next, '"' | '\\' | '$' | '`') {
                word.text.push('\\');
            }
            word.text.push(next);
        }
        true
    }

    fn substitution(&mut self, sign: OpenSign) {
        self.word().computed = true;
        self.end_word();
        self.open.push(sign);
        self.tokens.push(ShellToken::Open);
    }

    fn close(&mut self) {
        self.open.pop();
        self.end_word();
        self.tokens.push(ShellToken::Close);
        self.continues = true;
    }

    fn redirection(&mut self, sign: char) {
        let number = self.word.take_if(|word| {
            let digits = word.text.bytes().all(|c| c.is_ascii_digit());
            digits && !word.quoted && !word.continues
        });
        self.end_word();
        let mut operator = number.map(|number| number.text).unwrap_or_default();
        operator.push(sign);
        let signs: &[&str] = match sign {
            '>' => &[">|&"],
            '<' => &["<>&", "<-"],
            _ => &[">", ">"],
        };
        for signs in signs {
            let Some((_, next)) = self.chars.next_if(|(_, c)| signs.contains(*c)) else {
                break;
            };
            operator.push(next);
            if next == '&' {
                break;
            }
        }
        self.tokens.push(ShellToken::Redirection(operator));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(script: &str, expected: &str) {
        let shown = |token: &ShellToken| match token {
            ShellToken::Word(word) => {
                let marks = [
                    (word.quoted, "'"),
                    (word.computed, "$"),
                    (word.continues, "+"),
                ];
                let marks = marks
                    .iter()
                    .filter(|(is_so, _)| *is_so)
                    .map(|(_, mark)| *mark);
                format!("{}{}", marks.collect::<String>(), word.text)
            }
            ShellToken::Redirection(operator) => format!("[{operator}]"),
            ShellToken::End(sign, at) => {
                assert!(script[*at..].starts_with(*sign));
                sign.escape_default().to_string()
            }
            ShellToken::Open => "(:".to_owned(),
            ShellToken::Close => ":)".to_owned(),
        };
        let (tokens, is_complete) = shell_tokens(script);
        let mut found: Vec<String> = tokens.iter().map(shown).collect();
        if !is_complete {
            found.push("…".to_owned());
        }
        assert_eq!(found.join(" "), expected, "{script}");
    }

    #[test]
    fn words_keep_what_is_in_quotes() {
        check("a 'b c' d\\ e", "a 'b c 'd e");
        check("a\"b\"'c'", "'abc");
        check("\"a\\\"b\\c\\\\\"", "'a\"b\\c\\");
        check("a\\\nb", "ab");
        check("$a ~ *.c '$a' \"$a\"", "$$a $~ $*.c '$a '$$a");
        check("'' \"\"", "' '");
        check("'a", "'a …");
        check("a\\", "a …");
    }

    #[test]
    fn commands_end_at_signs_outside_of_quotes() {
        check("a; b && c | 'd;e'\nf &", "a ; b & & c | 'd;e \\n f &");
        check("(a) b", "( a ) b");
        check(
            "a \"$(b \"$(c d)\" e)f\" g",
            "a '$ (: b '$ (: c d :) '+ e :) '+f g",
        );
        check("a`b`c", "$a (: b :) +c");
        check("\"$( (a); b)\"; c", "'$ (: ( a ) ; b :) '+ ; c");
        check("$(a", "$ (: a …");
    }

    #[test]
    fn redirections_are_no_words() {
        check("a>b 2>&1 >>c", "a [>] b [2>&] 1 [>>] c");
        check("a<b <<-E <<<x <<'E'", "a [<] b [<<-] E [<<<] x [<<] 'E");
        check("a &> b &>>c", "a [&>] b [&>>] c");
        check("a 2 > b '2'> c", "a 2 [>] b '2 [>] c");
        check("a >| b <(c)", "a [>|] b [<] ( c )");
    }
}
