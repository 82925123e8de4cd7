// A link with the role of a button, as the specification names it: it opens like a link, also in a new tab, and is
// pressed like a button.
import { Link, type LinkProps } from "@tanstack/react-router";
import type { KeyboardEvent, ReactNode } from "react";

interface LinkButtonProps {
  to: NonNullable<LinkProps["to"]>;
  search?: LinkProps["search"];
  className?: string;
  children: ReactNode;
}

export function LinkButton({ to, search, className = "", children }: LinkButtonProps) {
  return (
    <Link
      to={to}
      {...(search && { search })}
      role="button"
      className={`button ${className}`}
      onKeyDown={pressBySpace}
    >
      {children}
    </Link>
  );
}

function pressBySpace(event: KeyboardEvent<HTMLAnchorElement>): void {
  if (event.key !== " ") return;
  event.preventDefault();
  event.currentTarget.click();
}
