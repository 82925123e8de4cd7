// The only way to the server: every call is typed by the generated document, every failure is an `ApiError`. It returns
// or throws; callers decide what to show.
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

type AddressOf<Op> = Op extends { parameters: infer All }
  ? Pick<All, keyof All & ("path" | "query")>
  : { path?: never; query?: never };

type HeadersOf<Op> = Op extends { parameters: { header: infer Named } }
  ? { headers: Named & Readonly<Record<string, string>> }
  : { headers?: Readonly<Record<string, string>> };

/** The body: JSON, or a form where the document says so, whose files are strings to the document. */
type BodyOf<Op> = Op extends { requestBody: { content: { "multipart/form-data": infer Form } } }
  ? { body: { [Field in keyof Form]: Form[Field] | Blob } }
  : Op extends { requestBody: { content: { "application/json": infer Json } } }
    ? { body: Json }
    : { body?: never };

interface Sending {
  /** If aborted, the call throws the signal's own reason. */
  signal?: AbortSignal;
  /** Half a minute unless stated. */
  timeoutMs?: number;
  keepalive?: boolean;
}

type Init<M extends Method, P extends PathOf<M>> = AddressOf<Operation<M, P>> &
  HeadersOf<Operation<M, P>> &
  BodyOf<Operation<M, P>> &
  Sending;

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

type Refused<M extends Method, P extends PathOf<M>> = BodyIn<
  Responses<M, P>[Exclude<keyof Responses<M, P>, Success>]
>;

/** Every path that can be read as JSON. */
export type ReadPath = {
  [P in PathOf<"GET">]: Answer<"GET", P> extends object ? P : never;
}[PathOf<"GET">];

export type ReadParams<P extends ReadPath> = AddressOf<Operation<"GET", P>>;

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

  /** True if the call may have been carried out: no answer came, or only a proxy's. */
  get isUnsure(): boolean {
    return [0, 502, 504].includes(this.status);
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

/** For the `catch` of a removal: what another admin has removed already is removed. */
export function unlessGone(error: unknown): void {
  if (apiError(error).status !== 404) throw error;
}

const BUSY = 503;

/** The server's own words for its refusal; undefined if it had none, broke down or was out of reach. */
export function serviceMessage(error: unknown): string | undefined {
  const failure = apiError(error);
  return failure.isRefusal || failure.status === BUSY ? failure.said : undefined;
}

export const REQUEST_TIMEOUT_MS = 30_000;

/** A path that takes a file as a form. */
type UploadPath<M extends Method> = {
  [P in PathOf<M>]: Operation<M, P> extends {
    requestBody: { content: { "multipart/form-data": unknown } };
  }
    ? P
    : never;
}[PathOf<M>];

/** Where a file is sent. Its type carries the answer's. */
export interface UploadTarget<Answered> {
  method: "POST" | "PUT";
  url: string;
  answered?: Answered;
}

export function uploadTarget<M extends "POST" | "PUT", P extends UploadPath<M>>(
  method: M,
  path: P,
  params: AddressOf<Operation<M, P>>,
): UploadTarget<Answer<M, P>> {
  return { method, url: filledIn(path, params as Given) };
}

/** The parts of a call, for any operation. */
interface Given extends Sending {
  path?: Readonly<Record<string, unknown>>;
  query?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
  body?: object;
}

/**
 * An address from the origin's root. It names the answer of a read in the query cache, and the served page names its
 * first data by the same strings.
 */
export function urlOf<P extends ReadPath>(path: P, params: ReadParams<P>): string {
  return filledIn(path, params as Given);
}

function filledIn(path: string, { path: parts = {}, query = {} }: Given): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(parts[name])));
  const search = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return search.length > 0 ? `${filled}?${search.join("&")}` : filled;
}

/** Sends a request, and rejects if it takes too long. */
export function send(method: Method, path: string, given: Given): Promise<Response> {
  const { body, headers, signal, timeoutMs = REQUEST_TIMEOUT_MS, keepalive = false } = given;
  const isForm = Object.values(body ?? {}).some((value) => value instanceof Blob);
  // By hand: browsers know `AbortSignal.any` two years less than all else that this needs.
  const end = new AbortController();
  for (const ending of [signal, AbortSignal.timeout(timeoutMs)]) {
    if (ending?.aborted) end.abort(ending.reason);
    ending?.addEventListener("abort", () => end.abort(ending.reason));
  }
  return globalThis.fetch(new URL(filledIn(path, given), globalThis.location.origin), {
    method,
    headers: {
      // A state-changing request without a declared type is refused, so even an empty one declares it.
      ...(method !== "GET" && !isForm && { "content-type": "application/json" }),
      ...headers,
    },
    body: isForm ? formOf(body) : jsonOf(method, body),
    signal: end.signal,
    keepalive,
  });
}

function formOf(body: object | undefined): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body ?? {})) form.append(name, value);
  return form;
}

function jsonOf(method: Method, body: object | undefined): string | null {
  if (body !== undefined) return JSON.stringify(body);
  return method === "GET" || method === "DELETE" ? null : "{}";
}

/** Both bodies are undefined if the answer was not JSON of this service (a proxy's page). */
interface Answered<M extends Method, P extends PathOf<M>> {
  response: Response;
  /** The body of a success. */
  data: Answer<M, P> | undefined;
  /** The body of a refusal, for calls that document one. */
  error: Refused<M, P> | undefined;
}

/** A `Date` is in whole seconds, and some time under way: less than this is no difference. */
const CLOCK_DIFFERENCE_MS = 3_000;

/** A clock that is this much further ahead than before was set. */
const CLOCK_SET_MS = 60_000;

let clockBehindMs: number | undefined;

/** An answer under way for long makes the clock look ahead, so that the largest difference is the nearest. */
function noteTime({ headers }: Response): void {
  const behind = Date.parse(headers.get("date") ?? "") - Date.now();
  if (Number.isNaN(behind)) return;
  const known = clockBehindMs ?? behind;
  clockBehindMs = behind < known - CLOCK_SET_MS ? behind : Math.max(behind, known);
}

/** A moment of this device's clock by the server's. */
export function serverTime(ms: number): number {
  const behind = clockBehindMs ?? 0;
  return Math.abs(behind) > CLOCK_DIFFERENCE_MS ? ms + behind : ms;
}

/** Makes a call and returns its answer, refusals included. Throws `ApiError` if nothing answered. */
export async function ask<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  ...[init]: CallInit<M, P>
): Promise<Answered<M, P>> {
  const given = (init ?? {}) as Given;
  try {
    const response = await send(method, path, given);
    noteTime(response);
    const body = parseJson(await response.text());
    // Every body of the document is an object.
    const answer = typeof body === "object" && body !== null ? body : undefined;
    return {
      response,
      data: response.ok ? (answer as Answer<M, P> | undefined) : undefined,
      error: response.ok ? undefined : (answer as Refused<M, P> | undefined),
    };
  } catch (cause) {
    if (given.signal?.aborted) throw cause;
    throw apiError(cause);
  }
}

/** Undefined for anything but JSON: of a proxy's page, the status is all there is. */
export function parseJson(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

/** Makes a call and returns the body of its success. Throws `ApiError` for refusals and silence. */
export async function call<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  ...init: CallInit<M, P>
): Promise<Answer<M, P>> {
  const { response, data, error } = await ask(method, path, ...init);
  if (!response.ok) throw heed(refusal(response.status, error, response.headers));
  // A success without JSON is not this service's.
  if (data === undefined && response.status !== 204) throw new ApiError(0, { detail: "no JSON" });
  return data as Answer<M, P>;
}

const sessionRefused = new Set<() => void>();

/** Calls back whenever a call that heeds its refusal is answered that the session is gone. */
export function onSessionRefused(listener: () => void): () => void {
  sessionRefused.add(listener);
  return () => sessionRefused.delete(listener);
}

/** The error of a refused call, whose body may be anything. A wait that only the headers name counts too. */
export function refusal(status: number, body: unknown, headers?: Headers): ApiError {
  const problem = typeof body === "object" && body !== null ? (body as Partial<Problem>) : {};
  const retry_after = problem.retry_after ?? secondsIn(headers?.get("retry-after"));
  return new ApiError(status, { ...problem, ...(retry_after != null && { retry_after }) });
}

/** Reports a refusal that says that the session is gone, and returns it. */
export function heed(error: ApiError): ApiError {
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
