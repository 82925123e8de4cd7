// A picture field: uploaded, chosen from the library, or given by its address.
import { type ComponentProps, useCallback, useEffect, useState } from "react";
import { uploadTarget } from "../../../api/client.ts";
import { IMAGE_ACCEPT, IMAGE_MAX_MB, IMAGE_TYPES } from "../../../rules/generated/constants.ts";
import { loadRules, rulesState, withRules } from "../../../rules/rules.ts";
import { Button } from "../../../ui/Button.tsx";
import { Field } from "../../../ui/Field.tsx";
import { Modal } from "../../../ui/Modal.tsx";
import type { TitledCode } from "../../../ui/messages.ts";
import { Picture } from "../../../ui/Picture.tsx";
import { SearchInput } from "../../../ui/SearchInput.tsx";
import { useFilePicker } from "../../../ui/useFilePicker.tsx";
import { fileCalls, type MediaFile, picturedIn } from "../library/mediaFile.ts";
import { RowList } from "../lists/RowList.tsx";
import { usePausedSearch } from "../lists/useListAddress.ts";
import { useRows } from "../lists/useRows.ts";
import { UploadMeter } from "../uploads/UploadMeter.tsx";
import { useUpload } from "../uploads/useUpload.ts";

type ImageFolder = "artists" | "releases" | "uploads";

/** The part of a form that a field of text needs. */
interface TextForm<Name extends string> {
  valueOf: (name: Name) => string;
  field: (name: Name) => ComponentProps<"input"> & { error: string | undefined };
  fill: (name: Name, text: string) => void;
}

interface ImageFieldProps<Name extends string> {
  form: TextForm<Name>;
  name: Name;
  label: string;
  folder: ImageFolder;
  messages: { uploaded: TitledCode; failed: TitledCode };
  /** The pattern shown while there is no picture. */
  seed: string;
  /** Called as an upload begins, and as it ends or is left. */
  onUploading: (isUploading: boolean) => void;
}

export function ImageField<Name extends string>({
  form,
  name,
  label,
  folder,
  messages,
  seed,
  onUploading,
}: ImageFieldProps<Name>) {
  const value = form.valueOf(name);
  const onUploaded = (url: string) => form.fill(name, url);
  /** The text of the field when typing began: an address is not loaded while it is typed. */
  const [before, setBefore] = useState<string>();
  const shown = before ?? value;
  const { progress, upload, cancel } = useUpload(
    {
      to: uploadTarget("POST", "/api/admin/images", { query: { folder } }),
      check: (rules) => rules.checkImage,
      messages,
    },
    ({ url }) => onUploaded(url),
  );
  const isUploading = progress !== undefined;
  useEffect(() => {
    if (!isUploading) return;
    onUploading(true);
    return () => onUploading(false);
  }, [isUploading, onUploading]);

  const { open, picker } = useFilePicker(
    { "aria-label": `${label} file`, accept: IMAGE_ACCEPT },
    ([file]) => file && void upload(file),
  );

  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="type-label mb-2 uppercase">{label}</legend>
      <div className="flex gap-4">
        <Picture
          of={{ image_url: isPicture(shown) ? shown : null }}
          alt={`${label}, as it stands`}
          seed={seed}
          sizes="(width >= 40rem) 7rem, 5rem"
          empty={
            <p className="type-label flex aspect-square size-20 flex-none items-center justify-center border border-hairline border-dashed text-center sm:size-28 text-dim uppercase">
              {shown.trim() === "" ? "No picture" : "No picture there"}
            </p>
          }
          className="aspect-square size-20 flex-none border border-hairline sm:size-28"
        />
        <div className="type-label flex min-w-0 flex-1 flex-col items-start gap-3">
          {picker}
          <div className="flex flex-wrap gap-2">
            <Button data-focus-home variant="outline" isBusy={isUploading} onClick={open}>
              Upload {label}
            </Button>
            {!isUploading && <LibraryChoice label={label} onChosen={onUploaded} />}
            {value !== "" && !isUploading && <Button onClick={() => onUploaded("")}>Remove</Button>}
          </div>
          <p className="text-dim">
            {IMAGE_TYPES}, up to {IMAGE_MAX_MB} MB.
          </p>
          {progress !== undefined && (
            <div className="flex w-full items-center gap-3">
              <UploadMeter label={`Upload of ${label}`} part={progress} />
              <Button className="flex-none" onClick={cancel}>
                Stop
                <span className="sr-only"> the upload</span>
              </Button>
            </div>
          )}
        </div>
      </div>
      <UrlField
        form={form}
        name={name}
        label={`${label} URL`}
        onTyping={(isTyping) => setBefore(isTyping ? value : undefined)}
      />
    </fieldset>
  );
}

function isPicture(url: string): boolean {
  return /^(?:https?:\/\/|\/media\/)./.test(url.trim());
}

interface UrlFieldProps<Name extends string> {
  form: TextForm<Name>;
  name: Name;
  label: string;
  onTyping?: (isTyping: boolean) => void;
}

/** A field for an address. Not type="url": browsers would tidy the value before the rules see it. */
export function UrlField<Name extends string>({
  form,
  name,
  label,
  onTyping,
}: UrlFieldProps<Name>) {
  const input = form.field(name);
  /** Adds a missing `https://` visibly, before the check. */
  async function complete({ currentTarget: field }: { currentTarget: HTMLInputElement }) {
    const { value } = field;
    if (rulesState.get() !== "ready") await loadRules();
    const url = withRules((rules) => rules.completeUrl(value));
    if (url !== undefined && url !== value && field.value === value) form.fill(name, url);
  }
  return (
    <Field
      {...input}
      label={label}
      onFocus={(event) => {
        input.onFocus?.(event);
        onTyping?.(true);
      }}
      onBlur={(event) => {
        onTyping?.(false);
        input.onBlur?.(event);
        void complete(event);
      }}
      onKeyDown={(event) => event.key === "Enter" && void complete(event)}
      inputMode="url"
      dir="ltr"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      placeholder="https://"
    />
  );
}

const GRID = { chunk: "grid-cells grid-cols-2 md:grid-cols-4", row: "flex min-w-0" };

interface LibraryChoiceProps {
  label: string;
  onChosen: (url: string) => void;
}

function LibraryChoice({ label, onChosen }: LibraryChoiceProps) {
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
