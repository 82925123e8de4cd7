# A tus client based on curl, and files to send, for measurements and fault rounds. Sourced; needs $url.
# shellcheck shell=bash

# make_wav BYTES FILE: a WAV file of noise.
make_wav() {
  {
    printf 'RIFF\377\377\377\377WAVEfmt \020\0\0\0\001\0\002\0\104\254\0\0\020\261\002\0\004\0\020\0data\377\377\377\377'
    head -c "$(($1 - 44))" /dev/urandom
  } >"$2"
}

b64() { printf '%s' "$1" | base64 -w0; }

# announce CLIENT BYTES: announces set.wav from that address; prints the upload's address.
announce() {
  curl -fsS -o /dev/null -D - -X POST "$url/api/demos" -H 'Tus-Resumable: 1.0.0' -H "X-Forwarded-For: $1" -H "Upload-Length: $2" \
    -H "Upload-Metadata: artist_name $(b64 Bench),email $(b64 bench@label.example),filename $(b64 set.wav)" |
    tr -d '\r' | sed -n 's/^[Ll]ocation: //p'
}

# send CLIENT LOCATION OFFSET FILE [CURL OPTION...]: sends a file as the next bytes; prints status and seconds.
send() {
  local client=$1 location=$2 offset=$3 file=$4
  shift 4
  curl -sS -o /dev/null -w '%{http_code} %{time_total}\n' -X PATCH -T "$file" "$url$location" -H Expect: -H 'Tus-Resumable: 1.0.0' \
    -H "X-Forwarded-For: $client" -H "Upload-Offset: $offset" -H 'Content-Type: application/offset+octet-stream' "$@" || true
}

# how_far CLIENT LOCATION: prints status and offset of an upload.
how_far() {
  curl -sS -I "$url$2" -H 'Tus-Resumable: 1.0.0' -H "X-Forwarded-For: $1" |
    tr -d '\r' | awk '/^HTTP/ { status = $2 } tolower($1) == "upload-offset:" { offset = $2 } END { print status, offset }'
}
