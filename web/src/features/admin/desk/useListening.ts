// Tells the other admins what is heard here, and whom they hear.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { listeningQuery, putListening } from "./deskCalls.ts";

/** What is told lasts half a minute. */
const RENEW_MS = 10_000;

/** Tells what is heard here; undefined while nothing is. */
export function useTellListening(demo: string | undefined): void {
  const [tell] = useState(createTeller);
  useEffect(() => {
    if (demo === undefined) return;
    tell(demo);
    const timer = setInterval(tell, RENEW_MS, demo);
    const leave = () => void putListening(null, true).catch(() => undefined);
    window.addEventListener("pagehide", leave);
    return () => {
      clearInterval(timer);
      window.removeEventListener("pagehide", leave);
      // What plays next, if anything does, takes its place before it is sent.
      tell(null);
    };
  }, [demo, tell]);
}

/**
 * Tells one thing at a time, and then what holds by then: of two calls under way at once the earlier one could arrive last. A courtesy to
 * the others: what could not be told is told again in a moment, or ends by itself.
 */
function createTeller(): (demo: string | null) => void {
  let next: string | null | undefined;
  let isTelling = false;
  return async (demo) => {
    next = demo;
    if (isTelling) return;
    isTelling = true;
    await Promise.resolve();
    while (next !== undefined) {
      const telling = next;
      next = undefined;
      await putListening(telling).catch(() => undefined);
    }
    isTelling = false;
  };
}

/** The other people by what they listen to. */
export function useOthersListening(): ReadonlyMap<string, readonly string[]> {
  const { data } = useQuery(listeningQuery);
  return useMemo(() => {
    const people = new Map<string, string[]>();
    for (const { person, is_me, demo_id } of data?.items ?? []) {
      if (!is_me) people.set(demo_id, [...(people.get(demo_id) ?? []), person]);
    }
    return people;
  }, [data]);
}
