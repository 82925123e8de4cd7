import { useQueryClient } from "@tanstack/react-query";
import { type MouseEvent, type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { uploadTarget } from "../../../api/client.ts";
import {
  MEDIA_ACCEPT,
  MEDIA_IMAGE_TYPES,
  MEDIA_MAX_MB,
  MEDIA_VIDEO_TYPES,
} from "../../../rules/generated/constants.ts";
import { Button } from "../../../ui/Button.tsx";
import { day } from "../../../ui/dates.ts";
import { OutLink } from "../../../ui/OutLink.tsx";
import { Picture } from "../../../ui/Picture.tsx";
import { hasFolder, useFileDrop } from "../../../ui/useFileDrop.ts";
import { useFilePicker } from "../../../ui/useFilePicker.tsx";
import { ChooseBox } from "../lists/choice.tsx";
import { ListHead, useList } from "../lists/ListHead.tsx";
import { RowList } from "../lists/RowList.tsx";
import { emptyText, readRowsAgain } from "../lists/useRows.ts";
import { sizeOf } from "../sizeOf.ts";
import { TrashButton } from "../trash/TrashDialog.tsx";
import { UploadMeter } from "../uploads/UploadMeter.tsx";
import { type Upload, type UploadEndpoint, useUploads } from "../uploads/useUpload.ts";
import { CopyUrl } from "./CopyUrl.tsx";
import { FILES_PATH, fileCalls, type MediaFile, picturedIn, usesOf } from "./mediaFile.ts";

const ENDPOINT: UploadEndpoint<MediaFile> = {
  to: uploadTarget("POST", FILES_PATH, {}),
  check: (rules) => rules.checkMedia,
  messages: { uploaded: "media_uploaded", failed: "media_upload_failed" },
};

const MESSAGES = { deleted: "media_deleted", deleteFailed: "media_delete_failed" } as const;

const GRID = {
  chunk: "grid-cells grid-cols-2 md:grid-cols-3 lg:grid-cols-4 xl:grid-cols-6",
  row: "flex min-w-0",
};

interface MediaLibraryProps {
  /** The same function on every render. */
  onUploading: (isUploading: boolean) => void;
}

export function MediaLibrary({ onUploading }: MediaLibraryProps) {
  const client = useQueryClient();
  const queue = useUploads(ENDPOINT, () => readRowsAgain(client, FILES_PATH));
  const isUploading = queue.uploads.some(({ state }) => state.at !== "failed");
  useEffect(() => onUploading(isUploading), [isUploading, onUploading]);
  const list = useList({ calls: fileCalls, messages: MESSAGES });
  const { address, rows, choice, remove } = list;
  const draw = useCallback(
    (file: MediaFile) => (
      <MediaCell
        file={file}
        chooseBox={<ChooseBox choice={choice} id={file.id} name={file.original_name} />}
        onDelete={(event: MouseEvent) => remove(event, file.id)}
      />
    ),
    [remove, choice],
  );
  return (
    <section aria-label="General Media" className="border-hairline border-b">
      <ListHead
        list={list}
        id="general-media"
        name="General Media"
        searchLabel="Search file names"
        nouns={["file", "files"]}
        buttons={<TrashButton kind="media" name="General Media" path={FILES_PATH} />}
      >
        <UploadBox queue={queue} />
      </ListHead>
      <RowList
        label="General Media"
        rows={rows}
        loadFailed="media_load_failed"
        empty={emptyText(address.asked, "No media files yet")}
        draw={draw}
        layout={GRID}
        hasMoreButton
      />
    </section>
  );
}

type Queue = ReturnType<typeof useUploads>;

function UploadBox({ queue }: { queue: Queue }) {
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
      <p tabIndex={-1} data-focus-home className="flex min-w-0 flex-wrap gap-x-4 outline-none">
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

interface MediaCellProps {
  file: MediaFile;
  chooseBox: ReactNode;
  onDelete: (event: MouseEvent) => void;
}

function MediaCell({ file, chooseBox, onDelete }: MediaCellProps) {
  const name = file.original_name;
  return (
    <article
      aria-label={name}
      tabIndex={-1}
      data-focus-home
      className="flex min-w-0 flex-1 flex-col text-[0.75rem] -outline-offset-2"
    >
      <OutLink href={file.url} label={`Open ${name}`} className="block -outline-offset-2">
        {file.file_type === "video" ? (
          <Still file={file} />
        ) : (
          <Picture
            of={picturedIn(file)}
            isStill
            alt={file.alt_text ?? ""}
            sizes="(width >= 90rem) 17vw, (width >= 64rem) 25vw, (width >= 48rem) 33vw, 50vw"
            className="aspect-4/3 w-full"
          />
        )}
      </OutLink>
      <div className="flex flex-1 flex-col gap-2 p-3 lg:px-4">
        <div className="flex items-start gap-3">
          {chooseBox}
          <h3 className="line-clamp-2 type-card" title={name}>
            <bdi>{name}</bdi>
          </h3>
        </div>
        <dl className="flex flex-wrap gap-x-3 text-dim tabular-nums">
          <Fact name="Size">{sizeOf(file.file_size)}</Fact>
          <Fact name="Type">{file.mime_type}</Fact>
          <Fact name="Uploaded">
            <time dateTime={file.created_at}>{day(file.created_at)}</time>
          </Fact>
        </dl>
        {(file.uses.length > 0 || !file.is_public) && (
          <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            {!file.is_public && (
              <span className="type-label border border-dim px-1.5 uppercase">Not public</span>
            )}
            {file.uses.length > 0 && (
              <p className="min-w-0 text-dim [overflow-wrap:anywhere]">Used in {usesOf([file])}</p>
            )}
          </div>
        )}
        <div className="type-label mt-auto flex flex-wrap gap-2 pt-1">
          <CopyUrl path={file.url} of={name} />
          <Button variant="destroy" aria-label={`Delete ${name}`} onClick={onDelete}>
            Delete
          </Button>
        </div>
      </div>
    </article>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="sr-only">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The first frame of a video, with a play sign. iOS draws no frame unless the address names a time. */
function Still({ file }: { file: MediaFile }) {
  const [isBroken, setBroken] = useState(false);
  return (
    <span className="relative block aspect-4/3 w-full bg-ground">
      {!isBroken && (
        <video
          src={`${file.url}#t=0.001`}
          preload="metadata"
          muted
          playsInline
          aria-hidden="true"
          tabIndex={-1}
          className="size-full object-cover"
          onError={() => setBroken(true)}
        />
      )}
      <svg
        aria-hidden="true"
        viewBox="0 0 24 24"
        className="absolute bottom-0 left-0 size-10 bg-ground p-3 text-ink"
      >
        <path d="M4 2 21 12 4 22Z" fill="currentColor" />
      </svg>
    </span>
  );
}
