// An entry of a menu, with the block that marks where you are.
import { Link, useRouterState } from "@tanstack/react-router";
import type { NAV_ITEMS } from "./navItems.ts";

interface NavLinkProps {
  item: (typeof NAV_ITEMS)[number];
  className?: string;
  onFollow?: () => void;
}

export function NavLink({ item, className = "", onFollow }: NavLinkProps) {
  const isBelow = useRouterState({
    select: ({ location }) => item.to !== "/" && location.pathname.startsWith(`${item.to}/`),
  });
  return (
    <Link
      to={item.to}
      activeOptions={{ exact: true, includeSearch: false }}
      aria-current={isBelow || undefined}
      className={`group inline-flex items-center gap-2.5 hover:text-ink ${className}`}
      onClick={onFollow}
    >
      <span
        aria-hidden="true"
        className="block-cursor hidden text-signal group-[[aria-current]]:inline-block"
      />
      {item.name}
    </Link>
  );
}
