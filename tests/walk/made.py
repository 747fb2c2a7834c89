"""Two versions of a made project with what the packages lack: wide characters and emoji, tabs, CRLF, long lines, files without text, renames and modes."""
import os

# Length of the long lines, in characters.
LONG = 100_000


def write(folder):
    """Writes both versions below a folder. Returns the folders of the old and the new one."""
    old, new = folder / "old", folder / "new"
    for version, files in ((old, OLD), (new, NEW)):
        for name, content in files.items():
            path = version / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
    os.chmod(new / "scripts/run.sh", 0o755)
    os.chmod(old / "scripts/stop.sh", 0o755)
    os.chmod(new / "scripts/both.sh", 0o755)
    os.symlink("main.py", old / "latest")
    os.symlink("long.js", new / "latest")
    return old, new


def numbered(count, changed=()):
    """Returns lines, and those that are changed with another word."""
    return "".join(f"line {n} {'anew' if n in changed else 'as before'}\n" for n in range(1, count + 1))


def lines(*texts, ending="\n"):
    return "".join(text + ending for text in texts)


def long(token, at):
    """Returns a line with a token somewhere in it."""
    filler = "abcdefghij, " * (LONG // 12)
    return f"{filler[:at]}{token}{filler[at + len(token):]}"


CJK = "これは長い行です。漢字かな交じりの文章がどこまでも続いて、画面の端で折り返される。"
KOREAN = "한국어 문장은 낱말 사이에 빈칸이 있어서 다른 곳에서 줄이 바뀝니다."
FAMILY = "👩‍👩‍👧‍👦"
OLD = {
    "main.py": numbered(1200),
    "texts/cjk.md": lines("# 見出し", "", CJK * 3, "同じ行", KOREAN * 2, "同じ行", "短い", "終わり"),
    "texts/emoji.md": lines("# Emoji", "", "🚀 start the rocket", "same", f"{FAMILY} the family", "same", "flags 🇩🇪🇯🇵 and ❤️ and 👍🏽", "same", "e\u0301te\u0301 d'été", "end"),
    "texts/en.json": lines("{", '  "late": "Your parcel is late ⏳",', '  "lost": "Your parcel is lost"', "}"),
    "texts/arabic.txt": lines("مرحبا بالعالم", "same", "שלום עולם", "end"),
    "tabs/Makefile": lines("all: a b", "\tcc -o a a.c\t\t# first", "\tcc -o b b.c", "", "clean:", "\trm -f a b"),
    "tabs/blanks.txt": lines("all: a", "\tcc -o a a.c", "same", "日\u3000本", "same", "one two  ", "same", "a =\tb"),
    "tabs/table.tsv": lines(*("\t".join(f"r{row}c{column}" for column in range(30)) for row in range(12))),
    "crlf/dos.txt": lines(*(f"dos line {n}" for n in range(1, 30)), ending="\r\n"),
    "crlf/mixed.txt": "unix one\ndos two\r\nunix three\ndos four\r\nunix five\n",
    "long/long.js": lines("var first = 1;", long("OLDTOKEN", 70_000), "var last = 2;"),
    "long/start.js": lines(long("OLDSTART", 0), "end"),
    "long/end.js": lines("start", long("OLDEND", LONG - 20)),
    "long/cjk.txt": lines("漢字" * 40_000 + "旧旧旧" + "仮名" * 9_000, "end"),
    "binary/photo.bin": bytes(range(256)) * 20,
    "binary/gone.bin": bytes(range(256)),
    "renamed/before.py": numbered(40),
    "renamed/same.py": "only = 'renamed'\n" * 5,
    "scripts/run.sh": lines("#!/bin/sh", "exec true"),
    "scripts/stop.sh": lines("#!/bin/sh", "exec false"),
    "scripts/both.sh": lines("#!/bin/sh", "echo one", "echo two"),
    "ends/without.txt": "one\ntwo\nthree",
    "ends/with.txt": "one\ntwo\nthree\n",
    "ends/control.txt": lines("plain", "bell \a here", "escape \x1b[31m red", "zero\u200bwidth", "right\u202eleft", "end"),
    "deleted.txt": numbered(12),
}
NEW = {
    **OLD,
    "main.py": numbered(1200, {5, 6, 600, 1199}),
    "texts/cjk.md": lines("# 新しい見出し", "", CJK * 2 + "ここだけ違う。" + CJK, "同じ行", KOREAN + "새로운 " + KOREAN, "同じ行", "長い" * 60, "終わり"),
    "texts/emoji.md": lines("# Emoji 🎉", "", "🛰️ start the satellite", "same", f"{FAMILY} the big family {FAMILY}", "same", "flags 🇫🇷🇯🇵 and 💔 and 👍🏿", "same", "e\u0301te\u0301 d'hiver", "end"),
    "texts/en.json": lines("{", '  "late": "Your parcel is very late ⏳",', '  "lost": "Your parcel is lost ' + "📦" * 70 + '"', "}"),
    "texts/arabic.txt": lines("مرحبا يا عالم", "same", "שלום לכולם", "end"),
    "tabs/Makefile": lines("all: a b", "\tcc -O2 -o a a.c\t\t# first", "\tcc -o b b.c", "", "clean:", "\trm -rf a b"),
    "tabs/blanks.txt": lines("all: a", "    cc -o a a.c", "same", "日  本", "same", "one two", "same", "a =  b"),
    "tabs/table.tsv": lines(*("\t".join(f"r{row}c{column}{'x' if column == row * 2 else ''}" for column in range(30)) for row in range(12))),
    "crlf/dos.txt": lines(*(f"dos line {n}{' changed' if n in (3, 20) else ''}" for n in range(1, 30)), ending="\r\n"),
    "crlf/mixed.txt": "unix one\ndos two!\r\nunix three\ndos four\r\nunix five\n",
    "long/long.js": lines("var first = 1;", long("NEWTOKEN", 70_000), "var last = 2;"),
    "long/start.js": lines(long("NEWSTART", 0), "end"),
    "long/end.js": lines("start", long("NEWEND", LONG - 20)),
    "long/cjk.txt": lines("漢字" * 40_000 + "新新新" + "仮名" * 9_000, "end"),
    "binary/photo.bin": bytes(range(256)) * 21,
    "binary/new.bin": bytes(reversed(range(256))),
    "renamed/after.py": numbered(40, {20}),
    "renamed/same2.py": "only = 'renamed'\n" * 5,
    "scripts/both.sh": lines("#!/bin/sh", "echo one", "echo three"),
    "ends/without.txt": "one\ntwo\nthree\n",
    "ends/with.txt": "one\ntwo\nthree",
    "ends/control.txt": lines("plain", "bell \a there", "escape \x1b[32m green", "zero\u200bbreadth", "right\u202edown", "end"),
    "empty.txt": "",
    "added.txt": "one\n" + CJK + "\n",
}
for name in ("binary/gone.bin", "renamed/before.py", "renamed/same.py", "deleted.txt"):
    del NEW[name]
