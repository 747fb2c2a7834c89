//! Comments: on lines, a hunk, a file, or everything.

use crate::review::{HunkId, Spot};
use crate::ui::command::About;
use crate::ui::state::app::{App, Tone};
use crate::ui::state::mode::{PromptPurpose, TextPurpose};
use crate::ui::update::open_prompt::open;
use crate::ui::update::spot::{spot_among, spot_here};

pub(crate) fn comment(app: &mut App, about: About) {
    let file = app.file();
    let spot = match (about, app.selected()) {
        (About::Hunk, Some(rows)) => spot_among(app, rows),
        (About::Hunk, None) => spot_here(app),
        (About::File | About::Batch, _) => None,
    };
    if let Some((file, spot)) = spot {
        let said = match &spot {
            Spot::Lines { hunk, lines, side } => {
                let id = HunkId { file, hunk: *hunk };
                app.session.line_comment(id, lines, *side)
            }
            Spot::Base(lines) => app.session.files[file].passage(lines),
            Spot::Hunk(_) => None,
        };
        let said = said.unwrap_or_default().to_owned();
        return open(
            app,
            PromptPurpose::Text(TextPurpose::Comment(file, spot)),
            &said,
        );
    }
    let (purpose, said) = match (about, app.stream.hunk(), file) {
        (About::Batch, _, _) => {
            let said = app.session.said_of_batch(file).map(ToOwned::to_owned);
            (TextPurpose::CommentBatch(file), said)
        }
        (About::Hunk, Some(id), _) => {
            let said = app
                .session
                .hunk(id)
                .and_then(|hunk| hunk.state.comment.clone());
            (TextPurpose::Comment(id.file, Spot::Hunk(id.hunk)), said)
        }
        (About::Hunk, None, Some(file)) | (About::File, _, Some(file)) => (
            TextPurpose::CommentFile(file),
            app.session.files[file].comment.clone(),
        ),
        (About::Hunk | About::File, _, None) => return app.notify(Tone::Refused, "no file here"),
    };
    open(app, PromptPurpose::Text(purpose), &said.unwrap_or_default());
}
