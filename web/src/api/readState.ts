// How a read stands, for whoever shows it.

interface Reading {
  data: unknown;
  failureCount: number;
  isError: boolean;
}

/**
 * A read that failed is tried again for as long as anybody looks (`app/queryClient.ts`), so it is `failing` from its first failure on and
 * not only once it is given up. What was read before stays `ready` whatever becomes of the next read.
 */
export function readState({
  data,
  failureCount,
  isError,
}: Reading): "loading" | "failing" | "ready" {
  if (data !== undefined) return "ready";
  return failureCount > 0 || isError ? "failing" : "loading";
}
