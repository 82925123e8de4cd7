// The library: every picture and video that was uploaded, newest first; adding some, copying an address, removing one.
import { useQueryClient } from "@tanstack/react-query";
import { type MouseEvent, type RefObject, useCallback, useEffect } from "react";
import { RowList } from "../lists/RowList.tsx";
import { TabHead } from "../lists/TabHead.tsx";
import { useDelete } from "../lists/useDelete.ts";
import { readRowsAgain, useRows } from "../lists/useRows.ts";
import { useSearch } from "../lists/useSearch.ts";
import type { UploadEndpoint } from "../uploads/uploadEndpoint.ts";
import { useUploads } from "../uploads/useUploads.ts";
import { MediaCell } from "./MediaCell.tsx";
import { FILES_PATH, fileCalls, type MediaFile } from "./mediaFile.ts";
import { UploadBox } from "./UploadBox.tsx";

const ENDPOINT: UploadEndpoint = {
  method: "POST",
  path: FILES_PATH,
  check: (rules) => rules.checkMedia,
  said: { uploaded: "media_uploaded", failed: "media_upload_failed" },
};

const MESSAGES = { deleted: "media_deleted", deleteFailed: "media_delete_failed" } as const;

const GRID = {
  chunk: "grid-cells grid-cols-2 md:grid-cols-3 lg:grid-cols-4 xl:grid-cols-6",
  row: "flex min-w-0",
};

interface MediaLibraryProps {
  headingRef: RefObject<HTMLHeadingElement | null>;
  /** Hears whether files are on their way; the same function on every render. */
  onUploading: (isUploading: boolean) => void;
}

export function MediaLibrary({ headingRef, onUploading }: MediaLibraryProps) {
  const client = useQueryClient();
  const search = useSearch();
  const rows = useRows(fileCalls, search.search);
  const queue = useUploads(
    ENDPOINT,
    useCallback(() => readRowsAgain(client, FILES_PATH), [client]),
  );
  const isUploading = queue.uploads.some(({ state }) => state.at !== "failed");
  useEffect(() => onUploading(isUploading), [isUploading, onUploading]);
  const remove = useDelete({
    calls: fileCalls,
    messages: MESSAGES,
    restoreFocus: useCallback(
      (sibling: HTMLElement | null) => (sibling ?? headingRef.current)?.focus(),
      [headingRef],
    ),
  });
  const draw = useCallback(
    (file: MediaFile) => (
      <MediaCell file={file} onDelete={(event: MouseEvent) => remove(event, file.id)} />
    ),
    [remove],
  );
  return (
    <section aria-label="General Media" className="border-hairline border-b">
      <TabHead
        name={`General Media (${rows.total ?? 0})`}
        headingRef={headingRef}
        search={search}
        found={rows.found}
        searchLabel="Search file names"
      />
      <UploadBox queue={queue} />
      <RowList
        label="General Media"
        rows={rows}
        loadFailed="media_load_failed"
        empty={search.search ? `Nothing found for “${search.search}”` : "No media files yet"}
        draw={draw}
        layout={GRID}
        hasMoreButton
      />
    </section>
  );
}
