// A page that moves on by itself. Leaving it earlier cancels that.
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";

/** Goes to a page after a while; with an undefined wait it stays. */
export function useRedirectAfter(to: "/" | "/auth/welcome", waitMs: number | undefined): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (waitMs === undefined) return;
    const timer = setTimeout(() => void navigate({ to }), waitMs);
    return () => clearTimeout(timer);
  }, [to, waitMs, navigate]);
}
