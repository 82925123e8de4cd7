import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";

/** Goes to a page after a while, unless it is left earlier; with an undefined wait it stays. */
export function useRedirectAfter(to: "/" | "/auth/welcome", waitMs: number | undefined): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (waitMs === undefined) return;
    const timer = setTimeout(() => void navigate({ to }), waitMs);
    return () => clearTimeout(timer);
  }, [to, waitMs, navigate]);
}
