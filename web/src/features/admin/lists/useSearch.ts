// What is searched for: what was typed, once the typing rests.
import { useEffect, useState } from "react";

/** Shorter than a thought, longer than the gap between two letters. */
const REST_MS = 250;

export function useSearch() {
  const [typed, setTyped] = useState("");
  const [search, setSearch] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), REST_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return { typed, setTyped, search };
}
