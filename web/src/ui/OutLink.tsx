// An external link, in a new tab without a referrer.
import type { ReactNode } from "react";

interface OutLinkProps {
  href: string;
  className?: string;
  /** The accessible name if the content is a picture. */
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
