# Shared by the scripts: paths, prerequisites, builds, and a temporary PostgreSQL. Sourced, never run. Nothing here tests or
# measures.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
# One target folder for everything, so that no ring compiles again what another has compiled.
target_dir=${CARGO_TARGET_DIR:-$root/target}
export CARGO_TARGET_DIR=$target_dir
tools_dir=$root/.tools
# The rules' npm package: handwritten except for what scripts/wasm builds into it, and linked into web/node_modules.
rules_package=$root/crates/rules-wasm/npm
# The same for the check of a chosen demo.
audio_package=$root/crates/audio-wasm/npm
export PATH="$tools_dir/bin:$HOME/.cargo/bin:$PATH"
WASM_PACK_VERSION=0.15.1
CARGO_DENY_VERSION=0.20.2
# The newest version that Rust 1.95 compiles.
CARGO_SHEAR_VERSION=1.13.0
SCHEMATHESIS_VERSION=4.32.5
# Maximum space the rings use, in KiB.
SCRATCH_KIB=$((6 * 1024 * 1024))

say() { printf '%s\n' "$*" >&2; }
die() {
  say "$(basename "$0"): $*"
  exit 1
}
has() { command -v "$1" >/dev/null 2>&1; }

# The three prerequisites; everything else is installed with them.
need_prerequisites() {
  has cargo && has rustup || die "Rust is missing: install it with rustup (https://rustup.rs), then run this again"
  has node && has npm || die "Node.js is missing: install Node.js 20.19 or newer with npm, then run this again"
  node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' ||
    die "Node.js $(node --version) is too old: 20.19 or newer is needed"
  has cc && has make || die "a C compiler or make is missing: apt-get install build-essential"
}

# Installs a build tool with cargo into .tools, unoptimised: it runs for seconds, so compile time matters.
install_tool() {
  local tool=$1 version=$2
  shift 2
  say "installing $tool $version (compiled once, into .tools)"
  CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
    CARGO_TARGET_DIR=$tools_dir/build \
    cargo install "$tool" --version "$version" --root "$tools_dir" --force --quiet "$@"
  rm -rf "$tools_dir/build"
}

# Whether install_tool has installed this version, for tools that do not print theirs.
is_installed() { grep -qs "^\"$1 $2 " "$tools_dir/.crates.toml"; }

need_wasm_target() {
  rustup target list --installed | grep -qx wasm32-unknown-unknown || rustup target add wasm32-unknown-unknown
}

# The runner of tests in a browser must have exactly the version of the library in Cargo.lock, else wasm-pack fetches its own.
# Its own lock file names a version that no longer resolves: it is installed without --locked.
need_wasm_pack() {
  need_wasm_target
  local bindgen
  bindgen=$(awk '$0 == "name = \"wasm-bindgen\"" { getline; gsub(/[^0-9.]/, ""); print; exit }' Cargo.lock)
  [ -n "$bindgen" ] || die "Cargo.lock does not contain wasm-bindgen"
  [ "$(wasm-bindgen --version 2>/dev/null)" = "wasm-bindgen $bindgen" ] || install_tool wasm-bindgen-cli "$bindgen"
  [ "$(wasm-pack --version 2>/dev/null)" = "wasm-pack $WASM_PACK_VERSION" ] || install_tool wasm-pack "$WASM_PACK_VERSION"
}

# Packages must not run scripts during installation.
need_npm_packages() {
  [ web/node_modules/.package-lock.json -nt web/package-lock.json ] && return
  say "installing the web app's packages"
  (cd web && npm ci --ignore-scripts --no-audit --no-fund >&2)
  touch web/node_modules/.package-lock.json
}

# True if a source is newer than the built file, or the built file is missing. Sets checked_at, the built file's time once it is
# built: a source saved during the build is newer.
is_stale() {
  local built=$1
  shift
  checked_at=@$(date +%s.%N)
  [ -e "$built" ] || return 0
  [ -n "$(find "$@" \( -name node_modules -o -path web/dist -o -path web/test-results -o -path web/e2e -o -path web/screens \) -prune \
    -o -newer "$built" -type f -print -quit)" ]
}

wasm_sources=(Cargo.toml Cargo.lock rust-toolchain.toml crates/wasm-build scripts/wasm)

build_rules_for_the_browser() {
  need_npm_packages
  is_stale "$rules_package/wasm/exports.js" crates/rules crates/rules-wasm/Cargo.toml crates/rules-wasm/src \
    web/src/rules/generated LICENSE "${wasm_sources[@]}" || return 0
  say "building the rules for the browser"
  scripts/wasm rules && touch -d "$checked_at" "$rules_package/wasm/exports.js"
}

build_audio_for_the_browser() {
  need_npm_packages
  is_stale "$audio_package/wasm/audio_wasm.js" crates/rules/Cargo.toml crates/rules/src crates/audio/Cargo.toml crates/audio/src \
    crates/audio-wasm/Cargo.toml crates/audio-wasm/src "${wasm_sources[@]}" || return 0
  say "building the demo check for the browser"
  scripts/wasm audio && touch -d "$checked_at" "$audio_package/wasm/audio_wasm.js"
}

build_web() {
  build_rules_for_the_browser
  build_audio_for_the_browser
  is_stale web/dist/index.html web "$rules_package" "$audio_package" || return 0
  say "building the web app"
  (cd web && npm run build >&2) && touch -d "$checked_at" web/dist/index.html
}

# The crates of the server. Cargo chooses features by the crates that are named, and whether tests or examples are among what is
# built: named otherwise, the server and many dependencies would be compiled a second time.
server_crates=(-p deadwax -p deadwax-analysis -p deadwax-audio -p deadwax-config -p deadwax-http -p deadwax-mail -p deadwax-paint
  -p deadwax-pictures -p deadwax-responder -p deadwax-store)

build_deadwax() { cargo build "${server_crates[@]}" --bin deadwax --test pages; }

# need_debian PROBE:PACKAGE ...: installs the packages whose probe (a command or file) is missing.
need_debian() {
  local pair probe missing=()
  for pair in "$@"; do
    probe=${pair%%:*}
    has "$probe" || compgen -G "$probe" >/dev/null || missing+=("${pair#*:}")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    has sudo || die "missing: ${missing[*]}; install them as root: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  has apt-get || die "missing: ${missing[*]} (named as Debian names them)"
  say "installing ${missing[*]}"
  "${as_root[@]}" apt-get update -q >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" >&2
}

free_port() {
  node -e 'const s = require("net").createServer(); s.listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

# wait_ready URL PID: returns once the server answers; fails if it exits or takes longer than 30 seconds.
wait_ready() {
  local deadline=$((SECONDS + 30))
  until curl -fsS -o /dev/null "$1" 2>/dev/null; do
    kill -0 "$2" 2>/dev/null || return 1
    [ "$SECONDS" -lt "$deadline" ] || return 1
    sleep 0.05
  done
}

# PostgreSQL refuses to run as root, so it runs as its package's user.
as_postgres_owner() {
  if [ "$(id -u)" -eq 0 ]; then (cd / && exec runuser -u postgres -- "$@"); else "$@"; fi
}

# Puts temporary files of tests into memory if there is enough: a database per test makes a hundred thousand files, which take
# longer on a disk than the tests. TMPDIR overrides it.
use_memory_for_scratch() {
  [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ] || return 0
  local room memory
  room=$(df --output=avail /dev/shm | tail -n 1)
  memory=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo)
  if [ "$room" -ge "$SCRATCH_KIB" ] && [ "$memory" -ge $((2 * SCRATCH_KIB)) ]; then export TMPDIR=/dev/shm; fi
}

# pg_start [SETTING=VALUE]: starts a temporary PostgreSQL cluster on a free loopback port. Sets pg_dir, pg_url (a superuser, no
# password, no database name) and pg_bin. A crash may lose data, which is fine for tests and measurements; pass fsync=on
# otherwise.
pg_start() {
  pg_bin=$(dirname "$(compgen -G '/usr/lib/postgresql/*/bin/initdb' | sort -V | tail -n 1)")
  [ -x "$pg_bin/initdb" ] || pg_bin=$(dirname "$(command -v initdb)")
  pg_dir=$(mktemp -d "${TMPDIR:-/tmp}/deadwax-pg.XXXXXX")
  [ "$(id -u)" -ne 0 ] || chown postgres "$pg_dir"
  local port
  port=$(free_port)
  as_postgres_owner "$pg_bin/initdb" -D "$pg_dir/data" -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync >"$pg_dir.log" 2>&1 ||
    { cat "$pg_dir.log" >&2; die "initdb failed"; }
  as_postgres_owner "$pg_bin/pg_ctl" -D "$pg_dir/data" -l "$pg_dir/log" -w -s start \
    -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$pg_dir -c fsync=off -c max_connections=200 ${1:+-c $1}" ||
    { cat "$pg_dir/log" >&2; die "PostgreSQL did not start"; }
  pg_url=postgres://postgres@127.0.0.1:$port
}

pg_stop() {
  [ -n "${pg_dir:-}" ] || return 0
  as_postgres_owner "$pg_bin/pg_ctl" -D "$pg_dir/data" -m immediate -s stop || true
  rm -rf "$pg_dir" "$pg_dir.log"
  pg_dir=
}
