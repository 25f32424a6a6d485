#!/usr/bin/env bash
# real-runs.sh SWEEPDOC RUNS OUT: lays the real k6 runs below RUNS out as sweeps and publishes each into OUT/NAME.
# Most of them have the same target, so each is a sweep of its own; `together` is one sweep of several.
# One line a sweep; exit code 1 when one was refused that should not be, or when the tool crashed.
set -euo pipefail
[ $# -eq 3 ] || { echo "usage: real-runs.sh SWEEPDOC RUNS OUT" >&2; exit 2; }
sweepdoc=$(realpath "$1") runs=$2 out=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# No iteration, no request of a scenario: there is no window, so a clear refusal is as good as a page.
may_be_refused=" R_v2_setup_fails "
together="A_v1_csv B_v1_json_csv C_v1_two_scenarios U_v1_legacy_groups"

# target RUN: what the log's stamp says
target() { sed -n 's/^start_utc=.* target=\([^ ]*\).*/\1/p;T;q' "$runs/$1/terminal.log"; }

# lay_out RUN SWEEP: what a load test leaves behind, without the truth and the server's own record
lay_out() {
  local folder
  folder=$2/$(target "$1")
  mkdir -p "$folder"
  find "$runs/$1" -type f ! -name truth.json ! -name 'server_faults.*' -exec cp {} "$folder/" \;
  chmod -R u+w "$2"
  printf 'product = "Bench"\nversion = "v1"\n' >"$2/sweepdoc.toml"
}

publish() {
  local name=$1 code=0
  "$sweepdoc" publish "$work/$name" --out "$out/$name" >"$work/$name.out" 2>&1 || code=$?
  if [ "$code" -eq 0 ]; then
    echo "ok   $name"
  elif [ "$code" -eq 2 ] && [[ $may_be_refused == *" $name "* ]]; then
    echo "ok   $name: refused: $(grep -m1 '^error:' "$work/$name.out" || head -n1 "$work/$name.out")"
  else
    echo "FAIL $name: exit code $code"
    sed 's/^/     /' "$work/$name.out" | head -n 8
    failures=$((failures + 1))
  fi
}

rm -rf "$out"
for log in "$runs"/*/terminal.log; do
  run=$(basename "$(dirname "$log")")
  lay_out "$run" "$work/$run"
  publish "$run"
done
for run in $together; do lay_out "$run" "$work/together"; done
publish together
echo "$failures sweeps failed"
[ "$failures" -eq 0 ]
