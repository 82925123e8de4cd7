// Opens the page of a release that is not out, as admins see it with or without a private link.
import { OutLink } from "../../../ui/OutLink.tsx";

interface PreviewKeyProps {
  /** The release's id. */
  id: string;
  /** What the key is read out as, where there are several. */
  label?: string;
}

export function PreviewKey({ id, label }: PreviewKeyProps) {
  return (
    <OutLink href={`/p/${id}`} {...(label && { label })} className="button">
      Preview
    </OutLink>
  );
}
