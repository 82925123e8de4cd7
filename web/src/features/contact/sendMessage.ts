// Sending a contact message, and what its refusals say.
import { ApiError, ask } from "../../api/client.ts";
import { idempotencyKey } from "../../api/idempotencyKey.ts";
import type { Draft } from "./draft.ts";

/** Why a message was not accepted. */
export interface Refusal {
  /** What is wrong with single fields. */
  fields: Readonly<Record<string, string>>;
  /** Seconds until it may be tried again, where that was said. */
  waitSeconds: number | undefined;
}

/** What was sent last without being accepted: its answer may have got lost, and sent again it is the same message. */
let last: { said: string; headers: ReturnType<typeof idempotencyKey> } | undefined;

/** Undefined once the label has the message: then, and only then, it will be delivered. */
export async function sendMessage(message: Draft, trap: string): Promise<Refusal | undefined> {
  const said = JSON.stringify([message, trap]);
  if (last?.said !== said) last = { said, headers: idempotencyKey() };
  try {
    const { response, data, error } = await ask("POST", "/api/contact", {
      body: { ...message, ...(trap && { trap }) },
      headers: last.headers,
    });
    // An answer in no language of this call is no acceptance, whatever its status.
    if (data?.error === null) {
      last = undefined;
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

/** A wait as it is said: `in 9 minutes`, `in 3 hours`. Rounded up, so that waiting it out is enough. */
export function waitText(seconds: number): string {
  const words = new Intl.RelativeTimeFormat("en");
  if (seconds <= 90) return words.format(Math.ceil(seconds), "second");
  const minutes = Math.ceil(seconds / 60);
  if (minutes <= 90) return words.format(minutes, "minute");
  return words.format(Math.ceil(minutes / 60), "hour");
}
