// What somebody else has saved while this was edited, and the two ways on.
import type { MouseEvent, ReactNode } from "react";
import { Button } from "../../../ui/Button.tsx";

interface NewestVersionProps {
  /** Of what, where the page has several. */
  name?: string;
  since: "opened it" | "began";
  onSaveMine: (event: MouseEvent) => void;
  onTake: () => void;
  /** What the newest version says. */
  children: ReactNode;
}

export function NewestVersion({ name, since, onSaveMine, onTake, children }: NewestVersionProps) {
  return (
    <section
      aria-label={name ? `Newest version of ${name}` : "Newest version"}
      className="border border-signal p-4"
    >
      <p role="alert">
        Somebody else has saved this since you {since}. What you typed is still here and not saved.
      </p>
      {children}
      <div className="type-label mt-4 flex flex-wrap gap-3">
        <Button variant="outline" onClick={onSaveMine}>
          Save Mine Over It
        </Button>
        <Button onClick={onTake}>Take The Newest</Button>
      </div>
    </section>
  );
}
