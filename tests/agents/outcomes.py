"""The outcomes of scenes: printed as they come, and those that failed once more at the end, where a log is read first."""

import sys
import time

FAILED = []
PLAYED = []


def refuse_unknown(kind, names, known):
    """Ends the run if a name is not known, so that a misspelled one does not look like a run without failures."""
    unknown = sorted(set(names) - set(known))
    if unknown:
        sys.exit(f"unknown {kind}: {', '.join(unknown)}; known are: {', '.join(sorted(known))}")


def played(scene, play, details=lambda: ""):
    """Plays a scene, and gives back whether it went well. Whatever goes wrong in one, the others are played."""
    begin, verdict = time.monotonic(), "ok"
    try:
        play()
    except Exception as error:
        verdict = f"FAILED: {error!r}{details()}"
    report(scene, verdict, begin)
    return verdict == "ok"


def report(scene, verdict, begin):
    """Prints the verdict of a scene that began at a time of the monotonic clock."""
    line = f"{scene}: {verdict} ({time.monotonic() - begin:.1f} s)"
    print(line, flush=True)
    PLAYED.append(line)
    if verdict != "ok":
        FAILED.append(line)


def repeat_failures():
    if not PLAYED:
        print("no scene was played: these agents have none of these names")
    for line in FAILED:
        print(line, flush=True)
