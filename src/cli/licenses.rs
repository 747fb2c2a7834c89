//! `countersign licenses`: the licences of the program, of the crates that it is built from, and of the bundled grammars.

use two_face::acknowledgement;

use super::exit::Exit;
use super::output;

/// The licence of this program.
static OWN: &str = include_str!("../../LICENSE");
/// The crates and their licence texts, as `dist/notices --update` writes them; `dist/notices` compares them with `Cargo.lock`.
static CRATES: &str = include_str!("../../assets/third-party.txt");

/// Prints all licence texts.
pub(super) fn run() -> anyhow::Result<Exit> {
    let rule = "=".repeat(80);
    let grammars = acknowledgement::listing().to_md();
    output::write(&format!(
        "{OWN}\n{rule}\n\n{CRATES}\n{rule}\n\nGrammars for syntax highlighting\n\n{grammars}"
    ))?;
    Ok(Exit::Done)
}
