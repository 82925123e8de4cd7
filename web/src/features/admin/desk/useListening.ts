// Tells the other admins what is heard here, and whom they hear.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { listeningQuery, putListening } from "./deskCalls.ts";

/** What is told lasts half a minute. */
const RENEW_MS = 10_000;

/** Tells what is heard here; undefined while nothing is. */
export function useTellListening(demo: string | undefined): void {
  const isTold = useRef(false);
  useEffect(() => {
    if (demo === undefined) {
      if (isTold.current) tell(null);
      isTold.current = false;
      return;
    }
    isTold.current = true;
    tell(demo);
    const timer = setInterval(tell, RENEW_MS, demo);
    return () => clearInterval(timer);
  }, [demo]);
  useEffect(
    () => () => {
      if (isTold.current) tell(null);
    },
    [],
  );
}

/** A courtesy to the others: what could not be told is told again in a moment, or ends by itself. */
function tell(demo: string | null): void {
  putListening(demo).catch(() => undefined);
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
