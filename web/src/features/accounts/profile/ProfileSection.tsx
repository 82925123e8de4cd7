// One section of the profile: its name at the left, its content at the right.
import { type ReactNode, useId } from "react";

interface ProfileSectionProps {
  /** True if its heading takes the focus of buttons that disappear. */
  isFocusHome?: boolean;
  name: string;
  /** A sentence below the name. */
  about?: ReactNode;
  children: ReactNode;
}

export function ProfileSection({ isFocusHome, name, about, children }: ProfileSectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid-sheet gap-y-6 border-hairline border-b py-8 lg:py-10"
    >
      <div className="col-span-12 flex flex-col gap-3 lg:col-span-3">
        <h2
          id={id}
          tabIndex={isFocusHome ? -1 : undefined}
          data-focus-home={isFocusHome}
          className="type-label outline-none"
        >
          {name}
        </h2>
        {about && <p className="max-w-[44ch] text-dim">{about}</p>}
      </div>
      <div className="col-span-12 flex flex-col gap-6 lg:col-span-9">{children}</div>
    </section>
  );
}
