// What the tabs of one browser tell each other about the session they share.
import type { QueryClient } from "@tanstack/react-query";
import { openChannel } from "../api/live/channel.ts";
import { expectEnd, holdNobody, holdSession, readOwnAnew } from "./sessionQuery.ts";
import type { SessionView } from "./types.ts";

const NAME = "deadwax-session";

type TabMessage =
  | { kind: "changed"; view: SessionView }
  /** Of which session, where that is known. */
  | { kind: "signed_out"; left: string | undefined }
  /** The session is being ended on purpose, or that was tried and is over. */
  | { kind: "ending"; isExpected: boolean }
  /** Something of the account itself is another, such as its address. */
  | { kind: "account_changed" };

/** Heeds the other tabs until the returned function is called. */
export function followTabs(client: QueryClient): () => void {
  const channel = openChannel<TabMessage>(NAME, (message) => {
    if (message.kind === "changed") holdSession(client, message.view);
    else if (message.kind === "signed_out") holdNobody(client, message.left);
    else if (message.kind === "ending") expectEnd(client, message.isExpected);
    else readOwnAnew(client);
  });
  return channel.close;
}

/** Tells the other tabs. */
export function tellTabs(message: TabMessage): void {
  const channel = openChannel<TabMessage>(NAME);
  channel.post(message);
  channel.close();
}
