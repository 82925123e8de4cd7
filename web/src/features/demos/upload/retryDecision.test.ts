import { describe, expect, it, vi } from "vitest";
import { ApiError, onSessionRefused } from "../../../api/client.ts";
import { classifyError, decideRetry } from "./retryDecision.ts";

const refusal = (status: number, code = "refused", retry_after?: number) =>
  new ApiError(status, { code, ...(retry_after !== undefined && { retry_after }) });

describe("a failed request of an upload", () => {
  it("is read without a word to the session's watch", () => {
    const hear = vi.fn();
    const stop = onSessionRefused(hear);
    const answer = { getStatus: () => 401, getBody: () => '{"code":"not_authenticated"}' };
    const failure = Object.assign(new Error("refused"), { originalResponse: answer });
    expect(classifyError(failure).error.code).toBe("not_authenticated");
    stop();
    expect(hear).not.toHaveBeenCalled();
  });

  it("that nothing answered is tried again for as long as it takes", () => {
    expect(decideRetry(refusal(0), "PATCH", 0)).toEqual({ is: "passing", atLeastMs: 0 });
    expect(decideRetry(refusal(0), "POST", 1_000)).toEqual({ is: "passing", atLeastMs: 0 });
  });

  it.each([500, 502, 503, 504])("with %i is tried again five times in a row", (status) => {
    expect(decideRetry(refusal(status), "PATCH", 4).is).toBe("passing");
    expect(decideRetry(refusal(status), "PATCH", 5).is).toBe("final");
  });

  it.each([404, 408, 409, 410, 423])("with %i asks where the upload stands", (status) => {
    expect(decideRetry(refusal(status), "PATCH", 0).is).toBe("passing");
    expect(decideRetry(refusal(status), "PATCH", 5).is).toBe("final");
    expect(decideRetry(refusal(status), "POST", 0).is).toBe("final");
  });

  it.each([400, 403, 412, 413, 415, 422, 460])("with %i is an answer", (status) => {
    expect(decideRetry(refusal(status), "PATCH", 0)).toEqual({
      is: "final",
      error: refusal(status),
    });
  });

  it("that found the store full is an answer", () => {
    expect(decideRetry(refusal(503, "storage_full"), "POST", 0).is).toBe("final");
  });

  it("by a busy server waits as long as that asks", () => {
    const busy = refusal(503, "busy", 5);
    expect(decideRetry(busy, "POST", 9)).toEqual({ is: "passing", atLeastMs: 5_000 });
  });

  it("that came too soon waits a short while, and no hour", () => {
    const short = refusal(429, "rate_limited", 20);
    expect(decideRetry(short, "PATCH", 0)).toEqual({ is: "passing", atLeastMs: 20_000 });
    expect(decideRetry(short, "POST", 0).is).toBe("final");
    expect(decideRetry(refusal(429, "rate_limited", 2_000), "PATCH", 0).is).toBe("final");
    expect(decideRetry(refusal(429), "PATCH", 0).is).toBe("final");
  });
});
