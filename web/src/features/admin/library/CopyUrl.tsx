// A key that copies the public address of a file. Where the browser refuses, the address stands there to be copied by hand.
import { useEffect, useId, useRef, useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { toastSuccess } from "../../../ui/toasts/toast.ts";

interface CopyUrlProps {
  /** From the origin's root. */
  path: string;
  /** Whose address it is. */
  of: string;
}

export function CopyUrl({ path, of }: CopyUrlProps) {
  const id = useId();
  const [isRefused, setRefused] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const url = new URL(path, globalThis.location.origin).href;
  useEffect(() => {
    if (isRefused) field.current?.select();
  }, [isRefused]);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(url);
      setRefused(false);
      toastSuccess("url_copied");
    } catch {
      // Refused, or not offered without a secure connection.
      setRefused(true);
      field.current?.select();
    }
  }

  return (
    <>
      <Button aria-label={`Copy URL of ${of}`} onClick={() => void copy()}>
        Copy URL
      </Button>
      {isRefused && (
        <div className="order-last w-full">
          <p id={id} role="alert" className="mb-2 text-signal">
            The browser did not let this page copy. The address is selected, for you to copy.
          </p>
          <input
            ref={field}
            readOnly
            aria-label={`URL of ${of}`}
            aria-describedby={id}
            className="field w-full"
            value={url}
            onFocus={({ target }) => target.select()}
          />
        </div>
      )}
    </>
  );
}
