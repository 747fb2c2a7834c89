#!/usr/bin/env python3
"""One search/replace block in a file of 100,000 lines: Aider's own search, and `countersign apply --dry-run`.

    pip install aider-chat
    benches/beside-aider.py [ROUNDS]

Aider applies edits only within a session with a model, so its search is called by itself, in a Python that is running; of
`countersign` it is the whole process, from its start to its report. They run in turns, and what is printed is medians. Needs a
release build (`cargo build --release`); another program can be named by $COUNTERSIGN.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from aider.coders.editblock_coder import replace_most_similar_chunk

PROGRAM = os.environ.get("COUNTERSIGN", pathlib.Path(__file__).resolve().parents[1] / "target/release/countersign")
LINES = [f"    let value_{n} = measure({n * 7919 % 100_003}, width_{n % 97});" for n in range(100_000)]
FIRST, SIZE, CHANGED = 50_000, 20, 10


def blocks():
    """What the agent remembers of the block, by how it remembers it."""
    block = LINES[FIRST:FIRST + SIZE]
    reworded = [line + "  // as before" if n in (2, 16) else line for n, line in enumerate(block)]
    return {
        "to the letter": block,
        "with blanks at the ends of lines": [line + "  " for line in block],
        "without its indentation": [line.removeprefix("    ") for line in block],
        "two lines reworded": reworded,
        "absent": [f"    absent({n})?;" for n in range(SIZE)],
    }


def text(lines):
    return "".join(line + "\n" for line in lines)


def timed(work):
    began = time.perf_counter()
    result = work()
    return (time.perf_counter() - began) * 1000, result


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 11
    whole = text(LINES)
    print(f"{'a block of 20 lines in 100,000':<36}{'Aider':>10}{'':>10}{'countersign':>14}")
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        (place / "file.rs").write_text(whole)
        for name, old in blocks().items():
            new = [*old[:CHANGED], "    changed();", *old[CHANGED + 1:]]
            edit = place / "edit.md"
            edit.write_text(f"file.rs\n<<<<<<< SEARCH\n{text(old)}=======\n{text(new)}>>>>>>> REPLACE\n")
            command = [PROGRAM, "apply", "--dry-run", "--confidence", "fuzzy", "--root", place, edit]
            times = {"aider": [], "countersign": []}
            for _ in range(rounds):
                took, made = timed(lambda: replace_most_similar_chunk(whole, text(old), text(new)))
                times["aider"].append(took)
                took, done = timed(lambda: subprocess.run(command, capture_output=True, check=False))
                times["countersign"].append(took)
            found = ["found" if it else "not found" for it in (made not in (None, whole), done.returncode == 0)]
            aider, countersign = (statistics.median(took) for took in times.values())
            print(f"{name:<36}{aider:>7.0f} ms {found[0]:<10}{countersign:>7.0f} ms {found[1]}")


if __name__ == "__main__":
    main()
