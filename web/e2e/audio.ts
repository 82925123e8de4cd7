// Music made on the spot: files that are what their extensions say, of any size.
import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";

/** Of MPEG 1 layer III at 128 kbit/s and 44.1 kHz. */
const FRAME_BYTES = 417;

/** An MP3 of so many silent frames. */
export function makeMp3(frames: number): Buffer {
  const frame = Buffer.alloc(FRAME_BYTES);
  frame.set([0xff, 0xfb, 0x90, 0x64]);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}

/** Writes a wave of exactly so many bytes, every megabyte of it different. */
export function writeWave(path: string, bytes: number): void {
  const head = Buffer.alloc(44);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(bytes - 8, 4);
  head.write("WAVEfmt ", 8, "latin1");
  head.writeUInt32LE(16, 16);
  // PCM, two channels of 16 bits at 44.1 kHz.
  head.set([1, 0, 2, 0], 20);
  head.writeUInt32LE(44_100, 24);
  head.writeUInt32LE(176_400, 28);
  head.set([4, 0, 16, 0], 32);
  head.write("data", 36, "latin1");
  head.writeUInt32LE(bytes - 44, 40);
  writeFileSync(path, head);
  const file = openSync(path, "a");
  for (let left = bytes - 44, step = 1; left > 0; step += 1) {
    const piece = Buffer.alloc(Math.min(left, 1_048_576), step);
    left -= writeSync(file, piece);
  }
  closeSync(file);
}
