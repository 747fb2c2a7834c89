//! Traits of clients: what one does that others do not, as far as a gate depends on it.

/// Something that a client does when it carries out a call or reads an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::agent::hook) enum ClientTrait {
    /// Its tools refuse texts of more than 6,000 UTF-16 units.
    RefusesLongTexts,
    /// It refuses to write over a file.
    RefusesToOverwrite,
    /// It has no tool that writes over a file: its tool for new contents makes new files only.
    MakesNewFilesOnly,
    /// New contents of a file get its line endings.
    KeepsLineEndings,
    /// It is not known what becomes of a byte-order mark when a file is written as a whole.
    LosesByteOrderMark,
    /// New contents of a file that ended with a newline get one as well.
    AddsLastNewline,
    /// The newline at the end of a file stays as it was when texts are replaced.
    KeepsLastNewline,
    /// An old text without its last newline whose new text is empty takes the newline with it.
    RemovesWholeLines,
    /// An empty old text fills an empty file.
    FillsEmptyFiles,
    /// A patch cannot make an empty file.
    MakesNoEmptyFiles,
    /// It compares the lines of a patch without regard to typographic signs.
    FoldsTypography,
    /// Its patches make files without their last newline, and match lines that only resemble those of the file.
    AppliesPatchesLoosely,
    /// It formats the whole notebook again.
    FormatsNotebooks,
    /// Another hook may change the arguments as well, and the last one that gives any decides.
    TakesLastArguments,
    /// It reports an amended input to its model, if that is marked.
    ReportsAmendedInput,
    /// It drops `allow` without an input, and the note with it.
    DropsBareAllow,
    /// It skips system settings that others than root own or may write.
    SkipsSystemFilesOfOthers,
}
