// Who sent it, with their own words, and the way to what else they have sent.
import { useState } from "react";
import { dayAndTime } from "../../../../ui/dates.ts";
import { mailTo } from "../../demos/demo.ts";
import { sizeOf } from "../../sizeOf.ts";
import { fileOf } from "../demoSound.ts";
import type { DeskDemo } from "../deskTypes.ts";

interface SenderProps {
  demo: DeskDemo;
  onSender: (email: string) => void;
}

export function Sender({ demo, onSender }: SenderProps) {
  return (
    <section aria-label="Sender" className="flex flex-col gap-5">
      <div className="flex flex-col gap-2">
        <h3 className="type-label text-dim uppercase">Sender's words</h3>
        {demo.message ? (
          <Words text={demo.message} />
        ) : (
          <p className="text-dim">Sent without a word.</p>
        )}
      </div>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1 text-[0.75rem]">
        <dt className="text-dim">From</dt>
        <dd>
          <a href={mailTo(demo.email)} className="text-link decoration-hairline">
            {demo.email}
          </a>
        </dd>
        <dt className="text-dim">File</dt>
        <dd>
          {demo.original_name}, {sizeOf(demo.size_bytes)}{" "}
          <a
            href={fileOf(demo.id)}
            download
            aria-label={`Download ${demo.artist_name}`}
            className="ml-1 text-link"
          >
            Download
          </a>
        </dd>
        <dt className="text-dim">Received</dt>
        <dd>
          <time dateTime={demo.submitted_at}>{dayAndTime(demo.submitted_at)}</time>
        </dd>
      </dl>
      <button
        type="button"
        className="type-label min-h-6 self-start text-link uppercase"
        onClick={() => onSender(demo.email)}
      >
        All of this sender
      </button>
    </section>
  );
}

/** In characters: more would push the keys below out of sight. */
const LONG = 600;

function Words({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > LONG || text.split("\n").length > 10;
  return (
    <div className="max-w-[65ch]">
      <p className={`whitespace-pre-line ${isLong && !isOpen ? "line-clamp-8" : ""}`}>{text}</p>
      {isLong && (
        <button
          type="button"
          aria-expanded={isOpen}
          className="type-label min-h-6 text-link decoration-hairline uppercase"
          onClick={() => setOpen(!isOpen)}
        >
          Whole message
        </button>
      )}
    </div>
  );
}
