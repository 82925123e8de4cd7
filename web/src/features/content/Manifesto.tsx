// What the collective stands for.
import type { TextOf } from "../../api/siteContent.ts";
import { Text } from "./Text.tsx";

export function Manifesto({ textOf }: { textOf: TextOf }) {
  return (
    <section>
      <div className="grid-sheet gap-y-8 py-14 lg:py-20">
        <h2 className="type-heading col-span-12 lg:col-span-6">
          <Text value={textOf("manifesto_title")} />
        </h2>
        <p className="type-lead col-span-12 lg:col-span-5 lg:col-start-8">
          <Text value={textOf("manifesto_intro")} lines={3} />
        </p>
      </div>
      <div className="grid-cells border-hairline border-t md:grid-cols-2">
        <p className="px-gutter py-8 leading-relaxed lg:py-10">
          <span className="block max-w-[58ch]">
            <Text value={textOf("manifesto_p1")} lines={4} />
          </span>
        </p>
        <p className="px-gutter py-8 leading-relaxed lg:py-10">
          <span className="block max-w-[58ch]">
            <Text value={textOf("manifesto_p2")} lines={4} />
          </span>
        </p>
      </div>
      <div className="border-hairline border-t px-gutter py-14 lg:py-24">
        <p className="type-display max-w-[16ch] text-[clamp(2.25rem,7vw,5.5rem)]">
          <Text value={textOf("manifesto_embrace")} />
        </p>
        <p className="type-lead mt-10 flex items-baseline gap-3">
          <Text value={textOf("manifesto_init")} />
          <span aria-hidden="true" className="block-cursor blink" />
        </p>
      </div>
    </section>
  );
}
