// What is said in the place of a control to those whose browser runs no scripts.

/** `children` says what the control beside it needs. */
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
