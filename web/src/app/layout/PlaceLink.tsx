// An entry of a menu, with the block that marks where you are.
import { Link } from "@tanstack/react-router";
import type { PLACES } from "./places.ts";

interface PlaceLinkProps {
  place: (typeof PLACES)[number];
  className?: string;
  onFollow?: () => void;
}

export function PlaceLink({ place, className = "", onFollow }: PlaceLinkProps) {
  return (
    <Link
      to={place.to}
      activeOptions={{ exact: place.to === "/", includeSearch: false }}
      className={`group inline-flex items-center gap-2.5 hover:text-ink ${className}`}
      onClick={onFollow}
    >
      <span
        aria-hidden="true"
        className="block-cursor hidden text-signal group-aria-[current=page]:inline-block"
      />
      {place.name}
    </Link>
  );
}
