// In place of a personal page while the session cannot be checked.
import { Button } from "../ui/Button.tsx";
import { MessagePage } from "../ui/MessagePage.tsx";
import { useAuth } from "./useAuth.ts";

export function ServerUnreachablePage() {
  const { checkAgain } = useAuth();
  return (
    <MessagePage
      name="SERVER UNREACHABLE"
      message={
        <p role="status">
          The server does not answer. This page opens by itself once the connection is back.
        </p>
      }
    >
      <Button variant="outline" onClick={() => void checkAgain()}>
        RETRY
      </Button>
    </MessagePage>
  );
}
