import type { FetchQueryOptions, QueryClient, QueryKey } from "@tanstack/react-query";

/**
 * Reads a query again, and resolves after the first try, without data if it failed. The page keeps retrying by
 * itself.
 */
export async function readOnce<Data, Key extends QueryKey>(
  client: QueryClient,
  query: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<{ data?: Data; error?: Error }> {
  await client.cancelQueries({ queryKey: query.queryKey });
  try {
    return { data: await client.fetchQuery({ ...query, staleTime: 0, retry: false }) };
  } catch (error) {
    void client.invalidateQueries({ queryKey: query.queryKey });
    return { error: error as Error };
  }
}
