// What shows when a page itself failed: its code could not be fetched, or it threw.
import { type ErrorComponentProps, Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { LostPage } from "../ui/LostPage.tsx";

export function RouteError({ error }: ErrorComponentProps) {
  useEffect(() => console.error("A page failed", error), [error]);
  return (
    <LostPage name="ERROR" words="An unexpected error occurred. Please try again.">
      <div className="type-label flex gap-3">
        <button
          type="button"
          className="key border-ink uppercase"
          onClick={() => location.reload()}
        >
          Try again
        </button>
        <Link to="/" className="key uppercase">
          Return to Home
        </Link>
      </div>
    </LostPage>
  );
}
