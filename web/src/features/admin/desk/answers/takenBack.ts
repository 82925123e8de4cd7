// Letters that are not sent because the decision they told of has changed.
import { showToast } from "../../../../ui/toasts/toastQueue.ts";

/** Says that so many letters, which waited, are taken back; nothing where there was none. */
export function tellTakenBack(count: number): void {
  if (count === 0) return;
  const what = count === 1 ? "A letter that waited" : `${count} letters that waited`;
  showToast({
    title: count === 1 ? "Letter taken back" : "Letters taken back",
    description: `${what} told of another decision and will not be sent.`,
  });
}
