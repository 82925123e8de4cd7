import { Link } from "@tanstack/react-router";
import { useEffect, useId, useRef, useState } from "react";
import { useAuth } from "../../session/useAuth.ts";
import { Button } from "../../ui/Button.tsx";
import { focusableHeading } from "../../ui/takeFocus.ts";
import { useAskBefore } from "../../ui/unsaved/UnsavedFrame.tsx";

export function AccountMenu({ email }: { email: string }) {
  const [isOpen, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const entries = useId();
  const { signOut } = useAuth();
  const askBefore = useAskBefore();

  useEffect(() => {
    if (!isOpen) return;
    const leave = ({ target }: Event) => {
      if (!frame.current?.contains(target as Node)) setOpen(false);
    };
    const onEscape = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      setOpen(false);
      opener.current?.focus();
    };
    document.addEventListener("pointerdown", leave);
    document.addEventListener("focusin", leave);
    document.addEventListener("keydown", onEscape);
    return () => {
      document.removeEventListener("pointerdown", leave);
      document.removeEventListener("focusin", leave);
      document.removeEventListener("keydown", onEscape);
    };
  }, [isOpen]);

  return (
    <div ref={frame} className="relative hidden min-[30rem]:block">
      <Button
        ref={opener}
        aria-label="Account menu"
        aria-expanded={isOpen}
        aria-controls={entries}
        variant="outline"
        className="size-9 justify-center px-0 font-[700] aria-expanded:bg-ink aria-expanded:text-ground pointer-coarse:size-11"
        onClick={() => setOpen(!isOpen)}
      >
        {email.charAt(0).toUpperCase()}
      </Button>
      <ul
        id={entries}
        hidden={!isOpen}
        className="absolute top-full right-0 z-menu mt-2 w-48 border border-ink bg-ground"
      >
        <li className="border-hairline border-b">
          <Link
            to="/profile"
            className="flex min-h-11 items-center px-4 hover:bg-ink hover:text-ground"
            onClick={() => setOpen(false)}
          >
            PROFILE
          </Link>
        </li>
        <li>
          <button
            type="button"
            className="flex min-h-11 w-full items-center px-4 hover:bg-ink hover:text-ground"
            onClick={() => {
              setOpen(false);
              askBefore(() => {
                // The menu goes with the session.
                focusableHeading(document)?.focus({ preventScroll: true });
                void signOut();
              });
            }}
          >
            LOGOUT
          </button>
        </li>
      </ul>
    </div>
  );
}
