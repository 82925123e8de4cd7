// The place of the admin dashboard.
import { Link } from "@tanstack/react-router";

export function AdminPage() {
  return (
    <div className="flex flex-1 flex-col justify-end gap-5 p-gutter">
      <h1 className="type-display">Admin Dashboard</h1>
      <p className="text-dim">The dashboard opens soon.</p>
      <Link to="/" className="key type-label self-start uppercase">
        Live Site
      </Link>
    </div>
  );
}
