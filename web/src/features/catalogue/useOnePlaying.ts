// At most one player is open at a time.
import { useCallback, useState } from "react";

/** The release whose player is open, and what opens one or closes it again. */
export function useOnePlaying(): [string | undefined, (releaseId: string) => void] {
  const [playing, setPlaying] = useState<string>();
  const toggle = useCallback(
    (releaseId: string) => setPlaying((open) => (open === releaseId ? undefined : releaseId)),
    [],
  );
  return [playing, toggle];
}
