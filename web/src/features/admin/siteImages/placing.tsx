// A picture of the site: chosen or dropped, seen before it is on the site, then uploaded.
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { useFileDrop } from "../../../ui/useFileDrop.ts";
import { useFilePicker } from "../../../ui/useFilePicker.tsx";
import { useIsMounted } from "../../../ui/useIsMounted.ts";
import { UploadMeter } from "../uploads/UploadMeter.tsx";
import { checkFile, type UploadEndpoint, useUpload } from "../uploads/useUpload.ts";

interface PlacingOptions {
  endpoint: UploadEndpoint<unknown>;
  label: string;
  accept: string;
  /** Where files can be dropped. */
  within: RefObject<HTMLElement | null>;
  /** Called with whether a file is chosen but not yet uploaded. */
  onPlacing: (isPlacing: boolean) => void;
  onPlaced: () => void;
  onChosen?: () => void;
}

export function usePlacing({
  endpoint,
  label,
  accept,
  within,
  onPlacing,
  onPlaced,
  onChosen,
}: PlacingOptions) {
  const [file, setFile] = useState<File>();
  const preview = useObjectUrl(file);
  const isMounted = useIsMounted();
  function hold(held: File | undefined): void {
    setFile(held);
    onPlacing(held !== undefined);
  }
  // A second press may come before the buttons change.
  const placed = useRef<File>(undefined);
  const { progress, upload, cancel } = useUpload(endpoint, () => {
    placed.current = file;
    onPlaced();
    hold(undefined);
  });

  async function choose(chosen: File | undefined): Promise<void> {
    if (!chosen || (await checkFile(endpoint, chosen)) !== undefined || !isMounted()) return;
    placed.current = undefined;
    hold(chosen);
    onChosen?.();
  }

  const { open, picker } = useFilePicker(
    { "aria-label": label, accept },
    ([chosen]) => void choose(chosen),
  );
  const isOver = useFileDrop({
    isTaking: progress === undefined,
    within,
    onDrop: (dropped) => void choose(dropped.files[0]),
  });

  return {
    file,
    preview,
    progress,
    isOver,
    open,
    picker,
    /** Resolves to the error of a refused upload. */
    place: async () => (file && placed.current !== file ? upload(file) : undefined),
    giveUp() {
      cancel();
      hold(undefined);
    },
  };
}

interface PlacingButtonsProps {
  placing: ReturnType<typeof usePlacing>;
  /** The label of the button that chooses a first file. */
  choose: string;
  /** Shown while no file is chosen. */
  children?: ReactNode;
}

/** In a form, which uploads when submitted. */
export function PlacingButtons({ placing, choose, children }: PlacingButtonsProps) {
  const { file, progress, picker, open, giveUp } = placing;
  const isUploading = progress !== undefined;
  return (
    <>
      {picker}
      {file && isUploading && <UploadMeter label={`Upload of ${file.name}`} part={progress} />}
      <div className="type-label flex flex-wrap gap-3">
        {file && (
          <Button type="submit" isBusy={isUploading} variant="main">
            {isUploading ? "Uploading..." : "Put On The Site"}
          </Button>
        )}
        <Button data-focus-home isBusy={isUploading} variant="outline" onClick={open}>
          {file ? "Choose Another" : choose}
        </Button>
        {file ? <Button onClick={giveUp}>Cancel</Button> : children}
      </div>
    </>
  );
}

/** An object URL of a local file, revoked once it is not shown. */
function useObjectUrl(file: File | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!file) return;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => {
      setUrl(undefined);
      URL.revokeObjectURL(made);
    };
  }, [file]);
  return url;
}
