//! Opens a line to fill in.

use crate::ui::editor::Editor;
use crate::ui::state::app::App;
use crate::ui::state::mode::{Mode, Prompt, PromptPurpose};

pub(crate) fn open(app: &mut App, purpose: PromptPurpose, text: &str) {
    let from_file_list = matches!(app.mode, Mode::FileList);
    app.mode = Mode::Prompt(Box::new(Prompt {
        purpose,
        editor: Editor::prompt(text),
        from_file_list,
        edit: None,
    }));
}
