// A link that leaves the site, in a new tab that learns nothing of this one.
import type { ReactNode } from "react";

interface OutLinkProps {
  href: string;
  className?: string;
  /** The name read out, where the content is a picture. */
  label?: string;
  children: ReactNode;
}

export function OutLink({ href, className, label, children }: OutLinkProps) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className={className}
      aria-label={label}
    >
      {children}
    </a>
  );
}
