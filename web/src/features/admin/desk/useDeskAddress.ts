import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import { useTypedSearch } from "../../../ui/useTypedSearch.ts";
import { type DeskAsked, type DeskSearch, FILTERS } from "./deskSearch.ts";

const FROM = "/admin/demos";

export function useDeskAddress() {
  const navigate = useNavigate();
  const router = useRouter();
  const demo = useSearch({ from: FROM, select: (search) => search.demo });
  /** The same object until a filter changes. */
  const asked = useSearch({ from: FROM, select: filtersOf, structuralSharing: true });
  const write = useCallback(
    (parts: DeskSearch) => {
      // A late answer must not lead back to the desk.
      if (router.latestLocation.pathname !== FROM) return;
      void navigate({
        to: FROM,
        search: (others) => ({ ...others, ...parts }),
        replace: true,
        resetScroll: false,
      });
    },
    [navigate, router],
  );
  const search = useTypedSearch(
    asked.q ?? "",
    useCallback((wanted: string) => write({ q: wanted || undefined }), [write]),
  );
  const clear = () => write(Object.fromEntries(FILTERS.map((part) => [part, undefined])));
  /** False while another demo is being navigated to. */
  const isLatest = () => (router.latestLocation.search as DeskSearch).demo === demo;
  return { asked, search, write, clear, demo, isLatest };
}

function filtersOf(search: DeskSearch): DeskAsked {
  return Object.fromEntries(
    FILTERS.flatMap((part) => (search[part] ? [[part, search[part]]] : [])),
  );
}
