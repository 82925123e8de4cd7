// What a form says about itself as a whole, where the eye is: above its keys. Silent lines give back the gap of the
// form they stand in.

/** An error; heard as soon as it is there. The region stands before it speaks, so that it is heard at all. */
export function FormProblem({ children }: { children: string | undefined }) {
  return (
    <div role="alert" className="empty:-mt-5">
      {children && (
        <p className="flex items-baseline gap-3 text-signal">
          <span aria-hidden="true" className="block-cursor" />
          {children}
        </p>
      )}
    </div>
  );
}

/** Good news, or how things stand. */
export function FormStatus({ children }: { children: string | undefined }) {
  return (
    <div role="status" className="empty:-mt-5">
      {children && <p>{children}</p>}
    </div>
  );
}
