import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";

/** Goes to a page after a while, unless it is left earlier. An open dialog stays. */
export function useRedirectAfter(to: "/" | "/auth/welcome", waitMs: number): void {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => void navigate({ to, search: (open) => open }), waitMs);
    return () => clearTimeout(timer);
  }, [to, waitMs, navigate]);
}
