//! The words of a shell's command line.

/// A word of a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ShellWord {
    pub(super) text: String,
    /// True if any part of it is in quotes, so that the shell does not change it.
    pub(super) quoted: bool,
    /// True if the shell would compute a part of it.
    pub(super) computed: bool,
}

impl ShellWord {
    pub(super) fn is_operator(&self) -> bool {
        !self.quoted && matches!(self.text.as_str(), ">" | ">>" | "<<" | "<<-")
    }
}

/// Cuts a command line into its commands, at the operators that are in no quotes.
pub(super) fn commands(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut quote = None;
    let mut last = ' ';
    for (at, c) in line.char_indices() {
        match quote {
            Some(open) if c == open && (c == '\'' || last != '\\') => quote = None,
            None if matches!(c, '\'' | '"') && last != '\\' => quote = Some(c),
            // `2>&1` and `&>` are redirections.
            None if c == '&' && (last == '>' || line[at + 1..].starts_with('>')) => (),
            None if matches!(c, '&' | '|' | ';') => {
                found.push(&line[start..at]);
                start = at + 1;
            }
            Some(_) | None => (),
        }
        last = c;
    }
    found.push(&line[start..]);
    found.retain(|command| !command.trim().is_empty());
    found
}

/// Cuts a command line into words; `None` if it has more than one command.
pub(super) fn words(line: &str) -> Option<Vec<ShellWord>> {
    let mut words: Vec<ShellWord> = Vec::new();
    let mut word: Option<ShellWord> = None;
    let mut chars = line.chars().peekable();
    let plain = || ShellWord {
        text: String::new(),
        quoted: false,
        computed: false,
    };
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_with(plain);
                word.quoted = true;
                loop {
                    match chars.next()? {
                        '\'' => break,
                        c => word.text.push(c),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_with(plain);
                word.quoted = true;
                loop {
                    match chars.next()? {
                        '"' => break,
                        '\\' if matches!(chars.peek(), Some('"' | '\\' | '$' | '`')) => {
                            word.text.extend(chars.next());
                        }
                        c => {
                            word.computed |= matches!(c, '$' | '`');
                            word.text.push(c);
                        }
                    }
                }
            }
            '\\' => word.get_or_insert_with(plain).text.push(chars.next()?),
            '>' | '<' => {
                words.extend(word.take());
                let mut operator = plain();
                operator.text.push(c);
                // `>&1` names no file.
                let goes_on = |next: &char| *next == c || *next == if c == '<' { '-' } else { '&' };
                while let Some(next) = chars.next_if(goes_on) {
                    operator.text.push(next);
                }
                words.push(operator);
            }
            '&' if chars.peek() == Some(&'>') => words.extend(word.take()),
            '|' | '&' | ';' | '(' | ')' => return None,
            c => {
                let word = word.get_or_insert_with(plain);
                word.computed |= matches!(c, '$' | '`' | '*' | '?' | '~');
                word.text.push(c);
            }
        }
    }
    words.extend(word);
    Some(words)
}
