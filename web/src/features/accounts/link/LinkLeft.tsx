// Shown after a reload has forgotten a mailed link: the address bar never kept it.
import { LinkButton } from "../../../ui/LinkButton.tsx";
import { MessagePage } from "../../../ui/MessagePage.tsx";
import { messageText } from "../../../ui/messages.ts";

export function LinkLeft({ name }: { name: string }) {
  return (
    <MessagePage name={name} message={<p role="alert">{messageText("mailed_link_left")}</p>}>
      <LinkButton to="/">Return Home</LinkButton>
    </MessagePage>
  );
}
