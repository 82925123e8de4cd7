// The dashboard: its frame, and the tabs within.
import { AdminFrame } from "./AdminFrame.tsx";
import { AdminTabs } from "./AdminTabs.tsx";

export function AdminPage() {
  return (
    <AdminFrame>
      <h1 className="sr-only">Admin Dashboard</h1>
      <AdminTabs />
    </AdminFrame>
  );
}
