# Numbers of rounds and promises, in addition to running servers. Sourced.
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/../server.sh"

fill=${DEADWAX_FILL:?run scripts/stress} bucket=${DEADWAX_BUCKET:?run scripts/stress}
ulimit -n "$(ulimit -Hn)" 2>/dev/null || true

# make_sizes NAME [SETTING=VALUE]...: makes the sizes of the pictures of a new folder, which five kills would give up: that is the
# matter of the fault `pictures`.
make_sizes() {
  start_server "$@"
  node scripts/stress.d/pictures.mjs "$url" >/dev/null
  stop_server
}

# Kills the server amid its work; fails if it had ended before.
kill_server() {
  stop_process "$server" -KILL
  server=
}

# check_label FOLDER [SETTING=VALUE]...: succeeds if `deadwax check` finds nothing; prints its findings and writes them to $work/check.
check_label() {
  env DEADWAX_DATA_DIR="$work/$1" DEADWAX_LOG=warn "${@:2}" "$deadwax" check >"$work/check" 2>&1 || { cat "$work/check" >&2; return 1; }
}

# label_on ENGINE FOLDER [DATABASE]: sets `settings` for a label in that folder. On PostgreSQL it gets a new database, by default of the
# folder's name, whose address is `database`.
label_on() {
  settings=(DEADWAX_DATA_DIR="$work/$2" DEADWAX_LOG=warn) database=
  [ "$1" = PostgreSQL ] || return 0
  database=$pg_url/${3:-$2}
  "$pg_bin/createdb" --maintenance-db="$pg_url/postgres" "${3:-$2}"
  settings+=(DATABASE_URL="$database")
}

# promise WHAT MEASURED CONDITION...: prints whether the condition, a command, holds.
promise() {
  local what=$1 measured=$2
  shift 2
  if "$@"; then printf '  kept    %s: %s\n' "$what" "$measured"; else printf '  broken  %s: %s\n' "$what" "$measured"; fi
}
# nap LEAST MOST: sleeps for a random number of seconds between them.
nap() { sleep "$(awk -v r="$RANDOM" -v a="$1" -v b="$2" 'BEGIN { printf "%.3f", a + (b - a) * r / 32768 }')"; }
at_most() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a <= b) }'; }
now_ms() { date +%s%3N; }

# scaled COUNT: COUNT times STRESS_SCALE, at least one.
scaled() { awk -v n="$1" -v s="${STRESS_SCALE:-1}" 'BEGIN { r = int(n * s + 0.5); print r < 1 ? 1 : r }'; }
# rounds_of COUNT: the number of rounds, COUNT in a full run.
rounds_of() { echo "${STRESS_ROUNDS:-$(scaled "$1")}"; }
