// The way from a page of words to the login dialog.
import { LinkButton } from "../../../ui/LinkButton.tsx";

export function LoginButton() {
  return (
    <LinkButton to="/" search={{ dialog: "login" }} className="button-main">
      LOGIN
    </LinkButton>
  );
}
