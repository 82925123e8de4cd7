import { useIsMutating, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ApiError, apiError, call } from "../../api/client.ts";
import { maintenanceQuery } from "../../api/siteContent.ts";
import { TERMINAL_CODES } from "../../rules/generated/constants.ts";
import { withRules } from "../../rules/rules.ts";
import { createBrowserStore } from "../../session/browserStore.ts";
import { messageText, type TextCode } from "../../ui/messages.ts";
import { useToastsAhead } from "../../ui/toasts/Toasts.tsx";
import { showToast } from "../../ui/toasts/toastQueue.ts";
import { conversationQuery, type Line, say, TERMINAL } from "./conversation.ts";

const NONE: readonly Line[] = [];

const CODES: Readonly<Record<number, TextCode>> = TERMINAL_CODES;

export function useTerminal() {
  useToastsAhead();
  const client = useQueryClient();
  const { data: lines = NONE } = useQuery(conversationQuery);
  const isPending = useIsMutating({ mutationKey: TERMINAL }) > 0;
  // The answer counts even if the visitor has left the page.
  const { mutate } = useMutation({
    mutationKey: TERMINAL,
    mutationFn: askTerminal,
    onSuccess(answer, question) {
      remember(question, answer);
      say(client, { type: "ai", content: answer });
    },
    onError(error) {
      const status = apiError(error).status;
      // The maintenance screen says it better.
      if (status === 503) {
        void client.invalidateQueries({ queryKey: maintenanceQuery.queryKey });
      }
      say(client, { type: "system", content: messageText("terminal_failed"), isError: true });
      showToast({ title: messageText(CODES[status] ?? "terminal_failed"), isError: true });
    },
  });

  return {
    lines,
    isPending,
    /** Asks, or answers from memory; ignored while an answer is pending. */
    ask(question: string): void {
      // The state that disables the input comes a render after a second Enter.
      if (client.isMutating({ mutationKey: TERMINAL }) > 0) return;
      say(client, { type: "user", content: question });
      const known = recall(question);
      if (known === undefined) mutate(question);
      else say(client, { type: "ai", content: known });
    },
  };
}

/** Returns the answer's text. Throws `ApiError` for everything else, silence and nonsense included. */
async function askTerminal(message: string): Promise<string> {
  const { response } = await call("POST", "/api/terminal", { body: { message } });
  if (typeof response !== "string")
    throw new ApiError(0, { detail: "an answer without a response" });
  return response;
}

interface Remembered {
  question: string;
  response: string;
  timestamp: number;
}

/** True if the memory was written by an earlier version. */
let isOld = false;

const store = createBrowserStore("deadwax.terminal", readMemory, "tab");

function recall(question: string): string | undefined {
  const entries = store.get();
  if (isOld) {
    isOld = false;
    store.update((same) => same);
  }
  return withRules((rules) => rules.terminalCacheFind([...entries], question)) ?? undefined;
}

function remember(question: string, response: string): void {
  store.update(
    (entries) =>
      withRules((rules) =>
        rules.terminalCacheRemember([...entries], question, response, Date.now()),
      ) ?? entries,
  );
}

function readMemory(found: unknown): readonly Remembered[] {
  return Array.isArray(found) ? found.flatMap(readEntry) : [];
}

function readEntry(entry: unknown): Remembered[] {
  if (typeof entry !== "object" || entry === null) return [];
  const { question, response, timestamp, timestamp_ms } = entry as Record<string, unknown>;
  if (timestamp_ms !== undefined) isOld = true;
  const when = timestamp ?? timestamp_ms;
  return typeof question === "string" && typeof response === "string" && typeof when === "number"
    ? [{ question, response, timestamp: when }]
    : [];
}
