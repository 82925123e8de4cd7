import { delay, HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import { refuseCall } from "../testing/calls.ts";
import { hang, refuse, server } from "../testing/fakeApi.ts";
import { ApiError, ask, call, onSessionRefused, serverTime, urlOf } from "./client.ts";

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
          },
          { status: 503 },
        ),
      ),
    );
    const error = await failure(call("GET", "/api/content", { signal }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: "overloaded",
      message: "Come back.",
      status: 503,
      retryAfterSeconds: 7,
      isTransient: true,
    });
  });

  it("throws the same kind where nothing answers or the answer is no problem document", async () => {
    refuse("/api/content", 0);
    expect(await failure(call("GET", "/api/content", { signal }))).toMatchObject({
      code: "network",
      status: 0,
      isTransient: true,
    });
    server.use(
      http.get("*/api/content", () => new HttpResponse("<h1>Bad gateway</h1>", { status: 502 })),
    );
    expect(await failure(call("GET", "/api/content", { signal }))).toMatchObject({
      code: "unknown",
      status: 502,
      said: undefined,
    });
  });

  it("tells the service's own words from what only a log should say", async () => {
    const said = async () => (await failure(call("GET", "/api/content", { signal }))).said;
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
    const error = await failure(call("GET", "/api/content", { signal }));
    expect(error.retryAfterSeconds).toBe(9);
  });

  it("tells a refusal, which asking again will not mend, from an outage", async () => {
    refuse("/api/artists/{id}", 404);
    const error = await failure(call("GET", "/api/artists/{id}", { path: { id: "x" }, signal }));
    expect(error.isTransient).toBe(false);
  });
});

describe("a call that changes something", () => {
  /** The request the server receives for the next call of this method and path. */
  function hear(method: "post" | "put" | "delete", path: string, status = 200) {
    const heard: { type: string | null; ifMatch: string | null; body: string; path: string }[] = [];
    server.use(
      http[method](`*${path}`, async ({ request }) => {
        heard.push({
          type: request.headers.get("content-type"),
          ifMatch: request.headers.get("if-match"),
          body: await request.clone().text(),
          path: new URL(request.url).pathname,
        });
        return status === 204 ? new HttpResponse(null, { status }) : HttpResponse.json({});
      }),
    );
    return heard;
  }

  it("declares what it sends, also where that is nothing", async () => {
    const posted = hear("post", "/api/auth/refresh");
    await call("POST", "/api/auth/refresh");
    expect(posted).toMatchObject([{ type: "application/json", body: "{}" }]);
    const deleted = hear("delete", "/api/auth/account", 204);
    await expect(call("DELETE", "/api/auth/account")).resolves.toBeUndefined();
    expect(deleted).toMatchObject([{ type: "application/json", body: "" }]);
  });

  it("names row and version where the document wants them", async () => {
    const heard = hear("put", "/api/admin/content/:key");
    const row = { path: { key: "a/b" }, headers: { "if-match": '"7"' } };
    await call("PUT", "/api/admin/content/{key}", { ...row, body: { value: "Cut loud." } });
    expect(heard).toEqual([
      {
        type: "application/json",
        ifMatch: '"7"',
        body: '{"value":"Cut loud."}',
        path: "/api/admin/content/a%2Fb",
      },
    ]);
  });

  it("sends a file as a form", async () => {
    const heard = hear("post", "/api/profile/avatar");
    const file = new File(["picture"], "avatar.jpg", { type: "image/jpeg" });
    await call("POST", "/api/profile/avatar", { body: { file } });
    expect(heard[0]?.type).toMatch(/^multipart\/form-data; boundary=/);
    expect(heard[0]?.body).toMatch(/name="file"; filename="avatar.jpg"/);
  });

  it("tells that the session is gone, and not that a password was wrong", async () => {
    let calls = 0;
    const stop = onSessionRefused(() => {
      calls += 1;
    });
    refuseCall("post", "/api/auth/refresh", 401, { code: "invalid_credentials" });
    await failure(call("POST", "/api/auth/refresh"));
    expect(calls).toBe(0);
    refuseCall("post", "/api/auth/refresh", 401, { code: "session_expired" });
    await failure(call("POST", "/api/auth/refresh"));
    stop();
    expect(calls).toBe(1);
  });
});

describe("an answer", () => {
  const page = (status: number) =>
    server.use(http.post("*/api/contact", () => new HttpResponse("<h1>Log in</h1>", { status })));
  const body = { name: "Mira", email: "mira@example.org", message: "Hello there." };

  it("in no language of the service is none, whatever its status", async () => {
    page(200);
    expect(await failure(call("POST", "/api/contact", { body }))).toMatchObject({
      code: "network",
      status: 0,
    });
    page(429);
    const { response, data, error } = await ask("POST", "/api/contact", { body });
    expect([response.status, data, error]).toEqual([429, undefined, undefined]);
  });

  it("that is given up throws the reason of whoever gave it up", async () => {
    const leaving = new AbortController();
    const error = failure(call("GET", "/api/content", { signal: leaving.signal }));
    leaving.abort();
    expect(await error).not.toBeInstanceOf(ApiError);
  });

  it("that takes too long is silence", async () => {
    hang("/api/content");
    expect(await failure(call("GET", "/api/content", { timeoutMs: 20 }))).toMatchObject({
      code: "network",
      status: 0,
    });
  });
});

it("a browser without AbortSignal.any makes calls, and gives them up", async () => {
  const { any } = AbortSignal;
  Reflect.deleteProperty(AbortSignal, "any");
  expect(await call("GET", "/api/content")).toHaveProperty("items");
  server.use(http.get("*/api/content", () => delay("infinite")));
  const left = new AbortController();
  const asked = call("GET", "/api/content", { signal: left.signal });
  left.abort(new Error("left"));
  await expect(asked).rejects.toThrow("left");
  await expect(call("GET", "/api/content", { timeoutMs: 1 })).rejects.toMatchObject({ status: 0 });
  Object.assign(AbortSignal, { any });
});

it("lets no call without parameters take any", () => {
  // @ts-expect-error It has none.
  expect(urlOf("/api/demos/promise", { query: { limit: 5 } })).toBe("/api/demos/promise?limit=5");
});

it("takes an answer that was long under way for no clock ahead", async () => {
  for (const ago of [4_000, 0]) {
    const date = new Date(Date.now() - ago).toUTCString();
    server.use(http.get("*/api/content", () => HttpResponse.json([], { headers: { date } })));
    await ask("GET", "/api/content");
  }
  expect(serverTime(1)).toBe(1);
});
