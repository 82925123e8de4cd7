// An entry of a menu, with the block that marks where you are.
import { Link } from "@tanstack/react-router";
import type { NAV_ITEMS } from "./navItems.ts";

interface NavLinkProps {
  item: (typeof NAV_ITEMS)[number];
  className?: string;
  onFollow?: () => void;
}

export function NavLink({ item, className = "", onFollow }: NavLinkProps) {
  return (
    <Link
      to={item.to}
      activeOptions={{ exact: item.to === "/", includeSearch: false }}
      className={`group inline-flex items-center gap-2.5 hover:text-ink ${className}`}
      onClick={onFollow}
    >
      <span
        aria-hidden="true"
        className="block-cursor hidden text-signal group-aria-[current=page]:inline-block"
      />
      {item.name}
    </Link>
  );
}
