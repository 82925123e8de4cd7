// The way to the dashboard, over every public page, for those who have one.
import { Link } from "@tanstack/react-router";
import { useAuth } from "../../session/useAuth.ts";
import { Arrow } from "../../ui/Arrow.tsx";

export function AdminPanelButton() {
  const { isAdmin } = useAuth();
  return isAdmin ? (
    <Link
      to="/admin"
      // At the console it stands over what was said, not over where one types and sends.
      className="button button-main fixed right-gutter bottom-4 z-floating mb-(--below) min-h-12 gap-3 [body:has([data-console])_&]:bottom-34 lg:[body:has([data-console])_&]:bottom-28"
    >
      Admin Panel
      <Arrow />
    </Link>
  ) : null;
}
