import { day, dayAndTime } from "../../../../ui/dates.ts";
import { TextButton } from "../../../../ui/TextButton.tsx";
import { fileOf, mailTo } from "../../demos/demo.ts";
import { FoldedText } from "../../demos/FoldedText.tsx";
import { sizeOf } from "../../sizeOf.ts";
import { useDeskState } from "../deskState.ts";
import type { DeskDemo } from "../deskTypes.ts";
import { stateName } from "../deskTypes.ts";

export function Sender({ demo }: { demo: DeskDemo }) {
  const { desk, open } = useDeskState();
  const earlier = desk.detail?.earlier ?? [];
  return (
    <section aria-label="Sender" className="flex flex-col gap-5">
      <div className="flex flex-col gap-2">
        <h3 className="type-label text-dim uppercase">Sender's words</h3>
        {demo.message ? (
          <FoldedText
            text={demo.message}
            maxLength={600}
            maxLines={10}
            clamp="line-clamp-8"
            className="max-w-[65ch]"
          />
        ) : (
          <p className="text-dim">No message.</p>
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
          <bdi>{demo.original_name}</bdi>, {sizeOf(demo.size_bytes)}{" "}
          <a
            href={fileOf(demo)}
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
      {earlier.length > 0 && (
        <div className="flex flex-col gap-2">
          <h3 className="type-label text-dim uppercase">Earlier demos</h3>
          <ul className="text-[0.75rem]">
            {earlier.map(({ id, original_name, submitted_at, state }) => (
              <li key={id} className="border-hairline border-t">
                <button
                  type="button"
                  className="grid min-h-9 w-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 py-1.5 text-left hover:bg-ink/4"
                  onClick={() => open(id)}
                >
                  <bdi>{original_name}</bdi>
                  <span className="text-dim tabular-nums">
                    {day(submitted_at)} {stateName(state)}
                  </span>
                </button>
              </li>
            ))}
          </ul>
          <TextButton
            className="self-start"
            onClick={() => desk.address.write({ sender: demo.email })}
          >
            All of this sender
          </TextButton>
        </div>
      )}
    </section>
  );
}
