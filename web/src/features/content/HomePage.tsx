// The home page: who this is, what it stands for, and where its transmissions are announced.
import { useSiteContent } from "../../api/siteContent.ts";
import { HomeHero } from "./HomeHero.tsx";
import { Manifesto } from "./Manifesto.tsx";
import { Text } from "./Text.tsx";

export function HomePage() {
  const textOf = useSiteContent();
  return (
    <>
      <HomeHero textOf={textOf} />
      <Manifesto textOf={textOf} />
      <section className="grid-sheet gap-y-6 border-hairline border-t py-14 lg:py-20">
        <h2 className="type-heading col-span-12 lg:col-span-6">
          <Text value={textOf("newsletter_title")} />
        </h2>
        <div className="type-lead col-span-12 lg:col-span-5 lg:col-start-8">
          <Text value={textOf("newsletter_description")} lines={2} />
        </div>
      </section>
    </>
  );
}
