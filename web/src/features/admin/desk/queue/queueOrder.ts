// Which demo comes next. A heard demo moves within the list, so the order of arrival decides.

export interface Queued {
  id: string;
  state: string;
  submitted_at: string;
}

function isBefore(a: Queued, b: Queued): boolean {
  const apart = Date.parse(a.submitted_at) - Date.parse(b.submitted_at);
  return apart === 0 ? a.id < b.id : apart < 0;
}

/** The unheard demo that arrived after `current`, or else the oldest one. */
export function nextUnheard<Row extends Queued>(
  rows: readonly Row[],
  current: Queued | undefined,
): Row | undefined {
  const unheard = rows.filter(({ id, state }) => state === "new" && id !== current?.id);
  unheard.sort((a, b) => (isBefore(a, b) ? -1 : 1));
  return (current && unheard.find((row) => isBefore(current, row))) ?? unheard[0];
}

/** Whether an unheard demo after `current` may be on a page that is not loaded. */
export function isNextUnread(
  rows: readonly Queued[],
  current: Queued | undefined,
  hasMore: boolean,
): boolean {
  if (!hasMore || rows.at(-1)?.state !== "new") return false;
  return !rows.some(
    (row) => row.state === "new" && row.id !== current?.id && (!current || isBefore(current, row)),
  );
}
