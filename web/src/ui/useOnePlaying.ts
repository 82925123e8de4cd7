// At most one player is open at a time.
import { useCallback, useState } from "react";

/** The id of what is being played, and what opens its player or closes it again. */
export function useOnePlaying(): [string | undefined, (id: string) => void] {
  const [playing, setPlaying] = useState<string>();
  const toggle = useCallback(
    (id: string) => setPlaying((open) => (open === id ? undefined : id)),
    [],
  );
  return [playing, toggle];
}
