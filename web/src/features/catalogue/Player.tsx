// The streaming player of a release. Its frame is not loaded before PLAY.
import { useEffect } from "react";
import { PLAYED_AFTER_MS, PLAYER_HEIGHT } from "../../rules/generated/constants.ts";
import { seen } from "../../session/seen.ts";
import { Button } from "../../ui/Button.tsx";
import type { Release } from "./queries.ts";

interface PlayButtonProps {
  isOpen: boolean;
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

export function PlayerFrame({ release: { id, title }, url }: { release: Release; url: string }) {
  useEffect(() => {
    const timer = setTimeout(() => seen({ event: "play", release: id }, id), PLAYED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [id]);
  return (
    // The border is outside the frame, so that the player has its whole height.
    <div className="border border-hairline">
      <iframe
        src={url}
        title={`Player: ${title}`}
        height={PLAYER_HEIGHT}
        // Pages opened from the player must not be sandboxed.
        sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-presentation"
        allow="autoplay; encrypted-media; fullscreen"
        referrerPolicy="strict-origin-when-cross-origin"
        className="block w-full"
      />
    </div>
  );
}
