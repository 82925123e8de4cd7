// What follows from accepting a demo: a draft of a release with its artist, its title and the next catalogue number.
import { Button } from "../../../../ui/Button.tsx";
import type { DeskDemo } from "../deskTypes.ts";
import type { Drafts } from "../drafts/useDrafts.ts";

export function DraftKey({ demo, drafts }: { demo: DeskDemo; drafts: Drafts }) {
  if (demo.state !== "accepted") return null;
  const isMade = drafts.has(demo.id);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-hairline border-b px-gutter py-2.5">
      <p className="min-w-0 flex-1 basis-48 text-dim">
        {isMade
          ? "A draft of it lies in the catalogue."
          : "A draft takes over artist and title, with the next catalogue number."}
      </p>
      <Button variant="outline" isBusy={drafts.isBusy} onClick={() => drafts.open(demo)}>
        {drafts.isBusy ? "Drafting..." : isMade ? "OPEN THE DRAFT" : "DRAFT A RELEASE"}
      </Button>
    </div>
  );
}
