// The way to the dashboard, over every public page, for those who have one.
import { Link } from "@tanstack/react-router";
import { useAuth } from "../../session/useAuth.ts";
import { Arrow } from "../../ui/Arrow.tsx";

export function AdminPanelButton() {
  const { isAdmin } = useAuth();
  return isAdmin ? (
    <Link
      to="/admin"
      className="button button-main fixed right-gutter bottom-4 z-floating min-h-12 gap-3"
    >
      Admin Panel
      <Arrow />
    </Link>
  ) : null;
}
