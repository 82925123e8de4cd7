// Names a request that creates something: sent again with the same name, it creates nothing more (docs/api.md, Conventions).

/** A name for one request, as its header. It works on plain http too, where `crypto.randomUUID` is not there. */
export function idempotencyKey(): { "Idempotency-Key": string } {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return { "Idempotency-Key": `"${hex}"` };
}
