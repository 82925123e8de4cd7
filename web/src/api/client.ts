// The one way to the server: typed by the generated document, every failure an `ApiError`.
// It returns or throws; what a person sees of a failure is decided by whoever called.
import createClient, {
  createFinalURL,
  createQuerySerializer,
  defaultPathSerializer,
} from "openapi-fetch";
import type { components, paths } from "./types/api.ts";

type GetPaths = {
  [P in keyof paths]: paths[P] extends {
    get: { responses: { 200: { content: { "application/json": unknown } } } };
  }
    ? P
    : never;
}[keyof paths];

/** Every path that can be read as JSON. */
export type ReadPath = GetPaths & `/api/${string}`;

/** What a read of the path answers. */
export type Answer<P extends ReadPath> = paths[P] extends {
  get: { responses: { 200: { content: { "application/json": infer Body } } } };
}
  ? Body
  : never;

/** Path and query parameters of a read, as its document states them. */
export type ReadParams<P extends ReadPath> = paths[P] extends { get: { parameters: infer All } }
  ? Omit<All, "header" | "cookie">
  : never;

/** How the server words a refusal. */
export type Problem = components["schemas"]["Problem"];

/** A refused or failed call. `code` is what programs branch on, `said` what people read, `message` what logs tell. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** The service's own words; undefined where nothing answered, or something that had none (a proxy's page). */
  readonly said: string | undefined;
  /** HTTP status; 0 when no answer arrived. */
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

  /** True where asking again later may succeed: nothing answered, or the server was not able to. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** The service's own words for its refusal; undefined where it had none, failed or could not be reached. */
export function serviceMessage(error: unknown): string | undefined {
  const isRefusal = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return isRefusal ? error.said : undefined;
}

const client = createClient<paths>({
  baseUrl: globalThis.location.origin,
  fetch: (request) => globalThis.fetch(request),
});

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

/** Reads a path. Throws `ApiError` for refusals and for silence alike. */
export async function read<P extends ReadPath>(
  path: P,
  params: ReadParams<P>,
  signal: AbortSignal,
): Promise<Answer<P>> {
  // The call is typed by this function's own signature; the client's overloads cannot follow a
  // path that is still a type parameter.
  const call = client.GET as (
    path: string,
    init: object,
  ) => Promise<{ data?: unknown; error?: unknown; response: Response }>;
  const outcome = await call(path, { params, signal }).catch((cause: unknown) => {
    if (signal.aborted) throw cause;
    throw new ApiError(0, { detail: cause instanceof Error ? cause.message : String(cause) });
  });
  if (outcome.response.ok && outcome.data !== undefined) return outcome.data as Answer<P>;
  throw refusal(outcome.response.status, outcome.error, outcome.response.headers);
}

const sessionRefused = new Set<() => void>();

/** Calls back whenever the server answers that there is no session any more. */
export function onSessionRefused(heed: () => void): () => void {
  sessionRefused.add(heed);
  return () => sessionRefused.delete(heed);
}

/** The error of a refused call, whose body may be anything. A wait that only the headers name counts too. */
export function refusal(status: number, body: unknown, headers?: Headers): ApiError {
  const problem = typeof body === "object" && body !== null ? (body as Partial<Problem>) : {};
  const retry_after = problem.retry_after ?? secondsIn(headers?.get("retry-after"));
  const error = new ApiError(status, { ...problem, ...(retry_after != null && { retry_after }) });
  // A wrong password is a 401 too; these codes alone say that the session is gone.
  if (error.code === "not_authenticated" || error.code === "session_expired") {
    for (const heed of sessionRefused) heed();
  }
  return error;
}

/** The seconds of a `Retry-After`; its other form, a date, is not made by anything in front of this service. */
function secondsIn(header: string | null | undefined): number | null {
  return header && /^\d+$/.test(header) ? Number(header) : null;
}
