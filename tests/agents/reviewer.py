"""A person at `countersign serve`, in a terminal of its own."""

import os
import pathlib
import time

from terminal import Terminal


class Reviewer(Terminal):
    def __init__(self, program, project, runtime, editor, *flags):
        """`editor` is the command that changes the proposed lines when the person presses `e`."""
        env = {"HOME": str(runtime), "PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8",
               "XDG_RUNTIME_DIR": str(runtime), "TMPDIR": str(runtime), "EDITOR": editor,
               # What a hook of an agent finds as well.
               "XDG_STATE_HOME": os.path.join(os.path.dirname(runtime), "state")}
        self.sockets = pathlib.Path(runtime, "countersign")
        super().__init__([program, "serve", "--grace", "1", *flags], project, env)

    def is_ready(self, seconds=60):
        """Waits until it takes proposals."""
        end = time.monotonic() + seconds
        while not list(self.sockets.glob("*.sock")) and time.monotonic() < end:
            time.sleep(0.05)

    def sees(self, what, seconds=90):
        """Only cells that differ are drawn, so a text may come in pieces: now and then the whole screen is asked for."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if super().sees(what, 3):
                return True
            if self.over:
                return False
            self.does("\x0c")
        return False
