// What was said in the terminal since the document was opened. Other pages may be visited meanwhile: who follows a link
// out of an answer comes back to the same conversation. A reload begins a new one.
import { type QueryClient, queryOptions, skipToken } from "@tanstack/react-query";

export interface Line {
  /** Its place in the conversation. */
  id: number;
  type: "system" | "user" | "ai";
  content: string;
  /** When it was said, in milliseconds of the clock. */
  timestamp: number;
  /** True where something failed. */
  isError: boolean;
}

/** The conversation's name among the queries, and among the calls under way. */
export const TERMINAL = ["terminal"] as const;

/** The lines so far; nothing before the first. Nobody is asked for them: they arise here. */
export const conversationQuery = queryOptions<readonly Line[]>({
  queryKey: TERMINAL,
  queryFn: skipToken,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

type Said = Pick<Line, "type" | "content"> & { isError?: boolean };

/** Adds lines to the end. */
export function say(client: QueryClient, ...said: Said[]): void {
  client.setQueryData(conversationQuery.queryKey, (lines = []) => [
    ...lines,
    ...said.map(({ type, content, isError = false }, index) => ({
      id: lines.length + index,
      type,
      content,
      timestamp: Date.now(),
      isError,
    })),
  ]);
}

/** How many lines there are at this moment. */
export function countLines(client: QueryClient): number {
  return client.getQueryData(conversationQuery.queryKey)?.length ?? 0;
}
