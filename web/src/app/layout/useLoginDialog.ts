// The login dialog is part of the address, so that a link can open it and Back closes it.
import { useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";

/** Opens or closes the dialog over whatever page is on show. */
export function useLoginDialog(): { open: () => void; close: () => void } {
  const navigate = useNavigate();
  const open = useCallback(
    () => void navigate({ to: ".", search: { dialog: "login" } }),
    [navigate],
  );
  const close = useCallback(() => void navigate({ to: ".", search: {} }), [navigate]);
  return { open, close };
}
