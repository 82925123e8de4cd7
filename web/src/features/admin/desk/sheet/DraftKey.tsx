// What follows from accepting a demo: a draft of a release with its artist, its title and the next catalogue number.
import { Button } from "../../../../ui/Button.tsx";
import type { DeskDemo, DeskDemoDetail } from "../deskTypes.ts";
import type { Drafts } from "../drafts/useDrafts.ts";

interface DraftKeyProps {
  demo: DeskDemo;
  /** The draft that was made of it before, as far as it is known yet. */
  release: DeskDemoDetail["release"] | undefined;
  drafts: Drafts;
}

export function DraftKey({ demo, release, drafts }: DraftKeyProps) {
  if (demo.state !== "accepted") return null;
  const isMade = Boolean(release) || drafts.has(demo.id);
  const catalog = release?.catalog;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-hairline border-b px-gutter py-2.5">
      <p className="min-w-0 flex-1 basis-48 text-dim">
        {isMade
          ? `A draft of it lies in the catalogue${catalog ? ` as ${catalog}` : ""}.`
          : "A draft takes over artist and title, with the next catalogue number."}
      </p>
      <Button variant="outline" isBusy={drafts.isBusy} onClick={() => drafts.open(demo)}>
        {drafts.isBusy ? "Drafting..." : isMade ? "OPEN THE DRAFT" : "DRAFT A RELEASE"}
      </Button>
    </div>
  );
}
