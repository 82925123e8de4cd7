// The terminal's page can only be closed.
import { MaintenanceSwitch } from "../maintenance/MaintenanceSwitch.tsx";

export function Tab() {
  return (
    <>
      <header className="px-gutter pt-7 pb-5">
        <h2 className="type-heading">Terminal</h2>
        <p className="mt-3 max-w-[60ch] text-dim">
          Maintenance mode disables public access to the terminal. Admins can still reach the page.
        </p>
      </header>
      <div className="border-hairline border-t">
        <MaintenanceSwitch pageKey="terminal" />
      </div>
    </>
  );
}
