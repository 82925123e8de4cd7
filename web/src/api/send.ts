// Calls that change something, and reads that are a person's own: one request, one answer, every failure an `ApiError`.
import { ApiError, refusal } from "./client.ts";

/** Later than this an answer is not waited for. */
const PATIENCE_MS = 30_000;

interface SendOptions {
  /** Sent as JSON; a form's data travels as it is. */
  body?: object | FormData | undefined;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The address of a page as calls name it that have a link mailed. The server decides by itself where links lead. */
export function redirectTo(path: "/auth/callback" | "/profile"): string {
  return new URL(path, globalThis.location.origin).href;
}

/** Sends and answers the body; undefined where there is none. */
export async function send<Body>(
  method: Method,
  path: `/api/${string}`,
  options: SendOptions = {},
): Promise<Body> {
  const { response, body } = await ask(method, path, options);
  if (response.ok) return body as Body;
  throw refusal(response.status, body, response.headers);
}

/** Sends and answers whatever came, for the calls that state refusals in their own shape. */
export async function ask(
  method: Method,
  path: `/api/${string}`,
  { body, headers, signal }: SendOptions,
): Promise<{ response: Response; body: unknown }> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const isForm = body instanceof FormData;
  // A state-changing request without a declared type is refused, so even an empty one declares it.
  const hasJson = method !== "GET" && !isForm;
  try {
    const response = await globalThis.fetch(new URL(path, globalThis.location.origin), {
      method,
      headers: { ...(hasJson && { "content-type": "application/json" }), ...headers },
      ...(isForm && { body }),
      ...(hasJson && method !== "DELETE" && { body: JSON.stringify(body ?? {}) }),
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
    });
    const text = await response.text();
    return { response, body: parsed(text) };
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiError(0, { detail: cause instanceof Error ? cause.message : String(cause) });
  }
}

function parsed(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    // Something on the way answered in a language of its own; the status is all there is.
    return undefined;
  }
}
