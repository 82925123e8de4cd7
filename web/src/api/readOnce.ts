import type { FetchQueryOptions, QueryClient, QueryKey } from "@tanstack/react-query";

/**
 * Reads a query again, and resolves after the first try, without data if it failed. The page keeps retrying by
 * itself.
 */
export async function readOnce<Data, Key extends QueryKey>(
  client: QueryClient,
  query: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<{ data?: Data; error?: Error }> {
  const { queryKey } = query;
  const usual = client.defaultQueryOptions(query);
  await client.cancelQueries({ queryKey });
  const held = client.getQueryCache().build(client, usual);
  const read = await held.fetch({ ...usual, retry: false }).then(
    (data) => ({ data }),
    (error: Error) => ({ error }),
  );
  // The library would make the next reads without retries too.
  held.setOptions(usual);
  if ("error" in read) void client.invalidateQueries({ queryKey });
  return read;
}
