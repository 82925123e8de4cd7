// Answers, refuses, breaks, holds and records changing calls.
import { HttpResponse, http } from "msw";
import type { SessionView } from "../session/sessionQuery.ts";
import { server } from "./fakeApi.ts";

/** Sets the session. */
export function seeAs(view: SessionView): void {
  server.use(http.get("*/api/auth/session", () => HttpResponse.json({ ...view })));
}

interface Heard {
  body: unknown;
}

interface Options {
  /** Affects the first call only. */
  once?: boolean;
}

/** Answers the call; collects what was sent. */
export function answerCall(
  method: "post" | "put" | "patch" | "delete" | "get",
  path: `/api/${string}`,
  body: object | null,
  status = 200,
  options: Options = {},
): Heard[] {
  const heard: Heard[] = [];
  server.use(
    http[method](
      `*${path}`,
      async ({ request }) => {
        const text = await request.clone().text();
        heard.push({ body: text.startsWith("{") ? JSON.parse(text) : text });
        return body === null
          ? new HttpResponse(null, { status })
          : HttpResponse.json({ ...body }, { status });
      },
      options,
    ),
  );
  return heard;
}

/** Refuses the call with this code and text. */
export function refuseCall(
  method: "post" | "put" | "patch" | "delete" | "get",
  path: `/api/${string}`,
  status: number,
  problem: { code: string; detail?: string; fields?: object; retry_after?: number },
  options: Options = {},
): Heard[] {
  return answerCall(
    method,
    path,
    { type: "about:blank", title: "Refused", status, request_id: "test", ...problem },
    status,
    options,
  );
}

/** Makes the call fail without a response. */
export function breakCall(
  method: "post" | "put" | "patch" | "delete" | "get",
  path: `/api/${string}`,
) {
  server.use(http[method](`*${path}`, () => HttpResponse.error()));
}

/** Holds the call's usual answer until the returned function is called. */
export function holdCall(
  method: "post" | "put" | "patch" | "delete" | "get",
  path: `/api/${string}`,
) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  // A handler without a response falls through to the earlier ones.
  server.use(http[method](`*${path}`, () => released.then(() => undefined)));
  return release;
}
