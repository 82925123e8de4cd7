import { useRef, useState } from "react";
import {
  MEDIA_ACCEPT,
  MEDIA_IMAGE_TYPES,
  MEDIA_MAX_MB,
  MEDIA_VIDEO_TYPES,
} from "../../../rules/generated/constants.ts";
import { Button } from "../../../ui/Button.tsx";
import { hasFolder, useFileDrop } from "../../../ui/useFileDrop.ts";
import { sizeOf } from "../sizeOf.ts";
import { UploadMeter } from "../uploads/UploadMeter.tsx";
import { useFilePicker } from "../uploads/useFilePicker.tsx";
import type { Upload, useUploads } from "../uploads/useUploads.ts";

type Queue = ReturnType<typeof useUploads>;

export function UploadBox({ queue }: { queue: Queue }) {
  const plate = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState<string>();

  function take(files: File[]): void {
    setProblem(undefined);
    void queue.add(files);
  }
  const { open, picker } = useFilePicker(
    { "aria-label": "Media files", accept: MEDIA_ACCEPT, multiple: true },
    take,
  );

  const isOver = useFileDrop({
    isTaking: true,
    within: plate,
    onDrop: (dropped) => {
      if (hasFolder(dropped)) setProblem("A folder cannot be uploaded. Drop the files in it.");
      else take([...dropped.files]);
    },
  });
  return (
    <div ref={plate} className="border-hairline border-b p-gutter">
      <div
        className={`flex flex-col items-start gap-x-6 gap-y-3 border border-dashed p-4 transition-colors sm:flex-row sm:items-center ${
          isOver ? "border-ink bg-ink/6" : "border-dim"
        }`}
      >
        {picker}
        <Button data-focus-home variant="main" className="flex-none" onClick={open}>
          Upload Files
        </Button>
        <p>
          {isOver ? "Let go to upload" : "Or drop files here."}{" "}
          <span className="text-dim">
            Images ({MEDIA_IMAGE_TYPES}) and videos ({MEDIA_VIDEO_TYPES}), up to {MEDIA_MAX_MB} MB
            each.
          </span>
        </p>
      </div>
      {problem && (
        <p role="alert" className="mt-3 text-signal">
          {problem}
        </p>
      )}
      {queue.uploads.length > 0 && (
        <ul aria-label="Uploads" className="mt-4 border-hairline border-t text-[0.75rem]">
          {queue.uploads.map((upload) => (
            <UploadRow key={upload.id} upload={upload} queue={queue} />
          ))}
        </ul>
      )}
    </div>
  );
}

interface UploadRowProps {
  upload: Upload;
  queue: Queue;
}

function UploadRow({ upload, queue }: UploadRowProps) {
  const { id, file, state } = upload;
  const hasFailed = state.at === "failed";
  const dropLabel = hasFailed ? "Dismiss" : "Cancel";
  return (
    <li className="grid items-center gap-x-6 gap-y-2 border-hairline border-b py-2.5 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_15rem]">
      <p className="flex min-w-0 flex-wrap gap-x-4">
        <span className="min-w-0">{file.name}</span>
        <span className="text-dim tabular-nums">{sizeOf(file.size)}</span>
      </p>
      <div className="min-w-0">
        {state.at === "waiting" && <p className="text-dim">Waiting...</p>}
        {state.at === "sending" && (
          <UploadMeter label={`Upload of ${file.name}`} part={state.part} />
        )}
        {hasFailed && (
          <p className="flex items-baseline gap-3 text-signal">
            <span aria-hidden="true" className="block-cursor" />
            {state.reason}
          </p>
        )}
      </div>
      <div className="type-label flex gap-2 sm:justify-end">
        {hasFailed && !state.isFinal && (
          <Button aria-label={`Try Again: ${file.name}`} onClick={() => queue.again(upload)}>
            Try Again
          </Button>
        )}
        <Button aria-label={`${dropLabel}: ${file.name}`} onClick={() => queue.drop(id)}>
          {dropLabel}
        </Button>
      </div>
    </li>
  );
}
