import { useQueryClient } from "@tanstack/react-query";
import { type MouseEvent, useCallback, useEffect, useRef } from "react";
import { uploadTarget } from "../../../api/client.ts";
import { ChooseBox } from "../lists/choice.tsx";
import { ListHead, useList } from "../lists/ListHead.tsx";
import { RowList } from "../lists/RowList.tsx";
import { emptyText, readRowsAgain } from "../lists/useRows.ts";
import { TrashButton } from "../trash/TrashDialog.tsx";
import type { UploadEndpoint } from "../uploads/useUpload.ts";
import { useUploads } from "../uploads/useUploads.ts";
import { MediaCell } from "./MediaCell.tsx";
import { FILES_PATH, fileCalls, type MediaFile, usesOf } from "./mediaFile.ts";
import { UploadBox } from "./UploadBox.tsx";

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
  const queue = useUploads(
    ENDPOINT,
    useCallback(() => readRowsAgain(client, FILES_PATH), [client]),
  );
  const isUploading = queue.uploads.some(({ state }) => state.at !== "failed");
  useEffect(() => onUploading(isUploading), [isUploading, onUploading]);
  /** Where the files being deleted were used. */
  const uses = useRef(new Map<string, string>());
  const toastOf = useCallback((id: string) => {
    const all = uses.current.get(id);
    uses.current.delete(id);
    return all ? ({ code: "media_taken_out", value: all } as const) : undefined;
  }, []);
  const list = useList({ calls: fileCalls, messages: MESSAGES, toastOf });
  const { address, rows, choice, remove } = list;
  const draw = useCallback(
    (file: MediaFile) => (
      <MediaCell
        file={file}
        chooseBox={<ChooseBox choice={choice} id={file.id} name={file.original_name} />}
        onDelete={(event: MouseEvent) => {
          // Read now: the deleted file is no longer in the list.
          if (file.uses.length > 0) uses.current.set(file.id, usesOf(file));
          else uses.current.delete(file.id);
          remove(event, file.id);
        }}
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
