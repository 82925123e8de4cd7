// A sign-out that has not reached the server. The browser keeps it, so that neither a reload nor another tab shows a
// person who has left.
import { apiError, call } from "../api/client.ts";
import { createBrowserStore } from "./browserStore.ts";

const owed = createBrowserStore("deadwax.sign-out-owed", (found) => found === true);

/** Ends the session at the server; owed until that is answered, even if the page closes. Throws `ApiError`. */
export async function sendSignOut(): Promise<void> {
  owed.update(() => true);
  try {
    await call("POST", "/api/auth/sign-out");
  } catch (error) {
    if (!apiError(error).isTransient) owed.clear();
    throw error;
  }
  owed.clear();
}

/** Sends an owed sign-out. Throws `ApiError` if it still fails. */
export async function sendOwedSignOut(): Promise<void> {
  if (!owed.get()) return;
  await sendSignOut().catch((error: Error) => {
    if (apiError(error).isTransient) throw error;
  });
}

/** Another session has replaced the left one. */
export function forgetOwedSignOut(): void {
  if (owed.get()) owed.clear();
}
