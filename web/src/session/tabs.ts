// Keeps the session of a browser's tabs in step.
import type { QueryClient } from "@tanstack/react-query";
import { openChannel } from "../api/live/channel.ts";
import type { SessionView } from "./sessionQuery.ts";
import { expectEnd, holdNobody, holdSession, readOwnAnew } from "./sessionQuery.ts";

type TabMessage =
  | { kind: "changed"; view: SessionView }
  /** `left` is the session, if known. */
  | { kind: "signed_out"; left: string | undefined }
  /** The session is being ended on purpose, or that is over. */
  | { kind: "ending"; isExpected: boolean }
  /** The account was changed, such as its address. */
  | { kind: "account_changed" };

/** Posts on the channel that this tab follows, which does not hear itself; a second channel would be heard. */
let post: ((message: TabMessage) => void) | undefined;

/** Follows the other tabs until the returned function is called. */
export function followTabs(client: QueryClient): () => void {
  const channel = openChannel<TabMessage>("deadwax-session", (message) => {
    if (message.kind === "changed") holdSession(client, message.view);
    else if (message.kind === "signed_out") holdNobody(client, message.left);
    else if (message.kind === "ending") expectEnd(client, message.isExpected);
    else readOwnAnew(client);
  });
  post = channel.post;
  return () => {
    post = undefined;
    channel.close();
  };
}

export function tellTabs(message: TabMessage): void {
  post?.(message);
}
