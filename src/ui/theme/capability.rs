//! Background and colour depth of the terminal.

/// Background of the terminal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Background {
    /// Light text on dark.
    #[default]
    Dark,
    /// Dark text on light.
    Light,
}

/// Number of colours that the terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// None, as `NO_COLOR` asks.
    None,
    /// The 16 that the terminal names.
    Ansi,
    /// 256.
    Indexed,
    /// All.
    True,
}

impl Depth {
    /// Reads the depth from the environment.
    pub fn from_env(var: impl Fn(&str) -> Option<String>) -> Self {
        let is = |name: &str, wanted: &[&str]| {
            var(name).is_some_and(|value| wanted.iter().any(|part| value.contains(part)))
        };
        if var("NO_COLOR").is_some_and(|value| !value.is_empty()) || is("TERM", &["dumb", "mono"]) {
            Self::None
        } else if is("COLORTERM", &["truecolor", "24bit"]) || is("TERM", &["direct"]) {
            Self::True
        } else if is("TERM", &["256"]) {
            Self::Indexed
        } else {
            Self::Ansi
        }
    }
}

impl Background {
    /// Reads the background from the environment: `COLORFGBG` ends in the number of its colour.
    pub fn from_env(var: impl Fn(&str) -> Option<String>) -> Self {
        let number =
            var("COLORFGBG").and_then(|value| value.rsplit(';').next()?.parse::<u8>().ok());
        match number {
            Some(7 | 9..=15) => Self::Light,
            Some(_) | None => Self::Dark,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_says_how_many_colours_there_are() {
        let depth = |vars: &[(&str, &str)]| {
            Depth::from_env(|name| {
                let found = vars.iter().find(|(key, _)| *key == name);
                found.map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(depth(&[("TERM", "xterm-256color")]), Depth::Indexed);
        assert_eq!(
            depth(&[("TERM", "xterm"), ("COLORTERM", "truecolor")]),
            Depth::True
        );
        assert_eq!(
            depth(&[("COLORTERM", "truecolor"), ("NO_COLOR", "1")]),
            Depth::None
        );
        assert_eq!(depth(&[("TERM", "linux")]), Depth::Ansi);
    }
}
