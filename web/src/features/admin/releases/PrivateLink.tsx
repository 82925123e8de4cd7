// The private link of a release that is not out.
import { useQueryClient } from "@tanstack/react-query";
import { apiError, call } from "../../../api/client.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { Button } from "../../../ui/Button.tsx";
import { OutLink } from "../../../ui/OutLink.tsx";
import { toastError } from "../../../ui/toasts/toast.ts";
import { CopyUrl } from "../library/CopyUrl.tsx";
import { readRowsAgain } from "../lists/useRows.ts";
import { type Release, releaseConfig } from "./releaseConfig.ts";

const PATH = "/api/admin/releases/{id}/private-link";

/** `release` is the newest read: someone else may have renewed its link. */
export function PrivateLink({ release }: { release: Release }) {
  const client = useQueryClient();
  const link = release.private_link;
  const path = { id: release.id };
  const change = useSingleMutation({
    mutationFn: async (isRemoved: boolean) => {
      if (!isRemoved) return (await call("POST", PATH, { path })).private_link;
      await call("DELETE", PATH, { path }).catch((error: unknown) => {
        // Already removed by someone else.
        if (apiError(error).status !== 404) throw error;
      });
      return null;
    },
    onSuccess: (made) => {
      client.setQueryData<Release>(
        [`${releaseConfig.path}/${release.id}`],
        (read) => read && { ...read, private_link: made },
      );
      readRowsAgain(client, releaseConfig.path);
    },
    onError: () => toastError("release_update_failed"),
  });
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="type-label mb-2 uppercase">Private Link</legend>
      <p role="status" className="text-dim">
        {link
          ? "Whoever has this link sees the release before it is out."
          : "Nobody but admins sees this release before it is out."}
      </p>
      {link && (
        <input
          readOnly
          aria-label="Private link"
          className="field w-full"
          value={new URL(link, globalThis.location.origin).href}
          onFocus={({ target }) => target.select()}
        />
      )}
      <div className="type-label flex flex-wrap gap-3">
        {link && <CopyUrl path={link} of="the private link" />}
        <Button isBusy={change.isPending} onClick={() => change.mutate(false)}>
          {link ? "Renew Link" : "Make Link"}
        </Button>
        {link && (
          <Button isBusy={change.isPending} onClick={() => change.mutate(true)}>
            Remove Link
          </Button>
        )}
        <PreviewButton id={release.id} />
      </div>
    </fieldset>
  );
}

interface PreviewButtonProps {
  id: string;
  /** The accessible name; needed where there are several. */
  label?: string;
}

export function PreviewButton({ id, label }: PreviewButtonProps) {
  return (
    <OutLink href={`/p/${id}`} {...(label && { label })} className="button">
      Preview
    </OutLink>
  );
}
