interface Reading {
  data: unknown;
  failureCount: number;
  isError: boolean;
}

/**
 * Failed reads are retried while they are on show (`app/queryClient.ts`), so a read is `failing` from its first failure
 * on. Data that was read before stays `ready`.
 */
export function readState({
  data,
  failureCount,
  isError,
}: Reading): "loading" | "failing" | "ready" {
  if (data !== undefined) return "ready";
  return failureCount > 0 || isError ? "failing" : "loading";
}
