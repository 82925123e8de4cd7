// The label's picture from edge to edge, with the title cut out of the ground.
import { useQuery } from "@tanstack/react-query";
import { NAME_IN_TEXTS } from "../../api/builtInTexts.ts";
import { readState } from "../../api/readState.ts";
import type { Content } from "../../api/siteContent.ts";
import heroUrl from "../../assets/hero.avif";
import heroSmallUrl from "../../assets/hero-small.avif";
import { useLabelName } from "../../ui/labelName.ts";
import { Picture } from "../../ui/Picture.tsx";
import { heroQuery } from "./queries.ts";
import { Text } from "./Text.tsx";

export function HomeHero({ content }: { content: Content }) {
  const title = content("hero_main_title");
  // Capitals stand on the line; descenders and marks above capitals need room.
  const room = /[a-z\u0080-\uffff]/.test(title ?? "")
    ? "pt-[0.22em] pb-[0.14em] leading-[1.08]"
    : "pt-[0.16em] leading-[0.98]";
  return (
    <section className="border-hairline border-b">
      <div className="relative flex min-h-[min(64vh,44rem)] flex-col justify-end overflow-hidden border-hairline border-b">
        <HeroBackground />
        <h1 className="type-display relative w-fit max-w-full pt-40">
          <span className={`knockout block w-fit pr-[0.24em] pl-gutter ${room}`}>
            <Text value={title} />
          </span>
        </h1>
      </div>
      <div className="grid-sheet gap-y-6 py-8 lg:py-10">
        <p className="type-heading col-span-12 lg:col-span-6">
          <Text value={content("hero_subtitle")} />
        </p>
        <p className="type-lead col-span-12 text-ink lg:col-span-5 lg:col-start-8">
          <Text value={content("hero_description")} lines={2} />
        </p>
      </div>
    </section>
  );
}

/** The bundled picture, used until the label sets one. */
const DEFAULT = {
  image_url: heroUrl,
  image_small_url: heroSmallUrl,
  image_width: 1600,
  image_height: 1000,
};

function HeroBackground() {
  const hero = useQuery(heroQuery);
  if (readState(hero) === "loading") return null;
  return (
    <>
      <Picture
        of={hero.data ?? DEFAULT}
        alt={hero.data?.alt_text ?? ""}
        seed="hero_background"
        // It covers a box of min(64vh, 44rem): on phones a 16:10 picture is wider than the window, and cropped.
        sizes="max(100vw, min(103vh, 71rem))"
        isFirst
        className="absolute inset-0 size-full object-[72%_50%] lg:object-center"
      />
      {(hero.data?.is_default ?? true) && (
        <>
          <span
            aria-hidden="true"
            className="spindle absolute inset-0 mask-position-[72%_50%] lg:mask-center"
          />
          <Inscription />
        </>
      )}
    </>
  );
}

/** Length of the run-out that has room for a name, and the largest type there. */
const ROOM = 900;
const TYPE = 42;
/** Width of a character, as a part of its height. */
const ADVANCE = 0.72;
/** Between two characters. */
const SPACING = 2;

/** The name of a label that is not the preset, scratched over the preset's number. */
function Inscription() {
  const label = useLabelName();
  if (label === NAME_IN_TEXTS) return null;
  const size = Math.min(TYPE, Math.floor((ROOM / [...label].length - SPACING) / ADVANCE));
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 1600 1000"
      preserveAspectRatio="xMidYMid slice"
      className="absolute inset-y-0 left-[72%] aspect-16/10 h-full min-w-full max-w-none -translate-x-[72%] select-none lg:left-1/2 lg:-translate-x-1/2"
    >
      <path
        d="M1069.4 877.4A429 429 0 0 1 798.8 674.9"
        fill="none"
        stroke="var(--color-ground)"
        strokeWidth="62"
      />
      <path id="scratched" d="M1565 604A420 420 0 0 1 810.3 676.7" fill="none" />
      <text
        fontSize={size}
        fontWeight="300"
        letterSpacing={SPACING}
        fill="#3b3a37"
        textAnchor="end"
      >
        <textPath href="#scratched" startOffset="100%">
          {label.toUpperCase()}
        </textPath>
      </text>
    </svg>
  );
}
