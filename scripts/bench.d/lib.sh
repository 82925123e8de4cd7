# Prints numbers, in addition to running servers. Sourced.
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/../server.sh"

# row WHAT MEASURED BUDGET
row() { printf '  %-52s %16s   budget %s\n' "$1" "$2" "$3"; }

# start_settled FOLDER [VARIABLE=VALUE...]: starts a server that has already made its picture sizes, in an earlier process so
# that their memory is freed.
# with the program that made them.
start_settled() {
  start_server "$@"
  wait_for_sizes
  stop_server
  start_server "$@"
}

# Waits until all pictures, the home page's background included, have their sizes.
wait_for_sizes() {
  local second
  for ((second = 0; second < 900; second += 2)); do
    if [ "$(without_sizes)" -eq 0 ] && grep -q image/avif <(curl -fsS "$url/"); then return 0; fi
    sleep 2
  done
  die "picture sizes are incomplete after 15 minutes"
}
without_sizes() {
  { curl -fsS "$url/api/releases?limit=100"; curl -fsS "$url/api/artists?limit=100"; } |
    node -e 'const lists = require("fs").readFileSync(0, "utf8").split(/(?<=\})(?=\{"items")/);
      console.log(lists.flatMap((list) => JSON.parse(list).items).filter((row) => (row.cover_image_url ?? row.image_url) && !row.image_sizes).length)'
}
