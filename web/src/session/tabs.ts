// Keeps the session of a browser's tabs in step.
import type { QueryClient } from "@tanstack/react-query";
import { openChannel } from "../api/live/channel.ts";
import type { SessionView } from "./sessionQuery.ts";
import { expectEnd, holdNobody, holdSession, readOwnAnew } from "./sessionQuery.ts";

const NAME = "deadwax-session";

type TabMessage =
  | { kind: "changed"; view: SessionView }
  /** `left` is the session, if known. */
  | { kind: "signed_out"; left: string | undefined }
  /** The session is being ended on purpose, or that is over. */
  | { kind: "ending"; isExpected: boolean }
  /** The account was changed, such as its address. */
  | { kind: "account_changed" };

/** Follows the other tabs until the returned function is called. */
export function followTabs(client: QueryClient): () => void {
  const channel = openChannel<TabMessage>(NAME, (message) => {
    if (message.kind === "changed") holdSession(client, message.view);
    else if (message.kind === "signed_out") holdNobody(client, message.left);
    else if (message.kind === "ending") expectEnd(client, message.isExpected);
    else readOwnAnew(client);
  });
  return channel.close;
}

export function tellTabs(message: TabMessage): void {
  const channel = openChannel<TabMessage>(NAME);
  channel.post(message);
  channel.close();
}
