import { useNavigate, useRouter } from "@tanstack/react-router";
import { useCallback } from "react";
import { useTypedSearch } from "../../ui/useTypedSearch.ts";

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
