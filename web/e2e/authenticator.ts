// An authenticator app: the codes of RFC 6238 (SHA-1, six digits, 30 seconds) from the key a person types into it.
import { createHmac } from "node:crypto";
import { expect } from "@playwright/test";

const STEP_MS = 30_000;

export class Authenticator {
  private readonly key: Buffer;
  private last = 0;

  /** `key` is base 32; spaces are for reading. */
  constructor(key: string) {
    this.key = fromBase32(key.replaceAll(" ", ""));
  }

  /** The code that the app shows `offset` steps from now. */
  codeOf(offset: number): string {
    return this.codeAt(stepNow() + offset);
  }

  /**
   * A code the service has not seen: every step counts once. The step after the current one is accepted too, so only
   * the third code within a minute waits.
   */
  async next(): Promise<string> {
    const step = Math.max(stepNow(), this.last + 1);
    await expect
      .poll(stepNow, { timeout: 2 * STEP_MS, message: "the authenticator's next step" })
      .toBeGreaterThanOrEqual(step - 1);
    this.last = step;
    return this.codeAt(step);
  }

  /** The code given last, which is spent. */
  spent(): string {
    return this.codeAt(this.last);
  }

  private codeAt(step: number): string {
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(step));
    const mac = createHmac("sha1", this.key).update(counter).digest();
    const at = (mac.at(-1) ?? 0) & 15;
    return String((mac.readUInt32BE(at) & 0x7fff_ffff) % 1_000_000).padStart(6, "0");
  }
}

function stepNow(): number {
  return Math.floor(Date.now() / STEP_MS);
}

function fromBase32(text: string): Buffer {
  const bits = [...text]
    .map((letter) =>
      "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
    )
    .join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
