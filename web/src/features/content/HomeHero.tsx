// The label's picture from edge to edge, with the title cut out of the ground.
import { useQuery } from "@tanstack/react-query";
import { readState } from "../../api/readState.ts";
import type { Content } from "../../api/siteContent.ts";
import heroUrl from "../../assets/hero.avif";
import heroSmallUrl from "../../assets/hero-small.avif";
import { Picture } from "../../ui/Picture.tsx";
import { heroQuery } from "./queries.ts";
import { Text } from "./Text.tsx";

export function HomeHero({ content }: { content: Content }) {
  return (
    <section className="border-hairline border-b">
      <div className="relative flex min-h-[min(64vh,44rem)] flex-col justify-end overflow-hidden border-hairline border-b">
        <HeroBackground />
        <h1 className="type-display relative w-fit max-w-full pt-40">
          <span className="knockout block w-fit pt-[0.16em] pr-[0.24em] pl-gutter leading-[0.98]">
            <Text value={content("hero_main_title")} />
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
        <span
          aria-hidden="true"
          className="spindle absolute inset-0 mask-position-[72%_50%] lg:mask-center"
        />
      )}
    </>
  );
}
