import { describe, expect, it } from "vitest";
import { ApiError } from "../api/client.ts";
import { createQueryClient } from "./queryClient.ts";

/** Milliseconds before a read that failed this way for the first time is tried again. */
function waitAfter(error: Error): number {
  const { retryDelay } = createQueryClient().getDefaultOptions().queries ?? {};
  if (typeof retryDelay !== "function") throw new Error("a wait that depends on the failure");
  return retryDelay(0, error);
}

describe("the wait before a failed read is tried again", () => {
  it("is the usual one where nothing was asked for", () => {
    const usual = waitAfter(new ApiError(0, {}));
    expect(usual).toBeGreaterThan(0);
    expect(waitAfter(new ApiError(503, {}))).toBe(usual);
    expect(waitAfter(new ApiError(503, { retry_after: 0 }))).toBe(usual);
    expect(waitAfter(new Error("something else"))).toBe(usual);
  });

  it("is never shorter than what the server asked for", () => {
    expect(waitAfter(new ApiError(429, { retry_after: 42 }))).toBe(42_000);
    expect(waitAfter(new ApiError(503, { retry_after: 7 }))).toBe(7_000);
  });

  it("stays within what a timer can count, which would otherwise fire at once", () => {
    expect(waitAfter(new ApiError(503, { retry_after: 1e10 }))).toBe(2 ** 31 - 1);
  });
});
