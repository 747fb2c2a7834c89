//! Opens a line to fill in, or a box with the text that was left in it.

use crate::ui::editor::Editor;
use crate::ui::state::app::App;
use crate::ui::state::mode::{Mode, Prompt, PromptPurpose};

pub(crate) fn open(app: &mut App, purpose: PromptPurpose, text: &str) {
    let from_file_list = matches!(app.mode, Mode::FileList);
    let draft = app.drafts.get(&app.session, &purpose).map(str::to_owned);
    let text = draft.as_deref().unwrap_or(text);
    app.mode = Mode::Prompt(Box::new(Prompt {
        purpose,
        editor: Editor::prompt(text),
        from_file_list,
        edit: None,
    }));
}
