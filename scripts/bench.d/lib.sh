# Prints numbers, in addition to running servers. Sourced.
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/../server.sh"

# row WHAT MEASURED BUDGET
row() { printf '  %-52s %16s   budget %s\n' "$1" "$2" "$3"; }

# start_settled FOLDER [VARIABLE=VALUE...]: starts a server whose background's sizes an earlier process has made, so that their
# memory is freed.
start_settled() {
  start_server "$@"
  wait_for_sizes
  stop_server
  start_server "$@"
}

# Waits until the home page's background has its sizes. The sample's other pictures arrive with theirs.
wait_for_sizes() {
  local second
  for ((second = 0; second < 120; second += 2)); do
    if grep -q image/avif <(curl -fsS "$url/"); then return 0; fi
    sleep 2
  done
  die "picture sizes are incomplete after two minutes"
}
