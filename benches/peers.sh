#!/usr/bin/env bash
# Whole processes on one batch of 10,000 clean hunks in 200 files: `countersign apply`, `git apply`, and `patch` and `mpatch`
# if they are found. They run in turns, each from the same tree on a settled disk; what is printed is medians, and the
# median of the ratios to `git apply` of the same round.
#
#     benches/peers.sh [ROUNDS]
#
# Needs git and a release build (`cargo build --release`); another program can be named by $COUNTERSIGN. `cargo install mpatch`
# brings mpatch. Aider, which applies edits only within a session with a model, has `beside-aider.py`.
set -euo pipefail

rounds=${1:-11}
countersign=${COUNTERSIGN:-$(cd "$(dirname "$0")/.." && pwd)/target/release/countersign}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree batch=$work/batch.diff
export XDG_STATE_HOME=$work/state LC_ALL=C

# 200 files of 2,000 lines; with `changed` every 40th line is another one.
write_files() {
    awk -v tree="$tree" -v changed="$1" 'BEGIN {
        for (f = 0; f < 200; f++) {
            name = tree "/f" f ".rs"
            for (n = 0; n < 2000; n++) {
                seed = (seed * 1103515245 + 12345) % 2147483648
                if (changed && n % 40 == 20) printf "    countersigned_%d();\n", n > name
                else printf "    let value_%d = measure(%d, width_%d);\n", n, seed, seed % 97 > name
            }
            close(name)
        }
    }'
}

apply() {
    case $1 in
        git) git apply "$batch" ;;
        countersign) "$countersign" apply "$batch" ;;
        patch) patch -s -p1 -i "$batch" ;;
        mpatch) mpatch "$batch" . ;;
    esac >"$work/told" 2>&1
}

# Appends seconds, user seconds and system seconds of one run, and makes sure that it did what the batch asks.
run() {
    git checkout -q .
    sync
    TIMEFORMAT='%R %U %S'
    { time apply "$1"; } 2>>"$work/$1.times"
    git diff | cmp -s - "$batch" || { echo "$1 did not apply the batch" >&2; exit 1; }
}

median() {
    sort -n | awk '{ value[NR] = $1 } END { print (value[int((NR + 1) / 2)] + value[int(NR / 2) + 1]) / 2 }'
}

mkdir "$tree"
cd "$tree"
git init -q .
write_files ''
git add .
git -c user.name=- -c user.email=- commit -qm old
write_files yes
git diff >"$batch"

programs=(git countersign)
for program in patch mpatch; do
    if command -v "$program" >/dev/null; then programs+=("$program"); fi
done
for ((round = 0; round < rounds; round++)); do
    for program in "${programs[@]}"; do run "$program"; done
done

printf '%s hunks, %s rounds\n' "$(grep -c '^@@' "$batch")" "$rounds"
printf '%-12s %10s %10s %12s\n' '' wall processor 'wall to git'
for program in "${programs[@]}"; do
    printf '%-12s %8.0fms %8.0fms %11.2fx\n' "$program" \
        "$(awk '{ print $1 * 1000 }' "$work/$program.times" | median)" \
        "$(awk '{ print ($2 + $3) * 1000 }' "$work/$program.times" | median)" \
        "$(paste "$work/$program.times" "$work/git.times" | awk '{ print $1 / $4 }' | median)"
done
