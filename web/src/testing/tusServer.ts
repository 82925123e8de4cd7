// A fake tus server at the network level that stores uploads and can be made to fail.
import { HttpResponse, http, type PathParams } from "msw";
import { server } from "./fakeApi.ts";

interface Kept {
  length: number;
  offset: number;
  words: Record<string, string>;
}

type Answer = Response | undefined | Promise<Response | undefined>;

export interface TusServer {
  /** Requests in order, as method and upload. */
  calls: string[];
  /** Uploads by the last part of their address. */
  uploads: Map<string, Kept>;
  /** Answers instead of the server while it returns something. */
  instead: (method: string, request: Request) => Answer;
}

/** Accepts uploads at `/api/demos`. */
export function serveTus(): TusServer {
  const tus: TusServer = { calls: [], uploads: new Map(), instead: () => undefined };

  async function create(request: Request): Promise<Response> {
    const token = `token-${tus.uploads.size + 1}`;
    tus.uploads.set(token, {
      length: Number(request.headers.get("Upload-Length")),
      offset: 0,
      words: wordsOf(request.headers.get("Upload-Metadata") ?? ""),
    });
    return new HttpResponse(null, { status: 201, headers: { Location: `/api/demos/${token}` } });
  }

  async function append(kept: Kept, request: Request): Promise<Response> {
    if (Number(request.headers.get("Upload-Offset")) !== kept.offset) {
      return new HttpResponse(null, { status: 409 });
    }
    kept.offset += (await request.arrayBuffer()).byteLength;
    return new HttpResponse(null, { status: 204, headers: standOf(kept) });
  }

  async function answer({
    request,
    params,
  }: {
    request: Request;
    params: PathParams;
  }): Promise<Response> {
    const token = String(params.token ?? "");
    tus.calls.push(`${request.method} ${token}`.trim());
    const other = await tus.instead(request.method, request);
    if (other) return other;
    if (request.method === "POST") return create(request);
    const kept = tus.uploads.get(token);
    if (!kept) return new HttpResponse(null, { status: 404 });
    if (request.method === "PATCH") return append(kept, request);
    if (request.method === "DELETE") tus.uploads.delete(token);
    return new HttpResponse(null, {
      status: request.method === "DELETE" ? 204 : 200,
      headers: standOf(kept),
    });
  }

  server.use(
    // Not an upload.
    http.get("*/api/demos/promise", () => HttpResponse.json({ days: null })),
    http.all("*/api/demos", answer),
    http.all("*/api/demos/:token", answer),
  );
  return tus;
}

/** A refusal in the server's format. */
export function refusal(
  status: number,
  problem: { code: string; detail: string; fields?: object; retry_after?: number },
): Response {
  return HttpResponse.json(
    { type: "about:blank", title: "Refused", status, request_id: "test", ...problem },
    { status },
  );
}

function standOf({ offset, length }: Kept): Record<string, string> {
  return { "Upload-Offset": String(offset), "Upload-Length": String(length) };
}

function wordsOf(metadata: string): Record<string, string> {
  const pairs = metadata.split(",").map((pair) => {
    const [name = "", value = ""] = pair.split(" ");
    return [name, Buffer.from(value, "base64").toString("utf8")];
  });
  return Object.fromEntries(pairs);
}
