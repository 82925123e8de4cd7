import { HttpResponse, http } from "msw";
import { describe, expect, it, vi } from "vitest";
import { server } from "../testing/fakeApi.ts";
import { fetchCode, ServerUnreachable } from "./fetchCode.ts";

const MISSING = new TypeError("Failed to fetch dynamically imported module: /assets/Page.js");

describe("a part of the app that cannot be fetched", () => {
  it("is the server's absence where nothing else answers either", async () => {
    server.use(http.get("*/livez", () => HttpResponse.error()));
    const load = vi.fn().mockRejectedValue(MISSING);
    await expect(fetchCode(load)).rejects.toBeInstanceOf(ServerUnreachable);
    expect(load).toHaveBeenCalledOnce();
  });

  it("is the server's absence behind a proxy that answers for it", async () => {
    server.use(http.get("*/livez", () => new HttpResponse(null, { status: 502 })));
    await expect(fetchCode(() => Promise.reject(MISSING))).rejects.toBeInstanceOf(
      ServerUnreachable,
    );
  });

  it("is fetched once more where the server was away for a moment", async () => {
    server.use(http.get("*/livez", () => new HttpResponse("ok")));
    const load = vi.fn().mockRejectedValueOnce(MISSING).mockResolvedValue("the part");
    expect(await fetchCode(load)).toBe("the part");
  });

  it("is gone where the server answers and has not got it", async () => {
    server.use(http.get("*/livez", () => new HttpResponse("ok")));
    await expect(fetchCode(() => Promise.reject(MISSING))).rejects.toBe(MISSING);
  });
});
