// The way to the dashboard, over every public page, for those who have one.
import { useAuth } from "../../session/useAuth.ts";
import { Arrow } from "../../ui/Arrow.tsx";
import { LinkButton } from "../../ui/LinkButton.tsx";

export function AdminPanelButton() {
  const { isAdmin } = useAuth();
  return isAdmin ? (
    <LinkButton
      to="/admin"
      // At the console it stands over what was said, not over where one types and sends.
      className="button-main fixed right-gutter bottom-4 z-floating mb-(--below) min-h-12 gap-3 [body:has([data-console])_&]:bottom-34 lg:[body:has([data-console])_&]:bottom-28"
    >
      Admin Panel
      <Arrow />
    </LinkButton>
  ) : null;
}
