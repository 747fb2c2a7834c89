//! A terminal for a test: a pseudo terminal whose screen can be waited for.
//!
//! Nothing here sleeps. A test types keys and waits for what it must see; a screen that does not come within
//! [`PATIENCE`] fails the test and is printed.

use std::fmt;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, SlavePty, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};

/// Far more than anything takes, even on a slow machine that does other things.
const PATIENCE: Duration = Duration::from_secs(30);

/// A program in a terminal of its own.
pub(crate) struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    /// Kept open so that the terminal's settings can be read after the program has gone.
    _slave: Box<dyn SlavePty + Send>,
    keyboard: Arc<Mutex<Box<dyn Write + Send>>>,
    seen: Arc<Seen>,
    settings: String,
}

/// What the program has written so far.
struct Seen {
    output: Mutex<Output>,
    changed: Condvar,
}

struct Output {
    screen: vt100::Parser,
    bytes: Vec<u8>,
    /// How many of the bytes are on the screen. A frame is shown as a whole, as terminals do.
    shown: usize,
    ended: bool,
}

/// What stands before and after a frame (synchronized output).
const FRAME: [&[u8]; 2] = [b"\x1b[?2026h", b"\x1b[?2026l"];

/// What a terminal says of its ground unless a test wants otherwise.
const DARK: &str = "rgb:1e1e/1e1e/1e1e";

/// What takes the alternate screen.
const ENTER: &[u8] = b"\x1b[?1049h";

impl Output {
    fn take(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        let [begin, end] = FRAME.map(|mark| memchr::memmem::rfind(&self.bytes, mark));
        let whole = begin.filter(|begin| end.is_none_or(|end| end < *begin));
        let until = whole.unwrap_or(self.bytes.len()).max(self.shown);
        self.screen.process(&self.bytes[self.shown..until]);
        self.shown = until;
    }

    /// How many frames the review has drawn that has the screen now.
    fn frames(&self) -> usize {
        let shown = &self.bytes[..self.shown];
        let begin = memchr::memmem::rfind(shown, ENTER).unwrap_or(0);
        memchr::memmem::find_iter(&shown[begin..], FRAME[1]).count()
    }
}

impl Terminal {
    /// Runs a shell command in `folder`, in a terminal of 160 × 50.
    pub(crate) fn run(folder: &Path, command: &str) -> Self {
        Self::run_sized(folder, command, (160, 50))
    }

    /// Runs a shell command in `folder`, in a terminal of some columns and rows.
    pub(crate) fn run_sized(folder: &Path, command: &str, size: (u16, u16)) -> Self {
        Self::run_answering(folder, command, size, DARK)
    }

    /// Runs a shell command in a terminal that says of its ground that it is of this colour; an empty one says nothing.
    pub(crate) fn run_answering(
        folder: &Path,
        command: &str,
        (cols, rows): (u16, u16),
        ground: &'static str,
    ) -> Self {
        let pair = native_pty_system().openpty(size(cols, rows)).unwrap();
        let mut builder = CommandBuilder::new("/bin/sh");
        builder.args(["-c", command]);
        builder.cwd(folder);
        builder.env_clear();
        let home = folder.join("home");
        for (name, value) in [
            ("HOME", home.as_os_str()),
            ("XDG_STATE_HOME", home.join("state").as_os_str()),
            ("TMPDIR", folder.as_os_str()),
            ("PATH", "/usr/bin:/bin".as_ref()),
            ("TERM", "xterm-256color".as_ref()),
            ("LANG", "C.UTF-8".as_ref()),
            ("countersign", env!("CARGO_BIN_EXE_countersign").as_ref()),
        ] {
            builder.env(name, value);
        }
        let settings = format!("{:?}", pair.master.get_termios());
        let reader = pair.master.try_clone_reader().unwrap();
        let keyboard = Arc::new(Mutex::new(pair.master.take_writer().unwrap()));
        let seen = Arc::new(Seen {
            output: Mutex::new(Output {
                screen: parser(cols, rows),
                bytes: Vec::new(),
                shown: 0,
                ended: false,
            }),
            changed: Condvar::new(),
        });
        let terminal = Self {
            child: pair.slave.spawn_command(builder).unwrap(),
            master: pair.master,
            _slave: pair.slave,
            keyboard: Arc::clone(&keyboard),
            seen: Arc::clone(&seen),
            settings,
        };
        thread::spawn(move || watch(reader, &keyboard, &seen, ground));
        terminal
    }

    /// Waits until a review is on the screen and takes keys: what is typed before its first frame is no answer to it.
    #[track_caller]
    pub(crate) fn wait_for_review(&self) {
        let waited = self.wait(|output| output.frames() > 1);
        assert!(waited, "no review came\n{self}");
    }

    /// Types keys.
    pub(crate) fn keys(&self, keys: &str) {
        let mut keyboard = self.keyboard.lock().unwrap();
        keyboard.write_all(keys.as_bytes()).unwrap();
        keyboard.flush().unwrap();
    }

    /// Waits until the screen shows `text`.
    #[track_caller]
    pub(crate) fn wait_for(&self, text: &str) {
        self.wait_until(&format!("`{text}`"), |screen| {
            screen.contents().contains(text)
        });
    }

    /// Presses keys until the screen shows `text`: they may come too soon after a frame to be an answer to it.
    #[track_caller]
    pub(crate) fn press_until(&self, keys: &str, text: &str) {
        let deadline = Instant::now() + PATIENCE;
        while !self.text().contains(text) {
            assert!(
                Instant::now() < deadline,
                "pressed in vain for `{text}`\n{self}"
            );
            self.keys(keys);
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the screen does not show `text` any more.
    #[track_caller]
    pub(crate) fn wait_gone(&self, text: &str) {
        self.wait_until(&format!("no `{text}`"), |screen| {
            !screen.contents().contains(text)
        });
    }

    /// Waits until `is_so` holds for the screen.
    #[track_caller]
    pub(crate) fn wait_until(&self, what: &str, is_so: impl Fn(&vt100::Screen) -> bool) {
        let waited = self.wait(|output| is_so(output.screen.screen()));
        assert!(waited, "waited in vain for {what}\n{self}");
    }

    /// Gives the terminal another size.
    pub(crate) fn resize(&self, cols: u16, rows: u16) {
        let (screen_rows, screen_cols) = (rows.try_into().unwrap(), cols.try_into().unwrap());
        self.output().screen.set_size(screen_rows, screen_cols);
        self.master.resize(size(cols, rows)).unwrap();
    }

    /// Sends a signal to the program, which must have been run with `exec`.
    pub(crate) fn signal(&self, signal: Signal) {
        let id = self.child.process_id().unwrap();
        let process = Pid::from_raw(id.try_into().unwrap()).unwrap();
        kill_process(process, signal).unwrap();
    }

    /// Waits for the end of the program and gives its exit code, or the name of the signal that ended it.
    #[track_caller]
    pub(crate) fn end(&mut self) -> Result<u32, String> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return match status.signal() {
                    Some(signal) => Err(signal.to_owned()),
                    None => Ok(status.exit_code()),
                };
            }
            assert!(
                Instant::now() < deadline,
                "the program does not end\n{self}"
            );
            let output = self.output();
            let step = Duration::from_millis(20);
            drop(self.seen.changed.wait_timeout(output, step).unwrap());
        }
    }

    /// Fails unless the terminal is as it was before the program: main screen, cursor, no modes, cooked input.
    #[track_caller]
    pub(crate) fn expect_restored(&self) {
        let restored = self.wait(|output| {
            let screen = output.screen.screen();
            !screen.alternate_screen()
                && !screen.hide_cursor()
                && !screen.bracketed_paste()
                && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
        });
        assert!(restored, "the terminal was not given back\n{self}");
        let settings = format!("{:?}", self.master.get_termios());
        assert_eq!(
            settings, self.settings,
            "the terminal's settings were not given back"
        );
    }

    /// How many frames the review has drawn.
    pub(crate) fn frames(&self) -> usize {
        self.output().frames()
    }

    /// Fails unless the modes of the review are left, as for a shell in between.
    #[track_caller]
    pub(crate) fn expect_modes_left(&self) {
        let left = self.wait(|output| {
            let screen = output.screen.screen();
            !screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste()
        });
        assert!(left, "the terminal is still the review's\n{self}");
    }

    /// What the screen shows, without the blanks at the ends of its rows.
    pub(crate) fn text(&self) -> String {
        let output = self.output();
        let screen = output.screen.screen();
        let (_, cols) = screen.size();
        let rows = screen.rows(0, cols.into());
        let rows: Vec<String> = rows.map(|row| row.trim_end().to_owned()).collect();
        rows.join("\n")
    }

    /// All that was written so far, escape sequences included.
    pub(crate) fn written(&self) -> String {
        String::from_utf8_lossy(&self.output().bytes).into_owned()
    }

    fn output(&self) -> MutexGuard<'_, Output> {
        self.seen.output.lock().unwrap()
    }

    /// Whether `is_so` comes to hold in time.
    fn wait(&self, is_so: impl Fn(&Output) -> bool) -> bool {
        let waiting = |output: &mut Output| !is_so(output) && !output.ended;
        let waited = self
            .seen
            .changed
            .wait_timeout_while(self.output(), PATIENCE, waiting);
        is_so(&waited.unwrap().0)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It has mostly ended by itself; a failed test must not leave it behind.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

impl fmt::Display for Terminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text()
            .lines()
            .try_for_each(|row| writeln!(f, "│{row}"))
    }
}

/// Follows what the program writes, and answers what it asks.
fn watch(
    mut reader: Box<dyn Read + Send>,
    keyboard: &Mutex<Box<dyn Write + Send>>,
    seen: &Seen,
    ground: &str,
) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(length @ 1..) = reader.read(&mut buffer) {
        let mut output = seen.output.lock().unwrap();
        let answered = output.bytes.len();
        output.take(&buffer[..length]);
        let answers = answers(&output.bytes, answered, ground);
        drop(output);
        seen.changed.notify_all();
        _ = keyboard.lock().unwrap().write_all(answers.as_bytes());
    }
    seen.output.lock().unwrap().ended = true;
    seen.changed.notify_all();
}

/// What a terminal says to the questions that are complete since `from`.
fn answers(bytes: &[u8], from: usize, ground: &str) -> String {
    let string = if ground.is_empty() {
        String::new()
    } else {
        format!("\x1b]11;{ground}\x1b\\")
    };
    let bell = string.replace("\x1b\\", "\x07");
    let questions: [(&str, &str); 6] = [
        ("\x1b[c", "\x1b[?62;22c"),
        ("\x1b[6n", "\x1b[1;1R"),
        ("\x1b[?u", "\x1b[?0u"),
        // The emulator has no left and right margins.
        ("\x1b[?69$p", "\x1b[?69;0$y"),
        ("\x1b]11;?\x1b\\", &string),
        ("\x1b]11;?\x07", &bell),
    ];
    let mut found = Vec::new();
    for (question, answer) in questions {
        let start = from.saturating_sub(question.len() - 1);
        let windows = bytes[start..].windows(question.len()).enumerate();
        found.extend(
            windows
                .filter(|(_, window)| *window == question.as_bytes())
                .map(|(at, _)| (start + at, answer)),
        );
    }
    found.sort_unstable();
    found.into_iter().map(|(_, answer)| answer).collect()
}

fn parser(cols: u16, rows: u16) -> vt100::Parser {
    vt100::Parser::new(rows.try_into().unwrap(), cols.try_into().unwrap(), 0)
}

fn size(cols: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols,
        pixel_width: 0,
        pixel_height: 0,
    }
}
