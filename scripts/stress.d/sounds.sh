# Sounds like those of artists, in every accepted format, made by ffmpeg. Sourced.
# shellcheck shell=bash

# make_sounds FOLDER SECONDS: half of them clip or contain silence; sounds.mjs makes archives of the others.
make_sounds() {
  local folder=$1 seconds=$2
  mkdir -p "$folder"
  tone() {
    ffmpeg -v error -y -f lavfi -i "sine=frequency=$1:sample_rate=44100:duration=$seconds,volume='0.2+$2*abs(sin(t*9))':eval=frame,aformat=channel_layouts=stereo" "${@:4}" "$folder/$3"
  }
  tone 220 0.6 pcm16.wav -c:a pcm_s16le
  tone 110 4 float.wav -c:a pcm_f32le
  tone 330 0.6 flac.flac -c:a flac
  tone 180 9 constant.mp3 -b:a 128k
  tone 440 0.6 variable.mp3 -q:a 4 -metadata title="Night Bus" -metadata artist="Kesto Vann"
  tone 260 0.6 aac.m4a -c:a aac -b:a 128k
  tone 150 9 alac.m4a -c:a alac
  node scripts/stress.d/sounds.mjs archive "$folder/archive.zip" "$folder"/{flac.flac,constant.mp3,aac.m4a,pcm16.wav,alac.m4a}
}
