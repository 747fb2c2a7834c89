"""Reads meter values and writes one line for each day."""

import csv
from datetime import date
from pathlib import Path

LIMIT = 300


class Meter:
    """A meter and all that it has counted."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.values: dict[date, float] = {}

    def add(self, day: date, value: float) -> None:
        if value < 0:
            raise ValueError(f"{self.name}: {value} is negative")
        if day in self.values:
            raise ValueError(f"{self.name}: {day} is there twice")
        self.values[day] = value

    def total(self) -> float:
        return sum(self.values.values())


def read(path: Path) -> list[Meter]:
    meters: dict[str, Meter] = {}
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            meter = meters.setdefault(row["meter"], Meter(row["meter"]))
            meter.add(date.fromisoformat(row["day"]), float(row["value"]))
    return list(meters.values())


def report(meters: list[Meter]) -> str:
    lines = []
    for meter in meters:
        mark = "!" if meter.total() > LIMIT else " "
        lines.append(f"{mark} {meter.name:<12} {meter.total():>8.1f}")
    return "\n".join(lines)
