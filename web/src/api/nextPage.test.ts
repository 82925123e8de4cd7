import { describe, expect, it } from "vitest";
import { loadNextPage } from "./usePages.ts";

/** A list with these numbers of pages on consecutive reads. */
function listOf(...counts: number[]) {
  const asked: { cancelRefetch: boolean }[] = [];
  const fetch = async (options: { cancelRefetch: boolean }) => {
    const pages = Array.from({ length: counts[asked.length] ?? 0 });
    asked.push(options);
    return { data: { pages }, hasNextPage: true, isError: false };
  };
  return { asked, fetch };
}

describe("a further page", () => {
  it("is asked for once, and breaks nothing off", async () => {
    const { asked, fetch } = listOf(3);
    await loadNextPage(fetch, 2);
    expect(asked).toEqual([{ cancelRefetch: false }]);
  });

  it("is asked for after the news that was being read", async () => {
    const { asked, fetch } = listOf(2, 3);
    await loadNextPage(fetch, 2);
    expect(asked).toHaveLength(2);
  });

  it("is not asked for again where there is none, or the read failed", async () => {
    for (const end of [
      { hasNextPage: false, isError: false },
      { hasNextPage: true, isError: true },
    ]) {
      let asked = 0;
      const fetch = async () => {
        asked += 1;
        return { data: { pages: [1, 2] }, ...end };
      };
      await loadNextPage(fetch, 2);
      expect(asked).toBe(1);
    }
  });
});
