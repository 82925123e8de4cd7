import { describe, expect, it, vi } from "vitest";
import { ApiError } from "../api/client.ts";
import { createQueryClient } from "./queryClient.ts";

/** Milliseconds until the first retry after this error. */
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

describe("a read that nobody is known by", () => {
  /** Reads with these answers, in order, until it succeeds or gives up. */
  async function read(...answers: (string | Error)[]) {
    const asked: (string | Error)[] = [];
    const client = createQueryClient();
    const promise = client.fetchQuery({
      queryKey: ["/api/admin/activity"],
      queryFn: () => {
        const answer = answers[asked.length] ?? new Error("one too many");
        asked.push(answer);
        return answer instanceof Error ? Promise.reject(answer) : answer;
      },
      retryDelay: 0,
    });
    const found = await promise.catch((error: Error) => error);
    return { found, asked: asked.length };
  }
  const unknown = () => new ApiError(401, { code: "not_authenticated" });

  it("is tried once more: the session's next token may have been on its way", async () => {
    const logged = vi.spyOn(console, "error").mockReturnValue(undefined);
    expect(await read(unknown(), "read")).toEqual({ found: "read", asked: 2 });
    expect(logged).not.toHaveBeenCalled();
  });

  it("is given up where the session is gone, and whatever else is refused at once", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    expect(await read(unknown(), unknown(), "late")).toMatchObject({ asked: 2 });
    expect(await read(new ApiError(403, { code: "forbidden" }), "late")).toMatchObject({
      asked: 1,
    });
  });
});
