# What the measurements share beyond a server: how a number is printed. Sourced.
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/../server.sh"

# row WHAT MEASURED BUDGET
row() { printf '  %-52s %16s   budget %s\n' "$1" "$2" "$3"; }
