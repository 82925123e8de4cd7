// An arrow; the typeface has none.

export function Arrow({ back = false }: { back?: boolean }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 10 10"
      className={`inline-block size-[0.75em] flex-none ${back ? "rotate-180" : ""}`}
      fill="none"
      stroke="currentColor"
    >
      <path d="M0 5h9M5.5 1.5 9 5 5.5 8.5" />
    </svg>
  );
}
