// The names of requests that create something: repeated under the same name, they create nothing more (docs/api.md,
// Conventions).

export type IdempotencyKey = { "Idempotency-Key": string };

/** A random name of 32 hexadecimal digits. Not by `crypto.randomUUID`, which is missing without a secure connection. */
export function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function idempotencyKey(): IdempotencyKey {
  return { "Idempotency-Key": `"${randomName()}"` };
}

/**
 * Names the requests of one form. Sent again unchanged, a body keeps its name, as its answer may have got lost; a
 * changed body, or one after an accepted request, gets a new one.
 */
export function createRequestNames() {
  let last: { said: string; key: IdempotencyKey } | undefined;
  return {
    of(body: unknown): IdempotencyKey {
      const said = JSON.stringify(body);
      if (last?.said !== said) last = { said, key: idempotencyKey() };
      return last.key;
    },
    /** Marks the last request as accepted. */
    end() {
      last = undefined;
    },
  };
}
