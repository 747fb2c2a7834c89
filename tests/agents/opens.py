"""What a person's `[overlay] command` would be, with the person: runs the reviewer in a terminal, and accepts what it shows."""

import os
import sys

from terminal import Terminal

reviewer = Terminal(sys.argv[1:], os.getcwd(), {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8"})
reviewer.sees("TWO", 30) and reviewer.does("a")
reviewer.sees("applied", 10)
reviewer.stop()
