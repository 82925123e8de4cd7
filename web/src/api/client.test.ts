import { HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import { refuse, server } from "../testing/fakeApi.ts";
import { ApiError, read, urlOf } from "./client.ts";

const signal = new AbortController().signal;
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error("it succeeded");
    },
    (error: unknown) => error as ApiError,
  );

describe("a read", () => {
  it("has the address by which the served page names its data", () => {
    expect(urlOf("/api/releases", { query: { artist_id: "a", limit: 50 } })).toBe(
      "/api/releases?artist_id=a&limit=50",
    );
    expect(urlOf("/api/content/{key}", { path: { key: "privacy_policy" } })).toBe(
      "/api/content/privacy_policy",
    );
    expect(urlOf("/api/content", {})).toBe("/api/content");
  });

  it("keeps an id inside its segment of the address", () => {
    expect(urlOf("/api/artists/{id}", { path: { id: "../content?x" } })).toBe(
      "/api/artists/..%2Fcontent%3Fx",
    );
  });

  it("throws the problem the server names", async () => {
    server.use(
      http.get("*/api/content", () =>
        HttpResponse.json(
          {
            code: "overloaded",
            detail: "Come back.",
            status: 503,
            retry_after: 7,
            request_id: "r",
          },
          { status: 503 },
        ),
      ),
    );
    const error = await failure(read("/api/content", {}, signal));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: "overloaded",
      message: "Come back.",
      status: 503,
      retryAfterSeconds: 7,
      requestId: "r",
      isTransient: true,
    });
  });

  it("throws the same kind where nothing answers or the answer is no problem document", async () => {
    refuse("/api/content", 0);
    expect(await failure(read("/api/content", {}, signal))).toMatchObject({
      code: "network",
      status: 0,
      isTransient: true,
    });
    server.use(
      http.get("*/api/content", () => new HttpResponse("<h1>Bad gateway</h1>", { status: 502 })),
    );
    expect(await failure(read("/api/content", {}, signal))).toMatchObject({
      code: "unknown",
      status: 502,
      said: undefined,
    });
  });

  it("tells the service's own words from what only a log should say", async () => {
    const said = async () => (await failure(read("/api/content", {}, signal))).said;
    const answerWith = (body: object) =>
      server.use(http.get("*/api/content", () => HttpResponse.json(body, { status: 422 })));
    answerWith({ detail: "Too long.", title: "Refused" });
    expect(await said()).toBe("Too long.");
    answerWith({ title: "Refused" });
    expect(await said()).toBe("Refused");
    for (const wordless of [{}, { detail: " " }, { detail: { text: "no text" } }]) {
      answerWith(wordless);
      expect(await said()).toBeUndefined();
    }
    refuse("/api/content", 0);
    expect(await said()).toBeUndefined();
  });

  it("hears how long to wait from the headers, where no body says it", async () => {
    server.use(
      http.get(
        "*/api/content",
        () => new HttpResponse("busy", { status: 503, headers: { "retry-after": "9" } }),
      ),
    );
    const error = await failure(read("/api/content", {}, signal));
    expect(error.retryAfterSeconds).toBe(9);
  });

  it("tells a refusal, which asking again will not mend, from an outage", async () => {
    refuse("/api/artists/{id}", 404);
    const error = await failure(read("/api/artists/{id}", { path: { id: "x" } }, signal));
    expect(error.isTransient).toBe(false);
  });
});
