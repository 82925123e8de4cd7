// A link to the start of a list, if the address leads into its middle.
import { Link } from "@tanstack/react-router";
import { Arrow } from "../../ui/Arrow.tsx";

interface FromTheBeginningProps {
  to: "/releases" | "/artists";
  q?: string | undefined;
  children: string;
}

export function FromTheBeginning({ to, q, children }: FromTheBeginningProps) {
  return (
    <p className="type-label border-hairline border-b px-gutter py-3">
      <Link
        to={to}
        activeOptions={{ exact: true }}
        search={q ? { q } : {}}
        className="inline-flex min-h-7 items-center gap-3 hover:underline"
      >
        <Arrow back />
        {children}
      </Link>
    </p>
  );
}
