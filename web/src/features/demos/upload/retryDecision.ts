// Whether a failed request of an upload is retried or reported.
import type { DetailedError } from "tus-js-client";
import { type ApiError, parseJson, refusal } from "../../../api/client.ts";

/** Server errors in a row before the failure is reported. */
const MAX_RETRIES = 5;
/** A limit shorter than this is waited for. */
const SHORT_WAIT_SECONDS = 60;

export type RetryDecision = { is: "final"; error: ApiError } | { is: "passing"; atLeastMs: number };

/** The refusal in an answer's body; status 0 if nothing answered. */
export function classifyError(error: Error | DetailedError): { error: ApiError; method: string } {
  const answer = "originalResponse" in error ? error.originalResponse : null;
  const method = "originalRequest" in error ? (error.originalRequest?.getMethod() ?? "") : "";
  return { error: refusal(answer?.getStatus() ?? 0, parseJson(answer?.getBody())), method };
}

/** Judges a refusal after `troubles` others without progress. */
export function decideRetry(error: ApiError, method: string, troubles: number): RetryDecision {
  const passing: RetryDecision = { is: "passing", atLeastMs: 0 };
  const final: RetryDecision = { is: "final", error };
  switch (error.status) {
    // The connection is gone: waited for as long as the person does.
    case 0:
      return passing;
    // Short waits are waited for; the limit of demos is not.
    case 429:
    case 503: {
      const wait = error.retryAfterSeconds ?? Number.POSITIVE_INFINITY;
      const isFinal = error.code === "storage_full" || (error.status === 429 && method === "POST");
      if (!isFinal && wait <= SHORT_WAIT_SECONDS) return { is: "passing", atLeastMs: wait * 1_000 };
      return isFinal || error.status === 429 || troubles >= MAX_RETRIES ? final : passing;
    }
    // The upload's state is unclear: asking for its offset settles it.
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
