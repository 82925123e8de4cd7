// The search, order and state of a list, kept in the dashboard's address. Defaults are left out of it.
import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { REST_MS, usePaused, useTypedSearch } from "../../../ui/useTypedSearch.ts";
import type { LIST_PARTS } from "../tabIds.ts";
import type { Asked, ListOptions, Option } from "./useRows.ts";

/** The prefix of the parameters; the second list of a tab has one. */
export type ListName = "" | "demo_";

export type ListAddress = ReturnType<typeof useListAddress>;

export function useListAddress(options: ListOptions, name: ListName = "") {
  const router = useRouter();
  const navigate = useNavigate();
  const address = useSearch({ from: "/admin" });
  const q = address[`${name}q`] ?? "";
  const own = options.orders[0]?.[0] ?? "";
  const sort = known(options.orders, address[`${name}sort`]) ?? own;
  const state = known(options.states, address[`${name}state`]) ?? "";
  const write = useCallback(
    (part: (typeof LIST_PARTS)[number], value: string) =>
      void navigate({
        to: "/admin",
        search: (others) => ({ ...others, [`${name}${part}`]: value || undefined }),
        replace: true,
        resetScroll: false,
      }),
    [navigate, name],
  );

  const { typed, setTyped } = useTypedSearch(
    q,
    useCallback(
      (wanted) => router.latestLocation.pathname === "/admin" && write("q", wanted),
      [router, write],
    ),
  );

  return {
    typed,
    setTyped,
    /** The part of the list to read; the default order is left out. */
    asked: {
      ...(q && { q }),
      ...(sort !== own && { sort }),
      ...(state && { state }),
    } satisfies Asked,
    sort,
    setSort: (next: string) => write("sort", next === own ? "" : next),
    /** Empty for all. */
    state,
    setState: (next: string) => write("state", next),
    options,
  };
}

function known(options: readonly Option[], value: string | undefined): string | undefined {
  return options.find(([known]) => known === value)?.[0];
}

export function usePausedSearch() {
  const [typed, setTyped] = useState("");
  return { typed, setTyped, search: usePaused(typed.trim(), REST_MS) };
}
