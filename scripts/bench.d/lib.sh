# What the measurements share beyond a server: how a number is printed. Sourced.
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/../server.sh"

# row WHAT MEASURED BUDGET
row() { printf '  %-52s %16s   budget %s\n' "$1" "$2" "$3"; }

# As the website is on every day but its first: each picture of the sample in its sizes, and nothing more being made.
wait_for_sizes() {
  local second
  for ((second = 0; second < 900; second += 2)); do
    [ "$(without_sizes)" -gt 0 ] || return 0
    sleep 2
  done
  die "pictures have no sizes after a quarter of an hour"
}
without_sizes() {
  { curl -fsS "$url/api/releases?limit=100"; curl -fsS "$url/api/artists?limit=100"; } |
    node -e 'const lists = require("fs").readFileSync(0, "utf8").split(/(?<=\})(?=\{"items")/);
      console.log(lists.flatMap((list) => JSON.parse(list).items).filter((row) => (row.cover_image_url ?? row.image_url) && !row.image_sizes).length)'
}
