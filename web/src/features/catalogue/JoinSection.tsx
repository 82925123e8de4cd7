// The invitation to join the collective, with the button that takes a demo.
import { useSiteContent } from "../../api/siteContent.ts";
import { Button } from "../../ui/Button.tsx";
import { NeedsScript } from "../../ui/NeedsScript.tsx";
import { SkeletonLines } from "../../ui/Skeleton.tsx";

interface JoinSectionProps {
  onJoin: () => void;
  /** Called at the first sign that the button will be pressed. */
  onNear: () => void;
}

export function JoinSection({ onJoin, onNear }: JoinSectionProps) {
  const content = useSiteContent();
  const title = content("artists_join_title");
  const description = content("artists_join_description");
  return (
    <section
      aria-labelledby="join"
      className="grid-sheet mt-auto gap-y-6 border-hairline border-t pt-20 pb-16 lg:pt-28"
    >
      <h2 id="join" className="type-heading col-span-12 lg:col-span-6">
        {title ?? <SkeletonLines lines={1} />}
      </h2>
      <div className="col-span-12 flex flex-col items-start gap-8 lg:col-span-5 lg:col-start-8">
        <p className="type-lead w-full whitespace-pre-line">
          {description ?? <SkeletonLines lines={2} />}
        </p>
        <Button
          aria-haspopup="dialog"
          variant="main"
          size="large"
          className="w-full px-8 sm:w-auto noscript:hidden"
          onPointerEnter={onNear}
          onFocus={onNear}
          onClick={onJoin}
        >
          SUBMIT A DEMO
        </Button>
        <NeedsScript className="text-signal">Sending a demo needs JavaScript.</NeedsScript>
      </div>
    </section>
  );
}
