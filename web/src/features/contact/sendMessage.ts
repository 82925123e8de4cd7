import { ApiError, ask } from "../../api/client.ts";
import { createRequestNames } from "../../api/idempotencyKey.ts";
import type { Draft } from "./draft.ts";

export interface Refusal {
  fields: Readonly<Record<string, string>>;
  /** Seconds until the next try, if the server said so. */
  waitSeconds: number | undefined;
}

const names = createRequestNames();

/** Undefined once the server has accepted the message. */
export async function sendMessage(message: Draft, trap: string): Promise<Refusal | undefined> {
  const body = { ...message, ...(trap && { trap }) };
  try {
    const { response, data, error } = await ask("POST", "/api/contact", {
      body,
      headers: names.of(body),
    });
    // An answer without JSON is not an acceptance, whatever its status.
    if (data?.error === null) {
      names.end();
      return undefined;
    }
    const seconds = Number(response.headers.get("retry-after"));
    return {
      fields: error?.fields ?? {},
      waitSeconds: response.status === 429 && seconds > 0 ? seconds : undefined,
    };
  } catch (error) {
    if (error instanceof ApiError) return { fields: {}, waitSeconds: undefined };
    throw error;
  }
}

/** A wait in words: `in 9 minutes`, `in 3 hours`. Rounded up, so that waiting that long is enough. */
export function waitText(seconds: number): string {
  const words = new Intl.RelativeTimeFormat("en");
  if (seconds <= 90) return words.format(Math.ceil(seconds), "second");
  const minutes = Math.ceil(seconds / 60);
  if (minutes <= 90) return words.format(minutes, "minute");
  return words.format(Math.ceil(minutes / 60), "hour");
}
