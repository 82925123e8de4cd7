import { type MouseEvent, type ReactNode, useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { day } from "../../../ui/dates.ts";
import { OutLink } from "../../../ui/OutLink.tsx";
import { Picture } from "../../../ui/Picture.tsx";
import { sizeOf } from "../sizeOf.ts";
import { CopyUrl } from "./CopyUrl.tsx";
import { type MediaFile, picturedIn, usesOf } from "./mediaFile.ts";

interface MediaCellProps {
  file: MediaFile;
  chooseBox: ReactNode;
  onDelete: (event: MouseEvent) => void;
}

export function MediaCell({ file, chooseBox, onDelete }: MediaCellProps) {
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
            {name}
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
              <p className="min-w-0 text-dim [overflow-wrap:anywhere]">Used in {usesOf(file)}</p>
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

/** The first frame of a video, with a play sign. */
function Still({ file }: { file: MediaFile }) {
  const [isBroken, setBroken] = useState(false);
  return (
    <span className="relative block aspect-4/3 w-full bg-ground">
      {!isBroken && (
        <video
          src={file.url}
          preload="metadata"
          muted
          playsInline
          tabIndex={-1}
          data-focus-home
          aria-hidden="true"
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
