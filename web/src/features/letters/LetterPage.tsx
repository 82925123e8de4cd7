// A letter of the archive, as it was when it went out.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { readState } from "../../api/readState.ts";
import { LoadingStatus } from "../../ui/LoadingStatus.tsx";
import { MissingPage } from "../../ui/MissingPage.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { OutLink } from "../../ui/OutLink.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { SkeletonSheet } from "../../ui/Skeleton.tsx";
import { useDocumentTitle } from "../../ui/useDocumentTitle.ts";
import { Dated } from "./LettersPage.tsx";
import { type ArchivedLetter, type ArchivedPart, letterQuery } from "./queries.ts";

const route = getRouteApi("/letters/$slug");

export function LetterPage() {
  const { slug } = route.useParams();
  const letter = useQuery(letterQuery(slug));
  const isLoading = readState(letter) === "loading";
  return (
    <>
      <LoadingStatus isLoading={isLoading}>Loading the letter</LoadingStatus>
      {/* One taken out of the archive is not shown from memory. */}
      {letter.data && !letter.isError ? (
        <Letter letter={letter.data} parts={letter.data.parts} />
      ) : isLoading ? (
        <SkeletonSheet />
      ) : letter.isError ? (
        <MissingPage to="/letters" back="RETURN TO LETTERS" />
      ) : (
        <Notice>THIS LETTER COULD NOT BE READ. RETRYING.</Notice>
      )}
    </>
  );
}

function Letter({ letter, parts }: { letter: ArchivedLetter; parts: ArchivedPart[] }) {
  useDocumentTitle(letter.subject);
  return (
    <>
      <PageHead name={letter.subject} note={<Dated letter={letter} />} />
      <article aria-label={letter.subject} className="grid-sheet flex-1 py-10">
        <div className="col-span-12 flex min-w-0 flex-col gap-6 lg:col-span-8 lg:col-start-4 lg:max-w-[72ch]">
          {parts.map((part, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change
            <Part key={place} part={part} />
          ))}
          <p className="type-label mt-6">
            <Link to="/letters" className="text-link decoration-hairline">
              ALL LETTERS
            </Link>
          </p>
        </div>
      </article>
    </>
  );
}

function Part({ part }: { part: ArchivedPart }) {
  switch (part.kind) {
    case "heading":
      return (
        <h2 className="type-heading [overflow-wrap:anywhere]">
          <bdi>{part.text}</bdi>
        </h2>
      );
    case "text":
      return <Paragraphs of={part.paragraphs} />;
    case "divider":
      return <hr className="border-hairline" />;
    case "button":
      return (
        <p>
          <OutLink href={part.link} className="button button-main">
            <bdi>{part.text}</bdi>
          </OutLink>
        </p>
      );
    case "picture":
      return (
        <Linked to={part.link}>
          <Shown picture={part.picture} alt={part.alt} />
        </Linked>
      );
    case "release":
      return (
        <section className="flex flex-col gap-4">
          {part.release && (
            <>
              {part.release.sleeve && (
                <Linked to={part.release.page}>
                  <Shown picture={part.release.sleeve} alt={`Artwork of ${part.release.title}`} />
                </Linked>
              )}
              <div>
                {part.release.number && (
                  <p className="type-label text-signal">{part.release.number}</p>
                )}
                <h3 className="type-title">
                  <a href={part.release.page}>
                    <bdi>{part.release.title}</bdi>
                  </a>
                </h3>
                <p className="text-dim">
                  <bdi>{part.release.artist}</bdi>
                </p>
              </div>
            </>
          )}
          <Paragraphs of={part.paragraphs} />
          {part.release && part.release.links.length > 0 && (
            <p className="flex flex-wrap gap-3">
              {part.release.links.map(({ name, url }) => (
                <OutLink key={name} href={url} className="button">
                  {name}
                </OutLink>
              ))}
            </p>
          )}
        </section>
      );
  }
}

type Text = Extract<ArchivedPart, { kind: "text" }>["paragraphs"];

function Paragraphs({ of }: { of: Text }) {
  return of.map((spans, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change
    <p key={place} dir="auto" className="type-lead whitespace-pre-line [overflow-wrap:anywhere]">
      {spans.map(({ text, bold, link }, at) => {
        const words = bold ? <strong>{text}</strong> : text;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change
          <Linked key={at} to={link} className="text-link">
            {words}
          </Linked>
        );
      })}
    </p>
  ));
}

interface LinkedProps {
  to: string | null | undefined;
  className?: string;
  children: ReactNode;
}

function Linked({ to, className, children }: LinkedProps) {
  if (!to) return children;
  if (to.startsWith("/")) {
    return (
      <a href={to} className={className}>
        {children}
      </a>
    );
  }
  return (
    <OutLink href={to} {...(className && { className })}>
      {children}
    </OutLink>
  );
}

type Picture = Extract<ArchivedPart, { kind: "picture" }>["picture"];

function Shown({ picture, alt }: { picture: Picture; alt: string }) {
  if (!picture) return <p className="text-dim">{alt}</p>;
  return (
    <img
      src={picture.url}
      alt={alt}
      width={picture.width ?? undefined}
      height={picture.height ?? undefined}
      loading="lazy"
      decoding="async"
      className="h-auto max-w-full border border-hairline"
    />
  );
}
