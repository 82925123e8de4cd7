// The page for an address that leads nowhere, and for a thing that does not exist.
import { Link, type LinkProps } from "@tanstack/react-router";
import { PAGE_NOT_FOUND } from "../rules/generated/constants.ts";
import { Arrow } from "./Arrow.tsx";
import { ErrorPage } from "./ErrorPage.tsx";
import { useDocumentTitle } from "./useDocumentTitle.ts";

interface MissingPageProps {
  message?: string;
  to?: NonNullable<LinkProps["to"]>;
  back?: string;
}

export function MissingPage({ message = PAGE_NOT_FOUND, to = "/", back }: MissingPageProps) {
  useDocumentTitle("Page not found");
  return (
    <ErrorPage name="404" message={message}>
      <BackLink to={to}>{back ?? "Return to Home"}</BackLink>
    </ErrorPage>
  );
}

export function BackLink({ to, children }: { to: NonNullable<LinkProps["to"]>; children: string }) {
  return (
    <Link to={to} activeOptions={{ exact: true }} className="button button-outline gap-3">
      <Arrow back />
      {children}
    </Link>
  );
}
