// Takes the active addresses along as a text file, once at a time.
import { useMutation } from "@tanstack/react-query";
import { download } from "../../../api/download.ts";
import { saveFile } from "../../../ui/saveFile.ts";
import { sayDone, sayFailed } from "../say.ts";

export function useExport() {
  const { mutate, isPending } = useMutation({
    mutationFn: () => download("/api/admin/newsletter/export"),
    onSuccess: ({ file, name }) => {
      saveFile(file, name);
      sayDone("newsletter_exported");
    },
    onError: () => sayFailed("newsletter_load_failed"),
  });
  return { isExporting: isPending, exportEmails: () => !isPending && mutate() };
}
