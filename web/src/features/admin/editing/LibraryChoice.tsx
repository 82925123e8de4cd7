// A picture for a form, chosen from the library.
import { useCallback, useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { Modal } from "../../../ui/Modal.tsx";
import { Picture } from "../../../ui/Picture.tsx";
import { SearchInput } from "../../../ui/SearchInput.tsx";
import { fileCalls, type MediaFile, picturedIn } from "../library/mediaFile.ts";
import { RowList } from "../lists/RowList.tsx";
import { usePausedSearch } from "../lists/useListAddress.ts";
import { useRows } from "../lists/useRows.ts";

const GRID = { chunk: "grid-cells grid-cols-2 md:grid-cols-4", row: "flex min-w-0" };

interface LibraryChoiceProps {
  label: string;
  onChosen: (url: string) => void;
}

export function LibraryChoice({ label, onChosen }: LibraryChoiceProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button aria-label={`Library: choose ${label}`} onClick={() => setOpen(true)}>
        Library
      </Button>
      {isOpen && (
        <LibraryDialog
          label={label}
          onClose={() => setOpen(false)}
          onChosen={(url) => {
            onChosen(url);
            setOpen(false);
          }}
        />
      )}
    </>
  );
}

interface LibraryDialogProps extends LibraryChoiceProps {
  onClose: () => void;
}

function LibraryDialog({ label, onChosen, onClose }: LibraryDialogProps) {
  const search = usePausedSearch();
  const rows = useRows(fileCalls, { q: search.search });
  const draw = useCallback(
    (file: MediaFile) => <Choice file={file} onChosen={onChosen} />,
    [onChosen],
  );
  return (
    <Modal title={`Choose ${label}`} onClose={onClose} isWide>
      <div className="border-hairline border-b p-gutter">
        <SearchInput label="Search file names" search={search} className="w-full" />
      </div>
      <RowList
        label="Library"
        rows={rows}
        loadFailed="library_load_failed"
        empty={search.search ? `Nothing found for “${search.search}”` : "No media files yet"}
        draw={draw}
        layout={GRID}
        hasMoreButton
      />
    </Modal>
  );
}

interface ChoiceProps {
  file: MediaFile;
  onChosen: (url: string) => void;
}

/** Files that are not pictures are listed but disabled. */
function Choice({ file, onChosen }: ChoiceProps) {
  const name = file.original_name;
  const isPicture = file.file_type === "image";
  return (
    <button
      type="button"
      aria-label={isPicture ? `Choose ${name}` : `${name}, no picture`}
      disabled={!isPicture}
      className="flex min-w-0 flex-1 flex-col gap-2 p-3 text-left text-[0.75rem] -outline-offset-2 hover:bg-ink/4 disabled:text-dim"
      onClick={() => onChosen(file.url)}
    >
      <Picture
        of={{ ...picturedIn(file), ...(!isPicture && { image_url: null }) }}
        isStill
        alt=""
        sizes="(width >= 48rem) 14rem, 50vw"
        className="aspect-4/3 w-full"
      />
      <span className="line-clamp-2 [overflow-wrap:anywhere]">{name}</span>
    </button>
  );
}
