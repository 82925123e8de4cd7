interface LoadingStatusProps {
  children: string;
  isLoading: boolean;
}

/** It stays, empty, when the content has come. */
export function LoadingStatus({ children, isLoading }: LoadingStatusProps) {
  return (
    <p role="status" aria-busy={isLoading} className="sr-only">
      {isLoading && children}
    </p>
  );
}
