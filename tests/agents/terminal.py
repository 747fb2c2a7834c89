"""A program in a terminal of its own: what it shows is seen, and keys are pressed."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import threading
import time

ESCAPES = re.compile(rb"\x1b(\[[0-9;?<>=]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[()][A-Z0-9]|[=>78cDEHMNOZ]|P[^\x1b]*\x1b\\)")

# Blanks that stand there already are stepped over.
SKIPS = re.compile(rb"\x1b\[([0-9]*)C")


class Terminal:
    def __init__(self, command, folder, env):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            # Before the program looks, so that it does not find another size first.
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
            os.chdir(folder)
            os.execvpe(command[0], command, env)
        self.seen = b""
        self.over = False
        self.reads = threading.Thread(target=self.look, daemon=True)
        self.reads.start()

    def look(self):
        while not self.over:
            try:
                ready, _, _ = select.select([self.terminal], [], [], 0.2)
                if ready:
                    self.seen += os.read(self.terminal, 65536)
            except OSError:
                return

    def text(self):
        shown = SKIPS.sub(lambda skip: b" " * int(skip[1] or 1), self.seen)
        return ESCAPES.sub(b"", shown).decode("utf-8", "replace")

    def sees(self, what, seconds=90):
        """Waits until something has been shown."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if what in self.text():
                return True
            time.sleep(0.05)
        return False

    def ends(self, seconds=30):
        """Waits until the program has ended and all that it has shown was read."""
        end = time.monotonic() + seconds
        while self.reads.is_alive() and time.monotonic() < end:
            time.sleep(0.05)

    def does(self, keys):
        for key in keys:
            os.write(self.terminal, key.encode())
            time.sleep(0.15)

    def stop(self, how=signal.SIGKILL):
        if self.terminal < 0:
            return
        self.over = True
        for sign in {how, signal.SIGKILL}:
            try:
                os.kill(self.pid, sign)
            except ProcessLookupError:
                pass
        try:
            os.waitpid(self.pid, 0)
        except ChildProcessError:
            pass
        # The number of a closed terminal is given to the next file that is opened: nobody may still read from it or write to it.
        self.reads.join()
        closed, self.terminal = self.terminal, -1
        os.close(closed)
