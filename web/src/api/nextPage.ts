// The next page of a list that is read page by page.

interface Outcome {
  data?: { pages: unknown[] } | undefined;
  hasNextPage: boolean;
  isError: boolean;
}

type FetchNextPage = (options: { cancelRefetch: boolean }) => Promise<Outcome>;

/**
 * Asks for the page after the `pageCount` that are there. News of those that is being read is not broken off for it:
 * it is let end, and the page asked for then.
 */
export async function loadNextPage(fetch: FetchNextPage, pageCount: number): Promise<void> {
  const { data, hasNextPage, isError } = await fetch({ cancelRefetch: false });
  const hasGrown = (data?.pages.length ?? 0) > pageCount;
  if (!hasGrown && hasNextPage && !isError) await fetch({ cancelRefetch: false });
}
