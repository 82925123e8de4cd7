// A notice for browsers without scripts, in place of a control.

export function NeedsScript({
  children,
  className = "",
}: {
  children: string;
  className?: string;
}) {
  return (
    <noscript>
      <p className={className}>{children}</p>
    </noscript>
  );
}
