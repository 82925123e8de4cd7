# A mail server that notes what arrives in $work/arrived. Sourced.
# shellcheck shell=bash
need_debian '/usr/lib/python3*/*-packages/aiosmtpd:python3-aiosmtpd'

smtp_port=$(free_port) sink=
mkfifo "$work/orders"

sink_up() {
  # Debian's packages are installed for Debian's own Python. It stops at the end of its input, which is kept open.
  /usr/bin/python3 crates/server/tests/smtp_server.py "$smtp_port" <>"$work/orders" >>"$work/arrived" &
  sink=$!
}
sink_down() {
  [ -n "$sink" ] || return 0
  stop_process "$sink" || true
  sink=
}
