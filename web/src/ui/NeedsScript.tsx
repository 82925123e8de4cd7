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
