// Begins a letter that announces a release, from the release's editor.
import { useNavigate } from "@tanstack/react-router";
import { Button } from "../../../../ui/Button.tsx";
import { listsSearchOf } from "../../tabIds.ts";
import { useBegin } from "./useBegin.ts";

interface AnnounceButtonProps {
  release: string;
  /** The letter would not have the changes. */
  isUnsaved: boolean;
}

export function AnnounceButton({ release, isUnsaved }: AnnounceButtonProps) {
  const navigate = useNavigate();
  const { begin, isBeginning } = useBegin((letter) => {
    void navigate({
      to: "/admin",
      search: (others) => ({ ...others, ...listsSearchOf({}), tab: "newsletter" }),
      hash: `letter-${letter}`,
    });
  });
  return (
    <span className="flex flex-wrap items-center gap-3">
      <Button isBusy={isUnsaved || isBeginning} onClick={() => begin({ release })}>
        Announce in a Letter
      </Button>
      {isUnsaved && <span className="text-dim normal-case">Save it before announcing it.</span>}
    </span>
  );
}
