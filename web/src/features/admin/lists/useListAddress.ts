// What of a list is asked for, as it stands in the dashboard's address: reloading the page and going back keep it. What is as always leaves no
// trace there.
import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { useTypedSearch } from "../../../ui/useTypedSearch.ts";
import type { LIST_PARTS } from "../tabIds.ts";
import type { Asked, ListOptions, Option } from "./rowsCalls.ts";

/** The names of a list's parts in the address; those of a second list on one tab begin with its name. */
export type ListName = "" | "demo_";

/** A list's search, order and state, and what changes them. */
export interface ListAddress {
  /** What stands in the search field. */
  typed: string;
  setTyped: (typed: string) => void;
  /** What is asked for: the list's own order is not. */
  asked: Asked;
  /** The order's value, its own one too. */
  sort: string;
  setSort: (sort: string) => void;
  /** The state's value; empty for all. */
  state: string;
  setState: (state: string) => void;
  options: ListOptions;
}

export function useListAddress(options: ListOptions, name: ListName = ""): ListAddress {
  const router = useRouter();
  const navigate = useNavigate();
  const address = useSearch({ from: "/admin" });
  const q = address[`${name}q`] ?? "";
  const own = options.orders[0]?.value ?? "";
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
    asked: useMemo(
      () => ({ ...(q && { q }), ...(sort !== own && { sort }), ...(state && { state }) }),
      [q, sort, own, state],
    ),
    sort,
    setSort: useCallback((next) => write("sort", next === own ? "" : next), [write, own]),
    state,
    setState: useCallback((next) => write("state", next), [write]),
    options,
  };
}

/** The value, where it is one of the list's. */
function known(options: readonly Option[], value: string | undefined): string | undefined {
  return options.find((option) => option.value === value)?.value;
}
