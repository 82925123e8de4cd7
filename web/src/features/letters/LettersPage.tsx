// The archive of letters: what the label wrote to its subscribers.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { readState } from "../../api/readState.ts";
import { LoadingStatus } from "../../ui/LoadingStatus.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { SkeletonLines } from "../../ui/Skeleton.tsx";
import { type ArchivedLetter, lettersQuery } from "./queries.ts";

export function LettersPage() {
  const letters = useQuery(lettersQuery);
  const isLoading = readState(letters) === "loading";
  const items = letters.data?.items;
  return (
    <>
      <LoadingStatus isLoading={isLoading}>Loading letters</LoadingStatus>
      <PageHead
        name="LETTERS"
        note={
          <a href="/letters.xml" className="text-link decoration-hairline">
            FEED
          </a>
        }
      />
      {isLoading && (
        <div className="px-gutter py-10">
          <SkeletonLines lines={6} />
        </div>
      )}
      {items && items.length > 0 && (
        <ul aria-label="Letters">
          {items.map((letter) => (
            <Row key={letter.slug} letter={letter} />
          ))}
        </ul>
      )}
      <Notice>
        {items?.length === 0
          ? "No letters yet"
          : !items && !isLoading && "THE LETTERS COULD NOT BE READ. RETRYING."}
      </Notice>
    </>
  );
}

function Row({ letter }: { letter: ArchivedLetter }) {
  return (
    <li className="border-hairline border-b">
      <Link
        to="/letters/$slug"
        params={{ slug: letter.slug }}
        className="grid-sheet gap-y-1 py-5 -outline-offset-2 hover:bg-ink/4"
      >
        <Dated letter={letter} className="col-span-12 lg:col-span-3" />
        <span className="col-span-12 min-w-0 lg:col-span-9">
          <bdi className="type-title [overflow-wrap:anywhere]">{letter.subject}</bdi>
          {letter.preheader && (
            <span dir="auto" className="mt-1 block text-dim">
              {letter.preheader}
            </span>
          )}
        </span>
      </Link>
    </li>
  );
}

interface DatedProps {
  letter: ArchivedLetter;
  className?: string;
}

/** When it went out, and whether it was stopped. */
export function Dated({ letter, className = "" }: DatedProps) {
  return (
    <span className={`type-label text-dim tabular-nums ${className}`}>
      <time dateTime={letter.sent_at}>{letter.date_label}</time>
      {letter.is_stopped && <span className="block">STOPPED BEFORE IT REACHED EVERYONE</span>}
    </span>
  );
}
