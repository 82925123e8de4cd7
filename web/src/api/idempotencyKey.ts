// Names a request that creates something: sent again with the same name, it creates nothing more (docs/api.md, Conventions).

/** The header that names a request. */
export type IdempotencyKey = { "Idempotency-Key": string };

/** A random name of 32 hexadecimal digits. Not by `crypto.randomUUID`, which older browsers lack. */
export function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A name for one request. */
export function idempotencyKey(): IdempotencyKey {
  return { "Idempotency-Key": `"${randomName()}"` };
}

/**
 * Names what one form sends. What is sent again as it was has the same name, as its answer may have got lost; what was changed
 * meanwhile is another request, and so is what follows one that was accepted.
 */
export function createRequestNames() {
  let last: { said: string; key: IdempotencyKey } | undefined;
  return {
    of(body: unknown): IdempotencyKey {
      const said = JSON.stringify(body);
      if (last?.said !== said) last = { said, key: idempotencyKey() };
      return last.key;
    },
    /** The last one was accepted. */
    end() {
      last = undefined;
    },
  };
}
