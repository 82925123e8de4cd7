// Hands the address of the page on: by the device's own ways, or into the clipboard where it has none.
import { useEffect, useRef, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { toastSuccess } from "../../ui/toasts/toast.ts";

/** Somebody closed the device's sheet, which is no failure. */
const isDismissed = (error: unknown) => error instanceof Error && error.name === "AbortError";

export function ShareButton({ title }: { title: string }) {
  const [refused, setRefused] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (refused !== undefined) field.current?.select();
  }, [refused]);

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
    try {
      await navigator.clipboard.writeText(url);
      setRefused(undefined);
      toastSuccess("url_copied");
    } catch {
      // Refused, or not offered without a secure connection: the address is there to be copied by hand.
      setRefused(url);
    }
  }

  return (
    <>
      <Button className="noscript:hidden" onClick={() => void share()}>
        SHARE
      </Button>
      {refused !== undefined && (
        <input
          ref={field}
          readOnly
          aria-label={`URL of ${title}`}
          className="field order-last w-full"
          value={refused}
          onFocus={({ target }) => target.select()}
        />
      )}
    </>
  );
}
