// What a failed request of an upload means: try again, or give the answer to the person.
import type { DetailedError } from "tus-js-client";
import { type ApiError, refusal } from "../../../api/client.ts";

/** So often in a row a request that the server could not answer properly is tried again before the person is told. */
const MAX_RETRIES = 5;
/** A limit that lifts this soon is waited for. */
const SHORT_WAIT_SECONDS = 60;

export type RetryDecision = { is: "final"; error: ApiError } | { is: "passing"; atLeastMs: number };

/** The refusal in an answer's body; status 0 where nothing answered. */
export function classifyError(error: Error | DetailedError): { error: ApiError; method: string } {
  const answer = "originalResponse" in error ? error.originalResponse : null;
  const method = "originalRequest" in error ? (error.originalRequest?.getMethod() ?? "") : "";
  return { error: refusal(answer?.getStatus() ?? 0, parsed(answer?.getBody())), method };
}

/** Judges a refusal after so many others in a row without a byte more at the server. */
export function decideRetry(error: ApiError, method: string, troubles: number): RetryDecision {
  const passing: RetryDecision = { is: "passing", atLeastMs: 0 };
  const final: RetryDecision = { is: "final", error };
  switch (error.status) {
    // Nothing answered. That is the line, and it is waited for as long as the person does.
    case 0:
      return passing;
    // Told when to come back. An hour is not waited for, and neither is the limit of demos.
    case 429:
    case 503: {
      const wait = error.retryAfterSeconds ?? Number.POSITIVE_INFINITY;
      const isFinal = error.code === "storage_full" || (error.status === 429 && method === "POST");
      if (!isFinal && wait <= SHORT_WAIT_SECONDS) return { is: "passing", atLeastMs: wait * 1_000 };
      return isFinal || error.status === 429 || troubles >= MAX_RETRIES ? final : passing;
    }
    // Gone, held by a request that is about to end, or further than this page knows: asking where it stands settles it.
    case 404:
    case 408:
    case 409:
    case 410:
    case 423:
      return method === "POST" || troubles >= MAX_RETRIES ? final : passing;
    default:
      return error.status < 500 || troubles >= MAX_RETRIES ? final : passing;
  }
}

function parsed(body: string | undefined): unknown {
  try {
    return body ? JSON.parse(body) : undefined;
  } catch {
    // Something on the way answered in a language of its own; the status is all there is.
    return undefined;
  }
}
