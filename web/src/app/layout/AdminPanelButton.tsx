// The way to the dashboard, over every public page, for those who have one.
import { Link } from "@tanstack/react-router";
import { useAuth } from "../../session/useAuth.ts";
import { Arrow } from "../../ui/Arrow.tsx";

export function AdminPanelButton() {
  const { isAdmin } = useAuth();
  return isAdmin ? (
    <Link
      to="/admin"
      className="key key-main type-label fixed right-gutter bottom-4 z-20 min-h-12 gap-3 uppercase"
    >
      Admin Panel
      <Arrow />
    </Link>
  ) : null;
}
