import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { labelQuery } from "../../api/siteContent.ts";
import { OutLink } from "../../ui/OutLink.tsx";
import { NAV_ITEMS } from "./navItems.ts";
import { DeadWax } from "./RunOut.tsx";

const ENTRY = "inline-block min-h-7 py-1 hover:text-ink hover:underline";

export function Footer() {
  const { data: label } = useQuery(labelQuery);
  const links = label?.links ?? [];
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
                  className={ENTRY}
                >
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <nav
          aria-labelledby="terms"
          className={`col-span-6 ${links.length > 0 ? "lg:col-span-3" : ""}`}
        >
          <h2 id="terms">TERMS</h2>
          <ul className="mt-2 text-dim uppercase">
            <li>
              <Link to="/privacy-policy" className={ENTRY}>
                Privacy Policy
              </Link>
            </li>
            {label?.has_imprint && (
              <li>
                <Link to="/imprint" className={ENTRY}>
                  Imprint
                </Link>
              </li>
            )}
            <li>
              <Link to="/contact" className={ENTRY}>
                Contact Us
              </Link>
            </li>
          </ul>
        </nav>
        {links.length > 0 && (
          <nav aria-labelledby="elsewhere" className="col-span-12 min-w-0 lg:col-span-3">
            <h2 id="elsewhere">ELSEWHERE</h2>
            <ul className="mt-2 text-dim">
              {links.map(({ name, url }) => (
                <li key={url}>
                  <OutLink href={url} className={`${ENTRY} max-w-full wrap-anywhere`}>
                    {name}
                  </OutLink>
                </li>
              ))}
            </ul>
          </nav>
        )}
        {label && (
          <p className="col-span-12 text-dim wrap-anywhere lg:col-span-3 lg:text-right">
            {label.copyright}
          </p>
        )}
      </div>
      <DeadWax />
    </footer>
  );
}
