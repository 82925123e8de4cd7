// A release chosen for a letter, out or not.
import { useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { apiError } from "../../../../api/client.ts";
import { readQuery } from "../../../../api/queries.ts";
import { readState } from "../../../../api/readState.ts";
import { Button } from "../../../../ui/Button.tsx";
import { Modal } from "../../../../ui/Modal.tsx";
import { Picture } from "../../../../ui/Picture.tsx";
import { SearchInput } from "../../../../ui/SearchInput.tsx";
import { RowList } from "../../lists/RowList.tsx";
import { usePausedSearch } from "../../lists/useListAddress.ts";
import { useRows } from "../../lists/useRows.ts";
import { type Release, releaseConfig } from "../../releases/releaseConfig.ts";

interface ReleaseFieldProps {
  id: string;
  error: string | undefined;
  onChoose: (id: string) => void;
}

export function ReleaseField({ id, error, onChoose }: ReleaseFieldProps) {
  const [isOpen, setOpen] = useState(false);
  const read = useQuery({
    ...readQuery("/api/admin/releases/{id}", { path: { id } }),
    enabled: id !== "",
  });
  const state = readState(read);
  const named = read.data ? (
    <Named release={read.data} />
  ) : id === "" ? (
    "No release chosen"
  ) : state === "failing" ? (
    problemOf(read.error)
  ) : (
    "..."
  );
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1">
          {named}
          {read.data && read.data.state !== "out" && (
            <span className="block text-dim">
              It is not out: its links lead to its page once it is.
            </span>
          )}
        </p>
        <Button variant="outline" onClick={() => setOpen(true)}>
          Choose Release
        </Button>
      </div>
      {error && <p className="text-signal">{error}</p>}
      {isOpen && (
        <ReleaseDialog
          title="Choose a Release"
          onClose={() => setOpen(false)}
          onChosen={(release) => {
            onChoose(release.id);
            setOpen(false);
          }}
        />
      )}
    </div>
  );
}

function problemOf(error: unknown): string {
  return apiError(error).status === 404
    ? "This release is gone. Please choose another."
    : "The release could not be read.";
}

function Named({ release: { catalog, artist, title } }: { release: Release }) {
  return (
    <>
      {catalog && `${catalog}: `}
      <bdi>{artist?.name ?? "Unknown Artist"}</bdi>, <bdi>{title}</bdi>
    </>
  );
}

interface ReleaseDialogProps {
  title: string;
  onChosen: (release: Release) => void;
  onClose: () => void;
}

export function ReleaseDialog({ title, onChosen, onClose }: ReleaseDialogProps) {
  const search = usePausedSearch();
  const rows = useRows(releaseConfig, { q: search.search });
  const draw = useCallback(
    (release: Release) => <Choice release={release} onChosen={onChosen} />,
    [onChosen],
  );
  return (
    <Modal title={title} onClose={onClose} isWide>
      <div className="border-hairline border-b p-gutter">
        <SearchInput label="Search releases" search={search} className="w-full" />
      </div>
      <RowList
        label="Releases"
        rows={rows}
        loadFailed="load_failed"
        empty={search.search ? `Nothing found for “${search.search}”` : "No releases yet"}
        draw={draw}
        hasMoreButton
      />
    </Modal>
  );
}

const STATES: Readonly<Record<string, string>> = { draft: "Draft", scheduled: "Scheduled" };

interface ChoiceProps {
  release: Release;
  onChosen: (release: Release) => void;
}

function Choice({ release, onChosen }: ChoiceProps) {
  const state = STATES[release.state];
  return (
    <button
      type="button"
      className="flex w-full min-w-0 items-center gap-4 px-gutter py-2.5 text-left text-[0.75rem] -outline-offset-2 hover:bg-ink/4"
      onClick={() => onChosen(release)}
    >
      <Picture
        of={{
          image_url: release.cover_image_url,
          image_small_url: release.image_small_url,
          image_sizes: release.image_sizes,
        }}
        isStill
        alt=""
        seed={release.id}
        sizes="3rem"
        className="aspect-square size-12 flex-none"
      />
      <span className="min-w-0 flex-1">
        <Named release={release} />
      </span>
      {state && <span className="type-label border border-dim px-1.5 uppercase">{state}</span>}
    </button>
  );
}
