# What the fault rounds share beyond a server: how a promise is judged. Sourced.
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/../server.sh"

fill=${DEADWAX_FILL:?run scripts/stress}
ulimit -n "$(ulimit -Hn)" 2>/dev/null || true

# promise WHAT MEASURED CONDITION...: prints whether the condition, a command, holds.
promise() {
  local what=$1 measured=$2
  shift 2
  if "$@"; then printf '  kept    %s: %s\n' "$what" "$measured"; else printf '  broken  %s: %s\n' "$what" "$measured"; fi
}
at_most() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a <= b) }'; }
now_ms() { date +%s%3N; }
