interface Outcome {
  data?: { pages: unknown[] } | undefined;
  hasNextPage: boolean;
  isError: boolean;
}

type FetchNextPage = (options: { cancelRefetch: boolean }) => Promise<Outcome>;

/**
 * Reads the page after the `pageCount` present ones. A refresh that is under way is not cancelled: the page is read
 * after it.
 */
export async function loadNextPage(fetch: FetchNextPage, pageCount: number): Promise<void> {
  const { data, hasNextPage, isError } = await fetch({ cancelRefetch: false });
  const hasGrown = (data?.pages.length ?? 0) > pageCount;
  if (!hasGrown && hasNextPage && !isError) await fetch({ cancelRefetch: false });
}
