// The invitation to join the collective.
import { useSiteContent } from "../../api/siteContent.ts";
import { SkeletonLines } from "../../ui/Skeleton.tsx";

export function JoinSection() {
  const textOf = useSiteContent();
  const title = textOf("artists_join_title");
  const description = textOf("artists_join_description");
  return (
    <section
      aria-labelledby="join"
      className="grid-sheet mt-auto gap-y-6 border-hairline border-t pt-20 pb-16 lg:pt-28"
    >
      <h2 id="join" className="type-heading col-span-12 lg:col-span-6">
        {title ?? <SkeletonLines lines={1} />}
      </h2>
      <p className="type-lead col-span-12 whitespace-pre-line lg:col-span-5 lg:col-start-8">
        {description ?? <SkeletonLines lines={2} />}
      </p>
    </section>
  );
}
