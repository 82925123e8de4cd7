import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { readState } from "../../api/readState.ts";
import { type Content, useSiteContent } from "../../api/siteContent.ts";
import heroUrl from "../../assets/hero.avif";
import heroSmallUrl from "../../assets/hero-small.avif";
import { Picture } from "../../ui/Picture.tsx";
import { heroQuery } from "./queries.ts";
import { Text } from "./Text.tsx";

/** `newsletter` is the newsletter's form. */
export function HomePage({ newsletter }: { newsletter: ReactNode }) {
  const content = useSiteContent();
  return (
    <>
      <HomeHero content={content} />
      <Manifesto content={content} />
      <section className="border-hairline border-t">
        <div className="grid-sheet gap-y-6 py-14 lg:py-20">
          <h2 className="type-heading col-span-12 lg:col-span-6">
            <Text value={content("newsletter_title")} />
          </h2>
          <div className="type-lead col-span-12 lg:col-span-5 lg:col-start-8">
            <Text value={content("newsletter_description")} lines={2} />
          </div>
        </div>
        {newsletter}
      </section>
    </>
  );
}

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
    <Picture
      of={hero.data ?? DEFAULT}
      alt={hero.data?.alt_text ?? ""}
      seed="hero_background"
      // It covers a box of min(64vh, 44rem): on phones a 16:10 picture is wider than the window, and cropped.
      sizes="max(100vw, min(103vh, 71rem))"
      isFirst
      className="absolute inset-0 size-full object-[72%_50%] lg:object-center"
    />
  );
}

export function Manifesto({ content }: { content: Content }) {
  return (
    <section>
      <div className="grid-sheet gap-y-8 py-14 lg:pt-24 lg:pb-20">
        <h2 className="type-label col-span-12 lg:col-span-3 lg:pt-2">
          <Text value={content("manifesto_title")} />
        </h2>
        <p className="type-heading col-span-12 max-w-[26ch] lg:col-span-9">
          <Text value={content("manifesto_intro")} lines={3} />
        </p>
      </div>
      <div className="grid border-hairline border-t lg:grid-cols-4">
        <Paragraph value={content("manifesto_p1")} className="lg:col-start-2 lg:col-end-4" />
        <Paragraph
          value={content("manifesto_p2")}
          className="border-t lg:col-start-4 lg:col-end-5 lg:border-t-0"
        />
      </div>
      <div className="border-hairline border-t px-gutter py-16 lg:py-28">
        <p className="type-display max-w-[17ch]">
          <Text value={content("manifesto_embrace")} />
        </p>
        <p className="type-lead mt-10 flex items-baseline gap-3">
          <Text value={content("manifesto_init")} />
          <span aria-hidden="true" className="block-cursor blink" />
        </p>
      </div>
    </section>
  );
}

function Paragraph({ value, className }: { value: string | undefined; className: string }) {
  return (
    <p
      className={`border-hairline px-gutter py-8 text-[0.875rem] lg:border-l lg:py-10 ${className}`}
    >
      <span className="block max-w-[60ch]">
        <Text value={value} lines={4} />
      </span>
    </p>
  );
}
