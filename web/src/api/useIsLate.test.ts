import { act, renderHook } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { MAINTENANCE_WAIT_MS } from "../rules/generated/constants.ts";
import { useIsLate } from "./useIsLate.ts";

it("a read is late by its own time, not by that of the one before", () => {
  vi.useFakeTimers();
  const { result, rerender } = renderHook((isWaiting: boolean) => useIsLate(isWaiting), {
    initialProps: true,
  });
  expect(result.current).toBe(false);
  act(() => void vi.advanceTimersByTime(MAINTENANCE_WAIT_MS));
  expect(result.current).toBe(true);
  rerender(false);
  rerender(true);
  expect(result.current).toBe(false);
  act(() => void vi.advanceTimersByTime(MAINTENANCE_WAIT_MS));
  expect(result.current).toBe(true);
  vi.useRealTimers();
});
