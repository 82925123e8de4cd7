// The place of the admin's way in.
import { Link } from "@tanstack/react-router";

export function AdminLoginPage() {
  return (
    <div className="flex flex-1 flex-col justify-end gap-5 p-gutter">
      <h1 className="type-display">Admin Login</h1>
      <p className="type-lead">Access the CMS dashboard</p>
      <p className="text-dim">Access opens soon.</p>
      <Link to="/" className="key type-label self-start uppercase">
        Live Site
      </Link>
    </div>
  );
}
