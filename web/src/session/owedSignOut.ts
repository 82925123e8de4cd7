// A sign-out that the server has not heard of. The browser keeps it until it has, so that neither a reload nor another tab shows
// somebody who has left.
import { apiError, call } from "../api/client.ts";
import { createBrowserStore } from "./browserStore.ts";

const owed = createBrowserStore("deadwax.sign-out-owed", (found) => found === true);

/** Ends the session at the server. It is owed until that is answered, also where the page goes first. Throws `ApiError` where it is not. */
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

/** Tells the server what it is owed. Throws `ApiError` where it still cannot be told. */
export async function sendOwedSignOut(): Promise<void> {
  if (!owed.get()) return;
  await sendSignOut().catch((error: Error) => {
    // Refused: there is no such session.
    if (apiError(error).isTransient) throw error;
  });
}

/** Another session stands in the place of the one that was left. */
export function forgetOwedSignOut(): void {
  if (owed.get()) owed.clear();
}
