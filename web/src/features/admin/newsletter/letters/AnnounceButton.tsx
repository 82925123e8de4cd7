// Begins a letter that announces a release, from the release's editor.
import { useNavigate } from "@tanstack/react-router";
import { Button } from "../../../../ui/Button.tsx";
import { listsSearchOf } from "../../tabIds.ts";
import { useBegin } from "./useBegin.ts";

interface AnnounceButtonProps {
  release: string;
  /** Closes the editor before the letter opens. */
  onClose: () => void;
}

export function AnnounceButton({ release, onClose }: AnnounceButtonProps) {
  const navigate = useNavigate();
  const { begin, isBeginning } = useBegin((letter) => {
    onClose();
    void navigate({
      to: "/admin",
      search: (others) => ({ ...others, ...listsSearchOf({}), tab: "newsletter" }),
      hash: `letter-${letter}`,
    });
  });
  return (
    <Button isBusy={isBeginning} onClick={() => begin({ release })}>
      Announce in a Letter
    </Button>
  );
}
