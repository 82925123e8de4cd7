import { expect, it } from "vitest";
import { waitLabel } from "./SignupForm.tsx";

it.each([
  [59, "59s"],
  [99, "99s"],
  [870, "14m 30s"],
  [3_599, "59m 59s"],
  [3_600, "1h 0m"],
  [7_500, "2h 5m"],
])("%d seconds are shown as %s", (seconds, label) => {
  expect(waitLabel(seconds)).toBe(label);
});
