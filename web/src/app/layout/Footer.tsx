import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { labelQuery } from "../../api/siteContent.ts";
import { useLabelName } from "../../ui/labelName.ts";
import { NAV_ITEMS } from "./navItems.ts";
import { DeadWax } from "./RunOut.tsx";

export function Footer() {
  const label = useLabelName();
  const hasImprint = useQuery(labelQuery).data?.has_imprint;
  return (
    <footer className="mt-auto border-hairline border-t">
      <div className="grid-sheet type-label gap-y-9 py-9">
        <nav aria-labelledby="quick-links" className="col-span-6 lg:col-span-3">
          <h2 id="quick-links">QUICK LINKS</h2>
          <ul className="mt-2 text-dim">
            {NAV_ITEMS.map(({ to, name }) => (
              <li key={to}>
                <Link
                  to={to}
                  activeOptions={{ exact: true, includeSearch: false }}
                  className="inline-block min-h-7 py-1 hover:text-ink hover:underline"
                >
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <nav aria-labelledby="terms" className="col-span-6 lg:col-span-6">
          <h2 id="terms">TERMS</h2>
          <ul className="mt-2 text-dim uppercase">
            <li>
              <Link
                to="/privacy-policy"
                className="inline-block min-h-7 py-1 hover:text-ink hover:underline"
              >
                Privacy Policy
              </Link>
            </li>
            {hasImprint && (
              <li>
                <Link
                  to="/imprint"
                  className="inline-block min-h-7 py-1 hover:text-ink hover:underline"
                >
                  Imprint
                </Link>
              </li>
            )}
            <li>
              <Link
                to="/contact"
                className="inline-block min-h-7 py-1 hover:text-ink hover:underline"
              >
                Contact Us
              </Link>
            </li>
          </ul>
        </nav>
        <p className="col-span-12 text-dim lg:col-span-3 lg:text-right">© 2024 {label}</p>
      </div>
      <DeadWax />
    </footer>
  );
}
