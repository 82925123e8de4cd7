// The only way to the server: every call is typed by the generated document, every failure is an `ApiError`. It returns
// or throws; callers decide what to show.
import createClient, {
  createFinalURL,
  createQuerySerializer,
  defaultPathSerializer,
  type ParamsOption,
  type RequestBodyOption,
} from "openapi-fetch";
import type { components, paths } from "./types/api.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in Lowercase<M>]: object } ? P : never;
}[keyof paths] &
  `/api/${string}`;

type Operation<M extends Method, P extends PathOf<M>> = paths[P] extends {
  [K in Lowercase<M>]: infer Op extends Record<string | number, unknown>;
}
  ? Op
  : never;

/** The body: JSON, or a form where the document says so, whose files are strings to the document. */
type Body<Op> = Op extends { requestBody: { content: { "multipart/form-data": infer Form } } }
  ? { body: { [Field in keyof Form]: Form[Field] | Blob } }
  : RequestBodyOption<Op>;

type Init<M extends Method, P extends PathOf<M>> = ParamsOption<Operation<M, P>> &
  Body<Operation<M, P>> & {
    headers?: Readonly<Record<string, string>>;
    /** If aborted, the call throws the signal's own reason. */
    signal?: AbortSignal;
    /** Half a minute unless stated. */
    timeoutMs?: number;
    keepalive?: boolean;
  };

/** The arguments after method and path; none where the document needs none. */
export type CallInit<M extends Method, P extends PathOf<M>> =
  Partial<Init<M, P>> extends Init<M, P> ? [init?: Init<M, P>] : [init: Init<M, P>];

type Success = 200 | 201 | 204;

type Responses<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends {
    responses: infer All;
  }
    ? All
    : never;

type BodyIn<Response> = Response extends { content: infer ByType }
  ? ByType[keyof ByType]
  : undefined;

/** The body of a success; undefined where the document has none. */
export type Answer<M extends Method, P extends PathOf<M>> = BodyIn<
  Responses<M, P>[keyof Responses<M, P> & Success]
>;

/** The body of a refusal. */
type Refused<M extends Method, P extends PathOf<M>> = BodyIn<
  Responses<M, P>[Exclude<keyof Responses<M, P>, Success>]
>;

/** Every path that can be read as JSON. */
export type ReadPath = {
  [P in PathOf<"GET">]: Answer<"GET", P> extends object ? P : never;
}[PathOf<"GET">];

/** Path and query parameters of a read. */
export type ReadParams<P extends ReadPath> = paths[P] extends { get: { parameters: infer All } }
  ? Omit<All, "header" | "cookie">
  : never;

export type Schemas = components["schemas"];

export type Problem = Schemas["Problem"];

/** A refused or failed call. `code` is what programs branch on, `said` what people read, `message` what logs tell. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** The server's own words; undefined if nothing answered, or something without words (a proxy's page). */
  readonly said: string | undefined;
  /** HTTP status; 0 when no answer of this service arrived. */
  readonly status: number;
  readonly code: string;
  /** Field name to message, for forms. */
  readonly fields: Readonly<Record<string, string>>;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, problem: Partial<Problem>) {
    const words = [problem.detail, problem.title].find(
      (text) => typeof text === "string" && text.trim() !== "",
    );
    super(words ?? `HTTP ${status}`);
    this.said = status === 0 ? undefined : words;
    this.status = status;
    this.code = problem.code ?? (status === 0 ? "network" : "unknown");
    this.fields = problem.fields ?? {};
    this.requestId = problem.request_id;
    this.retryAfterSeconds = problem.retry_after;
  }

  /** True if the call may succeed later: nothing answered, or the server was not able to. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  /** True if the server understood the call and refused it. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500;
  }

  /** True if this server did not answer. */
  get isSilence(): boolean {
    return this.status === 0;
  }
}

/** The `ApiError` of whatever was thrown; anything else counts as silence. */
export function apiError(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  return new ApiError(0, { detail: cause instanceof Error ? cause.message : String(cause) });
}

const BUSY = 503;

/** The server's own words for its refusal; undefined if it had none, broke down or was out of reach. */
export function serviceMessage(error: unknown): string | undefined {
  const failure = apiError(error);
  return failure.isRefusal || failure.status === BUSY ? failure.said : undefined;
}

const REQUEST_TIMEOUT_MS = 30_000;

const client = createClient<paths>({
  // There is no address while a page is painted, and no call.
  baseUrl: import.meta.env.SSR ? "" : globalThis.location.origin,
  fetch: within(REQUEST_TIMEOUT_MS),
  bodySerializer: (body) => (holdsFile(body) ? formOf(body) : JSON.stringify(body)),
});

client.use({
  /** A state-changing request without a declared type is refused, so even an empty one declares it. */
  onRequest({ request }) {
    if (request.method === "GET" || request.headers.has("content-type")) return undefined;
    request.headers.set("content-type", "application/json");
    return request.method === "DELETE" ? undefined : new Request(request, { body: "{}" });
  },
});

function within(timeoutMs: number) {
  return (request: Request) => {
    // By hand: browsers know `AbortSignal.any` two years less than all else that this needs.
    const end = new AbortController();
    for (const signal of [request.signal, AbortSignal.timeout(timeoutMs)]) {
      if (signal.aborted) end.abort(signal.reason);
      signal.addEventListener("abort", () => end.abort(signal.reason));
    }
    return globalThis.fetch(request, { signal: end.signal });
  };
}

function holdsFile(body: unknown): body is Record<string, string | Blob> {
  return Object.values(Object(body)).some((value) => value instanceof Blob);
}

function formOf(body: Record<string, string | Blob>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) form.append(name, value);
  return form;
}

const serializeQuery = createQuerySerializer();

/**
 * The address of a read, from the origin's root. It names the answer in the query cache, and the
 * served page names its first data by the same strings.
 */
export function urlOf<P extends ReadPath>(path: P, params: ReadParams<P>): string {
  return createFinalURL(path, {
    baseUrl: "",
    params: params as { query?: Record<string, unknown>; path?: Record<string, unknown> },
    querySerializer: serializeQuery,
    pathSerializer: defaultPathSerializer,
  });
}

/** Both bodies are undefined if the answer was not JSON of this service (a proxy's page). */
interface Answered<M extends Method, P extends PathOf<M>> {
  response: Response;
  /** The body of a success. */
  data: Answer<M, P> | undefined;
  /** The body of a refusal, for calls that document one. */
  error: Refused<M, P> | undefined;
}

/** Makes a call and returns its answer, refusals included. Throws `ApiError` if nothing answered. */
export async function ask<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  ...[init]: CallInit<M, P>
): Promise<Answered<M, P>> {
  const { timeoutMs, signal, ...rest }: Partial<Init<M, P>> = init ?? {};
  // The call is typed by this function's own signature; the client's overloads cannot follow a path that is still a type parameter.
  const request = client.request as (method: string, path: string, init: object) => Sent;
  try {
    const { response, data, error } = await request(method, path, {
      ...rest,
      // Parsed here: not everything on the way answers in JSON.
      parseAs: "text",
      ...(signal && { signal }),
      ...(timeoutMs !== undefined && { fetch: within(timeoutMs) }),
    });
    return {
      response,
      data: object(parsed(data)) as Answer<M, P> | undefined,
      error: object(error) as Refused<M, P> | undefined,
    };
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw apiError(cause);
  }
}

type Sent = Promise<{ response: Response; data?: unknown; error?: unknown }>;

function parsed(text: unknown): unknown {
  try {
    return typeof text === "string" && text !== "" ? JSON.parse(text) : undefined;
  } catch {
    // A proxy's page: the status is all there is.
    return undefined;
  }
}

/** Every body of the document is an object. */
function object(body: unknown): object | undefined {
  return typeof body === "object" && body !== null ? body : undefined;
}

/** Makes a call and returns the body of its success. Throws `ApiError` for refusals and silence. */
export async function call<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  ...init: CallInit<M, P>
): Promise<Answer<M, P>> {
  const { response, data, error } = await ask(method, path, ...init);
  if (!response.ok) throw refusal(response.status, error, response.headers);
  // A success without JSON is not this service's.
  if (data === undefined && response.status !== 204) throw new ApiError(0, { detail: "no JSON" });
  return data as Answer<M, P>;
}

const sessionRefused = new Set<() => void>();

/** Calls back whenever the server answers that the session is gone. */
export function onSessionRefused(listener: () => void): () => void {
  sessionRefused.add(listener);
  return () => sessionRefused.delete(listener);
}

/** The error of a refused call, whose body may be anything. A wait that only the headers name counts too. */
export function refusal(status: number, body: unknown, headers?: Headers): ApiError {
  const problem = typeof body === "object" && body !== null ? (body as Partial<Problem>) : {};
  const retry_after = problem.retry_after ?? secondsIn(headers?.get("retry-after"));
  const error = new ApiError(status, { ...problem, ...(retry_after != null && { retry_after }) });
  // A wrong password is a 401 too; these codes alone say that the session is gone.
  if (error.code === "not_authenticated" || error.code === "session_expired") {
    for (const listener of sessionRefused) listener();
  }
  return error;
}

/** The seconds of a `Retry-After`; nothing in front of this service sends its other form, a date. */
function secondsIn(header: string | null | undefined): number | null {
  return header && /^\d+$/.test(header) ? Number(header) : null;
}
