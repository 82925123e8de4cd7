// Real audio files made on the spot.

/** Silence in 24 bits, 288,000 bytes a second. */
export function aWave(bytes: number, name = "take.wav"): File {
  const head = new DataView(new ArrayBuffer(44));
  for (const [at, word] of [
    [0, "RIFF"],
    [8, "WAVEfmt "],
    [36, "data"],
  ] as const) {
    for (const [index, letter] of [...word].entries())
      head.setUint8(at + index, letter.charCodeAt(0));
  }
  head.setUint32(4, bytes + 36, true);
  head.setUint32(16, 16, true);
  head.setUint16(20, 1, true);
  head.setUint16(22, 2, true);
  head.setUint32(24, 48_000, true);
  head.setUint32(28, 288_000, true);
  head.setUint16(32, 6, true);
  head.setUint16(34, 24, true);
  head.setUint32(40, bytes, true);
  return new File([head, new Uint8Array(bytes)], name, { type: "audio/wav", lastModified: 1 });
}
