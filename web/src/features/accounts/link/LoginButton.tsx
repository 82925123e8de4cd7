import { Link } from "@tanstack/react-router";

export function LoginButton() {
  return (
    <Link to="/" search={{ dialog: "login" }} className="button button-main">
      LOGIN
    </Link>
  );
}
