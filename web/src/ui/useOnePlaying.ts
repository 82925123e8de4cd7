import { useCallback, useState } from "react";

/** The id of the open player, and a function that opens or closes one; at most one is open. */
export function useOnePlaying(): [string | undefined, (id: string) => void] {
  const [playing, setPlaying] = useState<string>();
  const toggle = useCallback(
    (id: string) => setPlaying((open) => (open === id ? undefined : id)),
    [],
  );
  return [playing, toggle];
}
