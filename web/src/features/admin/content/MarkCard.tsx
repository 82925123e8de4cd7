// The label's mark: uploaded, replaced, and removed.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { uploadTarget } from "../../../api/client.ts";
import { MARK_ACCEPT } from "../../../rules/generated/constants.ts";
import type { Rules } from "../../../rules/rules.ts";
import { Button } from "../../../ui/Button.tsx";
import { useFileDrop } from "../../../ui/useFileDrop.ts";
import { fitted } from "../../../ui/Wordmark.tsx";
import { useDelete } from "../lists/useDelete.ts";
import { readRowsAgain } from "../lists/useRows.ts";
import {
  IMAGES_PATH,
  ImageHistory,
  imageCalls,
  imagesQuery,
  MESSAGES,
  useObjectUrl,
} from "../siteImages/SiteImages.tsx";
import { UploadMeter } from "../uploads/UploadMeter.tsx";
import { useFilePicker } from "../uploads/useFilePicker.tsx";
import { checkFile, useUpload } from "../uploads/useUpload.ts";

const MARK_KEY = "label_mark";

const ENDPOINT = {
  to: uploadTarget("PUT", "/api/admin/site-images/{image}", { path: { image: MARK_KEY } }),
  check: (rules: Rules) => rules.checkMark,
  messages: { uploaded: "mark_uploaded", failed: "mark_upload_failed" },
  texts: { description: "Mark of the label" },
} as const;

/** Room for the mark in pixels. */
const ROOM = [280, 96] as const;

/** `onPlacing` is called with whether a file is chosen but not yet uploaded; the same function on every render. */
export function MarkCard({ onPlacing }: { onPlacing: (isPlacing: boolean) => void }) {
  const client = useQueryClient();
  const card = useRef<HTMLElement>(null);
  const mark = useQuery(imagesQuery).data?.items.find(({ key }) => key === MARK_KEY);
  const [file, setFile] = useState<File>();
  const preview = useObjectUrl(file);
  const isPlacing = file !== undefined;
  useEffect(() => onPlacing(isPlacing), [isPlacing, onPlacing]);
  const { progress, upload, cancel } = useUpload(ENDPOINT, () => {
    readRowsAgain(client, IMAGES_PATH);
    setFile(undefined);
  });
  const isUploading = progress !== undefined;
  const remove = useDelete({ calls: imageCalls, messages: MESSAGES });

  async function choose(chosen: File | undefined): Promise<void> {
    if (chosen && (await checkFile(ENDPOINT, chosen)) === undefined) setFile(chosen);
  }

  const { open, picker } = useFilePicker(
    { "aria-label": "Mark file", accept: MARK_ACCEPT },
    ([chosen]) => void choose(chosen),
  );
  const isOver = useFileDrop({
    isTaking: !isUploading,
    within: card,
    onDrop: (dropped) => void choose(dropped.files[0]),
  });
  const { image_width, image_height } = mark ?? {};
  const [width, height] = fitted({ width: image_width ?? 1, height: image_height ?? 1 }, ROOM);

  return (
    <section
      ref={card}
      aria-label="Mark"
      className={`flex min-w-0 flex-col gap-4 px-gutter py-6 ${isOver ? "bg-ink/6" : ""}`}
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h4 className="type-row">LABEL MARK</h4>
        {mark && (
          <span className="type-label">
            <ImageHistory image={mark} />
          </span>
        )}
      </div>
      <p className="-mt-2 text-dim">
        The label's sign at the top of every page, in mails, on shared addresses and as the icon. It
        is kept without its margins; one that is dark all over is drawn in the light ink.
      </p>
      {/* A chosen file may be dark or light; on this ground both are seen. */}
      <div
        className={`flex min-h-28 items-center border border-hairline p-2 ${preview ? "bg-dim" : "bg-ground"}`}
      >
        {preview ? (
          <img src={preview} alt="The chosen file" className="h-24 max-w-full object-contain" />
        ) : mark?.image_url ? (
          <img
            src={mark.image_url}
            alt="The mark now"
            width={width}
            height={height}
            className="h-auto max-w-full"
          />
        ) : (
          <p className="px-2 text-dim">None: the label's name stands alone.</p>
        )}
      </div>
      {picker}
      {file && isUploading && <UploadMeter label={`Upload of ${file.name}`} part={progress} />}
      <div className="type-label flex flex-wrap gap-3">
        {file && (
          <Button variant="main" isBusy={isUploading} onClick={() => void upload(file)}>
            {isUploading ? "Uploading..." : "Put On The Site"}
          </Button>
        )}
        <Button data-focus-home isBusy={isUploading} variant="outline" onClick={open}>
          {file ? "Choose Another" : "Upload Mark"}
        </Button>
        {file ? (
          <Button
            onClick={() => {
              cancel();
              setFile(undefined);
            }}
          >
            Cancel
          </Button>
        ) : (
          mark && <Button onClick={(event) => remove(event, mark.id)}>Remove</Button>
        )}
      </div>
      <p className="type-label text-dim">
        SVG or PNG, up to 1 MB. Text in an SVG must be paths. It can be dropped here too.
      </p>
    </section>
  );
}
