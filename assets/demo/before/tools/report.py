"""Prints what was sent this week, and what was given up."""

import argparse
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Line:
    parcel: str
    channel: str
    outcome: str


def read(folder: Path) -> list[Line]:
    lines = []
    for path in sorted(folder.glob("*.json")):
        entry = json.loads(path.read_text(encoding="utf-8"))
        lines.append(Line(**entry))
    return lines


def summary(lines: list[Line]) -> str:
    outcomes = Counter(line.outcome for line in lines)
    channels = Counter(line.channel for line in lines)
    rows = [
        f"sent      {outcomes['sent']:>6}",
        f"given up  {outcomes['given-up']:>6}",
    ]
    for channel, count in channels.most_common():
        rows.append(f"  by {channel:<8} {count:>4}")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.set_defaults(folder=Path("outbox"))
    options = parser.parse_args()
    print(summary(read(options.folder)))


if __name__ == "__main__":
    main()
