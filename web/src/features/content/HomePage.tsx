import type { ReactNode } from "react";
import { type Content, useSiteContent } from "../../api/siteContent.ts";
import { useLabelName } from "../../ui/labelName.ts";
import { HomeHero } from "./HomeHero.tsx";
import { Text } from "./Text.tsx";

/** `newsletter` is the newsletter's form. */
export function HomePage({ newsletter }: { newsletter: ReactNode }) {
  const content = useSiteContent(useLabelName());
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

function Manifesto({ content }: { content: Content }) {
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
