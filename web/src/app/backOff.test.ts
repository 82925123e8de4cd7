import { expect, it } from "vitest";
import { loadRules, withRules } from "../rules/rules.ts";
import { statedWait, waitBefore } from "./backOff.ts";

it("waits at a steady pace until the rules are loaded, and as they say from then on", async () => {
  expect(statedWait(0)).toBeUndefined();
  expect(waitBefore(0)).toBe(waitBefore(7));
  await loadRules();
  for (const failures of [0, 1, 2, 3, 4, 50]) {
    expect(waitBefore(failures)).toBe(withRules((rules) => rules.reconnectDelayMs(failures)));
  }
  expect(waitBefore(0)).toBeLessThan(waitBefore(3));
});
