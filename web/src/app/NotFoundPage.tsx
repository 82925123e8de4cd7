// Any address that leads nowhere.
import { Link } from "@tanstack/react-router";
import { PAGE_NOT_FOUND } from "../rules/generated/constants.ts";
import { Arrow } from "../ui/Arrow.tsx";
import { LostPage } from "../ui/LostPage.tsx";
import { useDocumentTitle } from "../ui/useDocumentTitle.ts";

export function NotFoundPage() {
  useDocumentTitle("Page not found");
  return (
    <LostPage name="404" words={PAGE_NOT_FOUND}>
      <Link to="/" className="button button-outline gap-3">
        <Arrow back />
        Return to Home
      </Link>
    </LostPage>
  );
}
