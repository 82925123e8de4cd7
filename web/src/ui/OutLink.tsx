// An external link, in a new tab without a referrer.
import type { ReactNode } from "react";

/** Opens links too. */
const MIDDLE = 1;

interface OutLinkProps {
  href: string;
  className?: string;
  /** The accessible name if the content is a picture. */
  label?: string;
  onPress?: () => void;
  children: ReactNode;
}

export function OutLink({ href, className, label, onPress, children }: OutLinkProps) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className={className}
      aria-label={label}
      onClick={onPress}
      onAuxClick={({ button }) => button === MIDDLE && onPress?.()}
    >
      {children}
    </a>
  );
}
