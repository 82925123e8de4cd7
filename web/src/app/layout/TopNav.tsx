import { Link, useRouterState } from "@tanstack/react-router";
import { useEffect, useId, useRef, useState } from "react";
import { useAuth } from "../../session/useAuth.ts";
import { Button } from "../../ui/Button.tsx";
import { focusableHeading } from "../../ui/takeFocus.ts";
import { useAskBefore } from "../../ui/unsaved/UnsavedFrame.tsx";
import { Wordmark } from "../../ui/Wordmark.tsx";
import { MobileMenu } from "./MobileMenu.tsx";
import { NavLink } from "./NavLink.tsx";
import { NAV_ITEMS } from "./navItems.ts";
import { DIALOGS, useOpenDialog } from "./useDialog.ts";

export function TopNav() {
  const href = useRouterState({ select: ({ location }) => location.href });
  // The address at which the menu was opened: going back or on closes it.
  const [openedAt, setOpenedAt] = useState<string>();
  const isMenuOpen = openedAt === href;
  if (openedAt !== undefined && !isMenuOpen) setOpenedAt(undefined);
  const { user, isExpected } = useAuth();
  const openLogin = useLogin();
  return (
    <header className="grid-sheet h-14 items-center border-hairline border-b max-lg:flex max-lg:justify-between">
      <Link to="/" className="line-clamp-2 min-w-0 type-wordmark lg:col-span-3">
        <Wordmark />
      </Link>
      <nav aria-label="Main" className="type-label col-span-6 hidden gap-x-7 lg:flex">
        {NAV_ITEMS.map((item) => (
          <NavLink key={item.to} item={item} className="min-h-9" />
        ))}
      </nav>
      <div className="type-label flex flex-none items-center justify-end gap-2 sm:gap-4 lg:col-span-3">
        {user && <AccountMenu email={user.email} />}
        {/* Hidden, not removed, while the session is checked: LOGIN may have been pressed on the painted page. */}
        {!user && (
          <div hidden={isExpected} className="contents">
            <WaysIn onLogin={openLogin} />
          </div>
        )}
        <Button
          aria-haspopup="dialog"
          aria-expanded={isMenuOpen}
          className="whitespace-nowrap noscript:hidden lg:hidden"
          onClick={() => setOpenedAt(href)}
        >
          MENU
        </Button>
        <noscript>
          <a href="#quick-links" className="button lg:hidden">
            MENU
          </a>
        </noscript>
      </div>
      {isMenuOpen && <MobileMenu onClose={() => setOpenedAt(undefined)} onLogin={openLogin} />}
    </header>
  );
}

/** Opens the login; while the session is being checked, waits, and opens it for visitors only. */
function useLogin(): () => void {
  const { user, isExpected } = useAuth();
  const open = useOpenDialog("login");
  const [isWanted, setWanted] = useState(false);
  useEffect(() => {
    if (!isWanted || isExpected) return;
    setWanted(false);
    if (!user) open();
  }, [isWanted, isExpected, user, open]);
  return () => setWanted(true);
}

function WaysIn({ onLogin }: { onLogin: () => void }) {
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onPointerEnter={DIALOGS.login.prepare}
        onFocus={DIALOGS.login.prepare}
        className="hidden min-h-9 px-2 hover:underline min-[30rem]:block noscript:hidden"
        onClick={onLogin}
      >
        LOGIN
      </button>
      <Link to="/signup" className="button button-outline hidden min-[30rem]:inline-flex">
        SIGNUP
      </Link>
    </>
  );
}

function AccountMenu({ email }: { email: string }) {
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
