// The streaming player of a release: a key that opens and closes it, and the frame of the player
// itself, which is not asked for before PLAY.
import { PLAYER_HEIGHT } from "../../rules/generated/constants.ts";
import { Button } from "../../ui/Button.tsx";

interface PlayButtonProps {
  isOpen: boolean;
  /** Id of the element that names the release. */
  describedBy: string;
  onToggle: () => void;
  className?: string;
}

export function PlayButton({ isOpen, describedBy, onToggle, className = "" }: PlayButtonProps) {
  return (
    <Button
      variant={isOpen ? "live" : "main"}
      aria-describedby={describedBy}
      onClick={onToggle}
      className={`noscript:hidden ${className} ${isOpen ? "" : "hover:border-signal hover:bg-signal hover:text-ground"}`}
    >
      {isOpen ? "PAUSE" : "PLAY"}
    </Button>
  );
}

export function PlayerFrame({ url, title }: { url: string; title: string }) {
  return (
    // The line is drawn around the frame: the player inside has the whole height.
    <div className="border border-hairline">
      <iframe
        src={url}
        title={`Player: ${title}`}
        height={PLAYER_HEIGHT}
        // A page that the player opens ("open in Spotify") is a page as any other.
        sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-presentation"
        allow="autoplay; encrypted-media; fullscreen"
        referrerPolicy="strict-origin-when-cross-origin"
        className="block w-full"
      />
    </div>
  );
}
