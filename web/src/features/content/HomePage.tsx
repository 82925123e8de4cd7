import type { ReactNode } from "react";
import { useSiteContent } from "../../api/siteContent.ts";
import { HomeHero } from "./HomeHero.tsx";
import { Manifesto } from "./Manifesto.tsx";
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
