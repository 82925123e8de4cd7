// The same entries as the top navigation, for narrow screens: a modal sheet that holds the focus
// until it is closed.
import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { useAuth } from "../../session/useAuth.ts";
import { Button } from "../../ui/Button.tsx";
import { useAskBefore } from "../../ui/unsaved/UnsavedFrame.tsx";
import { Wordmark } from "../../ui/Wordmark.tsx";
import { NavLink } from "./NavLink.tsx";
import { NAV_ITEMS } from "./navItems.ts";
import { DIALOGS } from "./useDialog.ts";

interface MobileMenuProps {
  onClose: () => void;
  onLogin: () => void;
}

export function MobileMenu({ onClose, onLogin }: MobileMenuProps) {
  const sheet = useRef<HTMLDialogElement>(null);
  const { user } = useAuth();

  useEffect(() => sheet.current?.showModal(), []);

  useEffect(() => {
    const wide = window.matchMedia("(width >= 64rem)");
    wide.addEventListener("change", onClose);
    return () => wide.removeEventListener("change", onClose);
  }, [onClose]);

  function holdFocus(event: KeyboardEvent): void {
    if (event.key === "Escape") {
      event.preventDefault();
      onClose();
    }
    if (event.key !== "Tab" || !sheet.current) return;
    const stops = [...sheet.current.querySelectorAll<HTMLElement>("a, button")];
    const edge = event.shiftKey ? stops.at(0) : stops.at(-1);
    if (document.activeElement !== edge) return;
    event.preventDefault();
    (event.shiftKey ? stops.at(-1) : stops.at(0))?.focus();
  }

  return (
    <dialog
      ref={sheet}
      aria-label="Menu"
      className="m-0 h-dvh max-h-none w-screen max-w-none flex-col bg-ground text-ink open:flex"
      onKeyDown={holdFocus}
      onCancel={onClose}
    >
      <div className="flex h-14 flex-none items-center justify-between border-hairline border-b px-gutter">
        <span className="line-clamp-2 min-w-0 type-wordmark">
          <Wordmark />
        </span>
        <Button className="whitespace-nowrap" onClick={onClose}>
          CLOSE
        </Button>
      </div>
      <nav aria-label="Menu" className="flex flex-col">
        {NAV_ITEMS.map((item) => (
          <NavLink
            key={item.to}
            item={item}
            onFollow={onClose}
            className="type-heading border-hairline border-b px-gutter py-4 text-[2.25rem]"
          />
        ))}
      </nav>
      <div className="type-label mt-auto grid grid-cols-2 gap-gutter p-gutter">
        {user ? <OwnEntries onClose={onClose} /> : <WaysIn onClose={onClose} onLogin={onLogin} />}
      </div>
    </dialog>
  );
}

function WaysIn({ onClose, onLogin }: MobileMenuProps) {
  return (
    <>
      <Button
        aria-haspopup="dialog"
        onPointerEnter={DIALOGS.login.prepare}
        onFocus={DIALOGS.login.prepare}
        size="large"
        onClick={() => {
          onClose();
          onLogin();
        }}
      >
        LOGIN
      </Button>
      <Link to="/signup" className="button button-outline button-large" onClick={onClose}>
        SIGNUP
      </Link>
    </>
  );
}

function OwnEntries({ onClose }: { onClose: () => void }) {
  const { signOut } = useAuth();
  const askBefore = useAskBefore();
  return (
    <>
      <Link to="/profile" className="button button-outline button-large" onClick={onClose}>
        PROFILE
      </Link>
      <Button
        size="large"
        onClick={() => {
          onClose();
          askBefore(() => void signOut());
        }}
      >
        LOGOUT
      </Button>
    </>
  );
}
