import { useNavigate, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";

/** Goes to a page after a while, unless it is left earlier. An open dialog stays. */
export function useRedirectAfter(to: "/" | "/auth/welcome", waitMs: number): void {
  const navigate = useNavigate();
  const router = useRouter();
  useEffect(() => {
    const here = router.latestLocation.pathname;
    const timer = setTimeout(() => {
      // A page stays until the code of the next one is here.
      if (router.latestLocation.pathname !== here) return;
      void navigate({ to, search: (open) => open });
    }, waitMs);
    return () => clearTimeout(timer);
  }, [to, waitMs, navigate, router]);
}
