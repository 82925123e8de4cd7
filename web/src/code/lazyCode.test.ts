import { expect, it, vi } from "vitest";
import { lazyCode } from "./lazyCode.ts";

it("a part is fetched once, however often it is asked for", async () => {
  const fetchPart = vi.fn(async () => "the part");
  const code = lazyCode(fetchPart);
  expect(code.loaded()).toBeUndefined();
  expect(await Promise.all([code.load(), code.load()])).toEqual(["the part", "the part"]);
  expect(code.loaded()).toBe("the part");
  expect(fetchPart).toHaveBeenCalledOnce();
});

it("a fetch that failed is made again by the next call", async () => {
  const code = lazyCode(
    vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error("gone")).mockResolvedValue("it"),
  );
  await expect(code.load()).rejects.toThrow("gone");
  expect(await code.load()).toBe("it");
});

it("a part that something waits for is fetched again until it is here", async () => {
  vi.useFakeTimers();
  vi.spyOn(console, "error").mockReturnValue();
  const fetchPart = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new Error("gone"))
    .mockRejectedValueOnce(new Error("gone"))
    .mockResolvedValue("it");
  const use = vi.fn();
  lazyCode(fetchPart, { retryMs: 1_000 }).whenLoaded(use);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(use).toHaveBeenCalledExactlyOnceWith("it");
  vi.useRealTimers();
});

it("a part that nothing waits for any more is not fetched again", async () => {
  vi.useFakeTimers();
  vi.spyOn(console, "error").mockReturnValue();
  const fetchPart = vi.fn<() => Promise<string>>().mockRejectedValue(new Error("gone"));
  const end = lazyCode(fetchPart, { retryMs: 1_000 }).whenLoaded(vi.fn());
  await vi.advanceTimersByTimeAsync(0);
  end();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(fetchPart).toHaveBeenCalledOnce();
  vi.useRealTimers();
});
