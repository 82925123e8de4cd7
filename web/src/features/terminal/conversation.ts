// The terminal's conversation since the document was opened. It survives visits to other pages; a reload begins a new
// one.
import { type QueryClient, queryOptions, skipToken } from "@tanstack/react-query";

export interface Line {
  id: number;
  type: "system" | "user" | "ai";
  content: string;
  /** Milliseconds since 1970. */
  timestamp: number;
  isError: boolean;
}

/** The key of the conversation's query and mutations. */
export const TERMINAL = ["terminal"] as const;

/** The lines so far. They are never fetched. */
export const conversationQuery = queryOptions<readonly Line[]>({
  queryKey: TERMINAL,
  queryFn: skipToken,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

type Said = Pick<Line, "type" | "content"> & { isError?: boolean };

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

export function countLines(client: QueryClient): number {
  return client.getQueryData(conversationQuery.queryKey)?.length ?? 0;
}
