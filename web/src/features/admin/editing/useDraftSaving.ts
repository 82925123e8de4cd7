// A draft beside what is stored: saved once at a time, onto the version that it was begun on.
import { useRef, useState } from "react";
import { apiError } from "../../../api/client.ts";

interface Versioned {
  readonly version: number;
}

interface DraftSaving<Stored extends Versioned, Draft extends Versioned> {
  /** As it was read last. */
  stored: Stored;
  /** What was typed; undefined where nothing differs from what is stored. */
  changed: Draft | undefined;
  /** False where what was typed is not to be sent. */
  check?: (draft: Draft) => boolean;
  send: (draft: Draft, version: number) => Promise<Stored>;
  /** Hears what is stored now, and what of the draft was sent: more may have been typed since. */
  onSaved: (stored: Stored, sent: Draft) => void;
  /** Reads what another admin has saved, which the card shows beside what was typed. Resolves to false where it cannot be read. */
  readNewest: () => Promise<boolean>;
  onFailed: (failure: ReturnType<typeof apiError>) => void;
}

export function useDraftSaving<Stored extends Versioned, Draft extends Versioned>({
  stored,
  changed,
  check,
  send,
  onSaved,
  readNewest,
  onFailed,
}: DraftSaving<Stored, Draft>) {
  const isBusy = useRef(false);
  // What is saved is drawn a moment later, and a second press may fall into that moment.
  const savedOnto = useRef(0);
  const [isSaving, setSaving] = useState(false);
  // So may a key that is typed: the draft it makes still names the version before. What was saved here is known here.
  const [own, setOwn] = useState(0);
  const base = Math.max(changed?.version ?? stored.version, own);

  async function save(version: number): Promise<void> {
    if (!changed || isBusy.current || version <= savedOnto.current) return;
    if (check && !check(changed)) return;
    isBusy.current = true;
    setSaving(true);
    try {
      const saved = await send(changed, version);
      savedOnto.current = version;
      setOwn(saved.version);
      onSaved(saved, changed);
    } catch (error) {
      const failure = apiError(error);
      const isShown = failure.code === "stale_version" && (await readNewest());
      if (!isShown) onFailed(failure);
    } finally {
      isBusy.current = false;
      setSaving(false);
    }
  }

  return {
    isSaving,
    /** True where somebody else has saved since the draft was begun. */
    isStale: changed !== undefined && stored.version > base && !isSaving,
    /** Saves onto the version that the draft was begun on. */
    save: () => void save(base),
    /** Saves over what somebody else has saved. */
    saveOver: () => void save(stored.version),
  };
}
