import { Link } from "@tanstack/react-router";
import { Arrow } from "../../ui/Arrow.tsx";

interface BackToProps {
  to: "/releases" | "/artists";
  search?: { q?: string };
  className?: string;
  children: string;
}

export function BackTo({ to, search = {}, className = "", children }: BackToProps) {
  return (
    <Link
      to={to}
      search={search}
      activeOptions={{ exact: true }}
      className={`type-label inline-flex min-h-7 items-center gap-3 hover:underline ${className}`}
    >
      <Arrow back />
      {children}
    </Link>
  );
}
