// Replaces the background of the home page, after a preview.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { apiError, call, type Schemas, uploadTarget } from "../../../api/client.ts";
import { readQuery } from "../../../api/queries.ts";
import { HERO_ACCEPT, HERO_MAX_MB, HERO_TYPES } from "../../../rules/generated/constants.ts";
import type { Rules } from "../../../rules/rules.ts";
import { Button } from "../../../ui/Button.tsx";
import { Field } from "../../../ui/Field.tsx";
import { Picture } from "../../../ui/Picture.tsx";
import { useFileDrop } from "../../../ui/useFileDrop.ts";
import type { RemovableRows } from "../lists/useRows.ts";
import { readRowsAgain } from "../lists/useRows.ts";
import { sizeOf } from "../sizeOf.ts";
import { UploadMeter } from "../uploads/UploadMeter.tsx";
import { useFilePicker } from "../uploads/useFilePicker.tsx";
import { checkFile, useUpload } from "../uploads/useUpload.ts";

export type SiteImage = Schemas["EditableImage"];

export const IMAGES_PATH = "/api/admin/site-images";

export const imagesQuery = readQuery(IMAGES_PATH, {});

export const imageCalls: RemovableRows = {
  path: IMAGES_PATH,
  remove: (image) => call("DELETE", "/api/admin/site-images/{image}", { path: { image } }),
  trash: "site_image",
};

export const HERO_KEY = "hero_background";

const ENDPOINT = {
  to: uploadTarget("PUT", "/api/admin/site-images/{image}", { path: { image: HERO_KEY } }),
  check: (rules: Rules) => rules.checkHero,
  messages: { uploaded: "hero_uploaded", failed: "hero_upload_failed" },
} as const;

const DESCRIPTION = "Background of the home page";

interface HeroUploadProps {
  hero: SiteImage | undefined;
  /** Called with whether a picture is chosen but not yet uploaded; the same function on every render. */
  onPlacing: (isPlacing: boolean) => void;
}

export function HeroUpload({ hero, onPlacing }: HeroUploadProps) {
  const client = useQueryClient();
  const plate = useRef<HTMLDivElement>(null);
  const [file, setFile] = useState<File>();
  const [altText, setAltText] = useState("");
  const [problem, setProblem] = useState<string>();
  const preview = useObjectUrl(file);
  useEffect(() => onPlacing(file !== undefined), [file, onPlacing]);

  const endpoint = { ...ENDPOINT, texts: { alt_text: altText, description: DESCRIPTION } };
  // A second press may come before the form closes.
  const placed = useRef<File>(undefined);
  const { progress, upload, cancel } = useUpload(endpoint, () => {
    placed.current = file;
    readRowsAgain(client, IMAGES_PATH);
    setFile(undefined);
  });
  const isUploading = progress !== undefined;

  async function choose(chosen: File | undefined): Promise<void> {
    if (!chosen || (await checkFile(ENDPOINT, chosen)) !== undefined) return;
    placed.current = undefined;
    setFile(chosen);
    setAltText("");
    setProblem(undefined);
  }

  async function send(chosen: File): Promise<void> {
    if (placed.current === chosen) return;
    setProblem(undefined);
    const error = await upload(chosen);
    if (error) setProblem(apiError(error).fields.alt_text);
  }

  const { open, picker } = useFilePicker(
    { "aria-label": "Hero background file", accept: HERO_ACCEPT },
    ([chosen]) => void choose(chosen),
  );
  const isOver = useFileDrop({
    isTaking: !isUploading,
    within: plate,
    onDrop: (dropped) => void choose(dropped.files[0]),
  });

  return (
    <div ref={plate} className={`flex flex-col gap-4 p-gutter ${isOver ? "bg-ink/6" : ""}`}>
      <h3 className="type-label flex items-center justify-between gap-4 uppercase">
        Hero Background
        <span className={file ? "" : "text-dim"}>
          {isOver ? "Let go to take this picture" : file ? "Not on the site yet" : "On the site"}
        </span>
      </h3>
      {preview ? (
        <img src={preview} alt="As it would be" className={PREVIEW} />
      ) : (
        <Picture
          of={hero}
          alt="As it stands"
          seed={HERO_KEY}
          sizes="(width >= 64rem) 50vw, 100vw"
          className={PREVIEW}
        />
      )}
      {picker}
      <form
        noValidate
        aria-label="Hero background"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (file) void send(file);
        }}
      >
        {file && (
          <>
            <p className="flex flex-wrap justify-between gap-x-6">
              <span className="min-w-0">{file.name}</span>
              <span className="text-dim tabular-nums">{sizeOf(file.size)}</span>
            </p>
            <Field
              label="Alternative text"
              hint="What it shows, for those who do not see it. May stay empty."
              autoComplete="off"
              disabled={isUploading}
              error={problem}
              value={altText}
              onChange={({ target }) => setAltText(target.value)}
            />
          </>
        )}
        {file && isUploading && <UploadMeter label={`Upload of ${file.name}`} part={progress} />}
        <div className="type-label flex flex-wrap gap-3">
          {file && (
            <Button type="submit" isBusy={isUploading} variant="main">
              {isUploading ? "Uploading..." : "Put On The Site"}
            </Button>
          )}
          <Button data-focus-home isBusy={isUploading} variant="outline" onClick={open}>
            {file ? "Choose Another" : "Upload Hero Background"}
          </Button>
          {file && (
            <Button
              onClick={() => {
                cancel();
                setFile(undefined);
              }}
            >
              Cancel
            </Button>
          )}
        </div>
        <p className="type-label text-dim">
          {HERO_TYPES}, up to {HERO_MAX_MB} MB. It can be dropped here too.
        </p>
      </form>
    </div>
  );
}

const PREVIEW = "aspect-16/10 w-full border border-hairline object-cover";

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
