import type { DataTag, QueryClient, QueryKey, Updater } from "@tanstack/react-query";

/** Puts a call's answer into the cache. Cancels a read under way, which may be older. */
export async function putAnswer<Data>(
  client: QueryClient,
  { queryKey }: { queryKey: DataTag<QueryKey, Data, Error> },
  answer: Updater<NoInfer<Data> | undefined, NoInfer<Data> | undefined>,
): Promise<void> {
  await client.cancelQueries({ queryKey });
  client.setQueryData(queryKey, answer);
}
