// Copies the public address of a file. If the browser refuses, the address is shown to copy by hand.
import { Button } from "../../../ui/Button.tsx";
import { CopyByHand, useCopying } from "../../../ui/CopyByHand.tsx";
import { toastSuccess } from "../../../ui/toasts/toast.ts";

interface CopyUrlProps {
  /** From the root of the site. */
  path: string;
  of: string;
  onCopy?: () => void;
}

export function CopyUrl({ path, of, onCopy }: CopyUrlProps) {
  const { copy, refused } = useCopying(() => toastSuccess("url_copied"));
  const url = new URL(path, globalThis.location.origin).href;
  function press(): void {
    onCopy?.();
    void copy(url);
  }
  return (
    <>
      <Button aria-label={`Copy URL of ${of}`} onClick={press}>
        Copy URL
      </Button>
      {refused && <CopyByHand refused={refused} label={`URL of ${of}`} what="The address" />}
    </>
  );
}
