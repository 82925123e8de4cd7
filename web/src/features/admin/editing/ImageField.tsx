// A picture field: uploaded, chosen from the library, or given by its address.
import { type ComponentProps, useEffect, useState } from "react";
import { uploadTarget } from "../../../api/client.ts";
import { IMAGE_ACCEPT, IMAGE_MAX_MB, IMAGE_TYPES } from "../../../rules/generated/constants.ts";
import { Button } from "../../../ui/Button.tsx";
import type { TitledCode } from "../../../ui/messages.ts";
import { Picture } from "../../../ui/Picture.tsx";
import { UploadMeter } from "../uploads/UploadMeter.tsx";
import { useFilePicker } from "../uploads/useFilePicker.tsx";
import { useUpload } from "../uploads/useUpload.ts";
import { LibraryChoice } from "./LibraryChoice.tsx";
import { UrlField } from "./UrlField.tsx";

type ImageFolder = "artists" | "releases" | "uploads";

interface ImageFieldProps {
  label: string;
  folder: ImageFolder;
  messages: { uploaded: TitledCode; failed: TitledCode };
  /** The pattern shown while there is no picture. */
  seed: string;
  value: string;
  error: string | undefined;
  input: ComponentProps<"input">;
  onUploaded: (url: string) => void;
  onUploading: (isUploading: boolean) => void;
}

export function ImageField({
  label,
  folder,
  messages,
  seed,
  value,
  error,
  input,
  onUploaded,
  onUploading,
}: ImageFieldProps) {
  // The picture is not loaded while its address is being typed.
  const [isTyping, setTyping] = useState(false);
  const [shown, setShown] = useState(value);
  if (!isTyping && shown !== value) setShown(value);
  const { progress, upload, cancel } = useUpload(
    {
      to: uploadTarget("POST", "/api/admin/images", { query: { folder } }),
      check: (rules) => rules.checkImage,
      messages,
    },
    ({ url }) => onUploaded(url),
  );
  const isUploading = progress !== undefined;
  useEffect(() => onUploading(isUploading), [isUploading, onUploading]);

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
        label={`${label} URL`}
        error={error}
        {...input}
        onCompleted={onUploaded}
        onFocus={() => setTyping(true)}
        onBlur={(event) => {
          setTyping(false);
          void input.onBlur?.(event);
        }}
      />
    </fieldset>
  );
}

function isPicture(url: string): boolean {
  return /^(?:https?:\/\/|\/media\/)./.test(url.trim());
}
