import { expect, it } from "vitest";
import { createRequestNames } from "./idempotencyKey.ts";

it("names what is sent again as before, and what was changed or follows an accepted one anew", () => {
  const names = createRequestNames();
  const first = names.of({ name: "Nova" });
  expect(first["Idempotency-Key"]).toMatch(/^"[0-9a-f]{32}"$/);
  expect(names.of({ name: "Nova" })).toEqual(first);
  const changed = names.of({ name: "Vesna" });
  expect(changed).not.toEqual(first);
  names.end();
  expect(names.of({ name: "Vesna" })).not.toEqual(changed);
});
