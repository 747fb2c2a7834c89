//! Placing a hunk by hand: prints it at candidate places until one is taken.

use std::ops::ControlFlow;

use super::{Linear, hunk_text};
use crate::text::LineNo;
use crate::ui::action::Action;
use crate::ui::command::{ByHand, Command, Motion};
use crate::ui::outcome::Ending;
use crate::ui::state::mode::Mode;
use crate::ui::update::update;

/// Help for placing.
const PLACES: &str = "y takes this place, n leaves the hunk where it was, j and k print it at the next and at the previous \
similar place, a number at that line of the file";

impl Linear<'_> {
    /// Goes through places until one is taken, or none.
    pub(crate) fn place(&mut self) -> ControlFlow<Ending> {
        self.obey(Command::Place(ByHand::Begin))?;
        if !matches!(self.app.mode, Mode::Place(_)) {
            return ControlFlow::Continue(());
        }
        let mut printed = None;
        while let Mode::Place(placing) = &self.app.mode {
            let (id, at) = (placing.hunk, placing.at);
            let nth = placing.near.iter().position(|&near| near == at);
            let of = match (nth, placing.near.len()) {
                (Some(nth), all) => format!(", similar place {} of {all}", nth + 1),
                (None, _) => String::new(),
            };
            let refused = placing.refused.is_some();
            if printed != Some(at) && !refused {
                let lines = hunk_text::hunk(&self.app, id).join("\n");
                self.say(&lines)?;
            }
            printed = Some(at);
            let line = LineNo::from_idx(at);
            let word = self.ask(&format!(
                "At line {line}{of}. Place it here [y,n,j,k,LINE,?]?"
            ))?;
            let (command, count) = match word.trim() {
                "y" => (Command::Place(ByHand::Take), None),
                "n" => (Command::Back, None),
                "j" => (Command::Place(ByHand::Next), None),
                "k" => (Command::Place(ByHand::Previous), None),
                word => {
                    let Ok(number) = word.parse() else {
                        self.say(PLACES)?;
                        continue;
                    };
                    (Command::Move(Motion::Bottom), Some(number))
                }
            };
            update(&mut self.app, Action::Command(command, count));
            self.tell_notice()?;
        }
        self.shown = None;
        ControlFlow::Continue(())
    }
}
