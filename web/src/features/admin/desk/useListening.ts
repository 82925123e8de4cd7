import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { listeningQuery, putListening } from "./deskCalls.ts";

/** The server forgets an entry after half a minute. */
const RENEW_MS = 10_000;

export function useReportListening(demo: string | undefined): void {
  const [report] = useState(createReporter);
  useEffect(() => {
    if (demo === undefined) return;
    report(demo);
    const timer = setInterval(report, RENEW_MS, demo);
    const leave = () => void putListening(null, true).catch(() => undefined);
    window.addEventListener("pagehide", leave);
    return () => {
      clearInterval(timer);
      window.removeEventListener("pagehide", leave);
      // Replaced by the next demo if one starts right away.
      report(null);
    };
  }, [demo, report]);
}

/**
 * Sends one report at a time, always the newest, so that reports cannot overtake one another. Failures are ignored: a report is soon
 * repeated or expires.
 */
function createReporter(): (demo: string | null) => void {
  let next: string | null | undefined;
  let isReporting = false;
  return async (demo) => {
    next = demo;
    if (isReporting) return;
    isReporting = true;
    await Promise.resolve();
    while (next !== undefined) {
      const reporting = next;
      next = undefined;
      await putListening(reporting).catch(() => undefined);
    }
    isReporting = false;
  };
}

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
