// The page shown when a page's code could not be fetched, or threw.
import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { ServerUnreachable } from "../code/fetchCode.ts";
import { useServerBack } from "../code/useServerBack.ts";
import { UNEXPECTED_ERROR } from "../rules/generated/constants.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorPage } from "../ui/ErrorPage.tsx";

const UNREACHABLE =
  "This page could not be fetched: nothing answers. It comes by itself once the connection is back.";

export function RouteError({ error }: ErrorComponentProps) {
  const router = useRouter();
  useEffect(() => console.error("A page failed", error), [error]);

  // If only the server was missing, the page is fetched in this document, so that nothing typed elsewhere is lost.
  const fetchAnew = () => void router.invalidate();
  const isAway = error instanceof ServerUnreachable;
  useServerBack(isAway, fetchAnew);

  function tryAgain(): void {
    if (isAway) fetchAnew();
    else location.reload();
  }

  return (
    <ErrorPage name="ERROR" message={isAway ? UNREACHABLE : UNEXPECTED_ERROR}>
      <div className="type-label flex gap-3">
        <Button variant="outline" onClick={tryAgain}>
          Try again
        </Button>
        <Link to="/" className="button">
          Return to Home
        </Link>
      </div>
    </ErrorPage>
  );
}
