// The calls of tests that change something: answered, refused or left alone, and heard.
import { HttpResponse, http } from "msw";
import type { SessionView } from "../session/types.ts";
import { server } from "./fakeApi.ts";

/** From now on this is who the server sees. */
export function seeAs(view: SessionView): void {
  server.use(http.get("*/api/auth/session", () => HttpResponse.json({ ...view })));
}

interface Heard {
  body: unknown;
}

interface Options {
  /** The first call alone; those after it are answered as before. */
  once?: boolean;
}

/** From now on the call is answered with this; what was sent is collected. */
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

/** From now on the call is refused with this code and text. */
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

/** From now on nothing answers the call. */
export function breakCall(method: "post" | "put" | "patch" | "delete", path: `/api/${string}`) {
  server.use(http[method](`*${path}`, () => HttpResponse.error()));
}

/** From now on the call is answered as before, but not until what this returns is called. */
export function holdCall(method: "post" | "put" | "patch" | "delete", path: `/api/${string}`) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  // A handler without an answer leaves the call to those before it.
  server.use(http[method](`*${path}`, () => released.then(() => undefined)));
  return release;
}
