// Takes the active addresses along as a text file, once at a time.
import { download } from "../../../api/download.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { saveFile } from "../../../ui/saveFile.ts";
import { toastError, toastSuccess } from "../../../ui/toasts/toast.ts";

export function useExport() {
  const { mutate, isPending } = useSingleMutation({
    mutationFn: () => download("/api/admin/newsletter/export"),
    onSuccess: ({ file, name }) => {
      saveFile(file, name);
      toastSuccess("newsletter_exported");
    },
    onError: () => toastError("newsletter_load_failed"),
  });
  return { isExporting: isPending, exportEmails: () => mutate() };
}
