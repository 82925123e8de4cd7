// The release search. It is a form, so that Enter works without scripts.

import { useNavigate, useRouter } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { useCallback } from "react";
import { SearchInput } from "../../ui/SearchInput.tsx";
import type { TypedSearch } from "../../ui/useTypedSearch.ts";
import { useTypedSearch } from "../../ui/useTypedSearch.ts";

interface ReleaseSearchProps {
  search: TypedSearch;
  /** The result, once it is known. */
  found: { count: number; hasMore: boolean } | undefined;
}

export function ReleaseSearch({ search, found }: ReleaseSearchProps) {
  function submit(event: FormEvent): void {
    event.preventDefault();
    search.searchNow();
  }
  return (
    <search className="block border-hairline border-b">
      <form
        action="/releases"
        className="px-gutter py-4 sm:flex sm:items-center sm:gap-x-6"
        onSubmit={submit}
      >
        <SearchInput
          ref={search.field}
          search={search}
          name="q"
          label="Search releases"
          placeholder="Title, artist or number"
          autoCapitalize="off"
          enterKeyHint="search"
          className="w-full sm:max-w-96"
        />
        <p
          role="status"
          className="type-label text-dim tabular-nums not-empty:mt-3 sm:not-empty:mt-0"
        >
          {found && wordsOf(found)}
        </p>
      </form>
    </search>
  );
}

function wordsOf({ count, hasMore }: { count: number; hasMore: boolean }): string {
  if (hasMore) return `MORE THAN ${count} FOUND`;
  return count > 0 ? `${count} FOUND` : "";
}

/** The release search, kept in the page's address. A new search restarts the list. */
export function useReleaseSearch(q: string) {
  const router = useRouter();
  const navigate = useNavigate();
  const write = useCallback(
    (wanted: string) =>
      router.latestLocation.pathname === "/releases" &&
      navigate({
        to: "/releases",
        search: ({ dialog, reset }) => ({
          ...(dialog && { dialog }),
          ...(reset && { reset }),
          ...(wanted && { q: wanted }),
        }),
        replace: true,
        resetScroll: false,
      }),
    [router, navigate],
  );
  return useTypedSearch(q, write);
}
