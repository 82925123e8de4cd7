// Shares the page's address by the device's sheet, or copies it.
import { Button } from "../../ui/Button.tsx";
import { CopyByHand } from "../../ui/CopyByHand.tsx";
import { toastSuccess } from "../../ui/toasts/toast.ts";
import { useCopying } from "../../ui/useCopying.ts";

/** Closing the device's sheet is not a failure. */
const isDismissed = (error: unknown) => error instanceof Error && error.name === "AbortError";

export function ShareButton({ title }: { title: string }) {
  const { copy, refused } = useCopying(() => toastSuccess("url_copied"));

  async function share(): Promise<void> {
    const url = `${window.location.origin}${window.location.pathname}`;
    if ("share" in navigator) {
      try {
        await navigator.share({ title, url });
        return;
      } catch (error) {
        if (isDismissed(error)) return;
      }
    }
    await copy(url);
  }

  return (
    <>
      <Button className="noscript:hidden" onClick={() => void share()}>
        SHARE
      </Button>
      {refused && <CopyByHand refused={refused} label={`URL of ${title}`} what="The address" />}
    </>
  );
}
