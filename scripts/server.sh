# Starts, measures and stops one server at a time, for measurements and fault rounds. Sourced first.
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

deadwax=${DEADWAX_BIN:?run scripts/bench or scripts/stress}
work=$(mktemp -d /tmp/deadwax-work.XXXXXX)
server=
clean_up() {
  local child
  stop_server
  pg_stop
  # Stops all other child processes too if a signal ends the script.
  for child in $(pgrep -P $$); do kill "$child" 2>/dev/null || true; done
  rm -rf "$work"
}
trap clean_up EXIT

# start_server FOLDER [VARIABLE=VALUE...]: serves FOLDER under $work on a free port. Sets server (its process) and url, which
# begins with $scheme if that is set.
start_server() {
  local folder=$1 port
  shift
  port=$(free_port)
  url=${scheme:-http}://127.0.0.1:$port
  env DEADWAX_LISTEN="127.0.0.1:$port" DEADWAX_DATA_DIR="$work/$folder" DEADWAX_LOG=warn "$@" "$deadwax" serve >"$work/server.log" 2>&1 &
  server=$!
  wait_ready "$url/readyz" "$server" || { cat "$work/server.log" >&2; die "the server did not start"; }
}

# stop_process PID [SIGNAL]: returns once it has ended; fails if it had ended before.
stop_process() {
  kill "${2:--TERM}" "$1" 2>/dev/null || return
  wait "$1" 2>/dev/null || true
}

stop_server() {
  [ -n "$server" ] || return 0
  stop_process "$server" || true
  server=
}

# make_admin FOLDER EMAIL PASSWORD [VARIABLE=VALUE...]
make_admin() {
  printf '%s\n' "$3" | env DEADWAX_DATA_DIR="$work/$1" DEADWAX_LOG=warn "${@:4}" "$deadwax" admin create "$2" --password-stdin >/dev/null
}

load_sample() { DEADWAX_DATA_DIR="$work/$1" DEADWAX_LOG=warn "$deadwax" sample >/dev/null; }

# CPU time of processes since they started, in microseconds.
cpu_us() {
  local pid total=0 ticks
  for pid in "$@"; do
    ticks=$(awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$pid/stat")
    total=$((total + ticks))
  done
  echo $((total * 1000000 / $(getconf CLK_TCK)))
}

minus() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f\n", a - b }'; }

resident_mib() { awk '$1 == "VmRSS:" { printf "%.1f\n", $2 / 1024 }' "/proc/$1/status"; }
# The peak resident memory of a process since its start or the last reset.
peak_mib() { awk '$1 == "VmHWM:" { printf "%.1f\n", $2 / 1024 }' "/proc/$1/status"; }
reset_peak() { echo 5 >"/proc/$1/clear_refs"; }
