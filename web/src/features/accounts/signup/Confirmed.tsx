// The link was opened, here or elsewhere.
import { Link } from "@tanstack/react-router";
import { useAuth } from "../../../session/useAuth.ts";
import { LoginButton } from "../link/LoginButton.tsx";

export function Confirmed() {
  const { user } = useAuth();
  return (
    <>
      <div
        role="status"
        className="type-lead col-span-12 flex flex-col gap-4 lg:col-span-6 lg:col-start-4"
      >
        <p>Email confirmed!</p>
        <p className="text-dim">{user ? "You are signed in." : "You can log in now."}</p>
      </div>
      <div className="type-label col-span-12 flex flex-wrap gap-3 lg:col-span-6 lg:col-start-4">
        {user ? (
          <Link to="/auth/welcome" className="button button-main">
            Go on
          </Link>
        ) : (
          <LoginButton />
        )}
        <Link to="/" className="button">
          Home
        </Link>
      </div>
    </>
  );
}
