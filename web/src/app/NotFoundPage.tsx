// Any address that leads nowhere.
import { Link } from "@tanstack/react-router";
import { PAGE_NOT_FOUND } from "../rules/generated/constants.ts";
import { Arrow } from "../ui/Arrow.tsx";
import { ErrorPage } from "../ui/ErrorPage.tsx";
import { useDocumentTitle } from "../ui/useDocumentTitle.ts";

export function NotFoundPage() {
  useDocumentTitle("Page not found");
  return (
    <ErrorPage name="404" message={PAGE_NOT_FOUND}>
      <Link to="/" className="button button-outline gap-3">
        <Arrow back />
        Return to Home
      </Link>
    </ErrorPage>
  );
}
