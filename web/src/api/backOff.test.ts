import { expect, it } from "vitest";
import { loadRules, withRules } from "../rules/rules.ts";
import { reconnectDelayMs } from "./backOff.ts";

it("waits as the rules say, without loading them", async () => {
  const waits = [0, 1, 2, 3, 4, 50].map(reconnectDelayMs);
  await loadRules();
  expect(waits).toEqual(
    withRules((rules) => [0, 1, 2, 3, 4, 50].map((failures) => rules.reconnectDelayMs(failures))),
  );
  expect(reconnectDelayMs(0)).toBeLessThan(reconnectDelayMs(3));
});
