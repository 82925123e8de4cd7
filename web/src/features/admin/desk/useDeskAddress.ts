import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { useTypedSearch } from "../../../ui/useTypedSearch.ts";
import type { DeskAsked } from "./deskCalls.ts";
import type { DeskSearch } from "./deskSearch.ts";

export function useDeskAddress() {
  const navigate = useNavigate();
  const router = useRouter();
  const {
    q = "",
    state,
    tag,
    score,
    sender,
    answered,
    overdue,
    demo,
  } = useSearch({ from: "/admin/demos" });
  const write = useCallback(
    (parts: DeskSearch) =>
      void navigate({
        to: "/admin/demos",
        search: (others) => ({ ...others, ...parts }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  const clear = useCallback(
    () =>
      write({
        q: undefined,
        state: undefined,
        tag: undefined,
        score: undefined,
        sender: undefined,
        answered: undefined,
        overdue: undefined,
      }),
    [write],
  );
  const search = useTypedSearch(
    q,
    useCallback(
      (wanted: string) =>
        router.latestLocation.pathname === "/admin/demos" && write({ q: wanted || undefined }),
      [router, write],
    ),
  );
  const asked = useMemo(
    (): DeskAsked => ({
      ...(q && { q }),
      ...(state && { state }),
      ...(tag && { tag }),
      ...(score && { score }),
      ...(sender && { sender }),
      ...(answered && { answered }),
      ...(overdue && { overdue }),
    }),
    [q, state, tag, score, sender, answered, overdue],
  );
  /** False while another demo is being navigated to. */
  const isLatest = () => (router.latestLocation.search as DeskSearch).demo === demo;
  return { asked, search, write, clear, demo, isLatest };
}
