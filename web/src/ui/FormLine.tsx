// A form's own messages, above its buttons. Empty lines give back the gap of the form.

interface FormProblemProps {
  /** True if a toast announces it. */
  isToasted?: boolean;
  children: string | undefined;
}

/** An error, announced at once: the live region exists before its text. */
export function FormProblem({ children, isToasted = false }: FormProblemProps) {
  return (
    <div role={isToasted ? undefined : "alert"} className="empty:-mt-5">
      {children && (
        <p className="flex items-baseline gap-3 text-signal">
          <span aria-hidden="true" className="block-cursor" />
          {children}
        </p>
      )}
    </div>
  );
}

export function FormStatus({ children }: { children: string | undefined }) {
  return (
    <div role="status" className="empty:-mt-5">
      {children && <p>{children}</p>}
    </div>
  );
}
