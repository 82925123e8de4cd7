// Says to those who do not see it that a page waits for its content.

interface LoadingStatusProps {
  /** What is loading. */
  children: string;
  isLoading: boolean;
}

/** It stands there afterwards too, silent: that the content has come is told by the content. */
export function LoadingStatus({ children, isLoading }: LoadingStatusProps) {
  return (
    <p role="status" aria-busy={isLoading} className="sr-only">
      {isLoading && children}
    </p>
  );
}
