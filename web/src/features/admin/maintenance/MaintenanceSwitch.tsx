import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type Answer, call } from "../../../api/client.ts";
import { putAnswer } from "../../../api/putAnswer.ts";
import { maintenanceQuery } from "../../../api/siteContent.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { toastChangeFailed } from "../../../session/wordsFor.ts";
import { Switch } from "../../../ui/Switch.tsx";
import { toastSuccess } from "../../../ui/toasts/toast.ts";

type PageKey = "home" | "artists" | "releases" | "store" | "terminal";

export function MaintenanceSwitch({ pageKey }: { pageKey: PageKey }) {
  const { data } = useQuery(maintenanceQuery);
  const client = useQueryClient();
  // The switch shows what was set, until the server refuses.
  const { mutate, isPending, variables } = useSingleMutation({
    mutationFn: (is_maintenance_mode: boolean) =>
      call("PATCH", "/api/admin/maintenance/{page_key}", {
        path: { page_key: pageKey },
        body: { is_maintenance_mode },
      }),
    onSuccess: async (changed) => {
      await putAnswer(client, maintenanceQuery, (old) => old && withSetting(old, changed));
      toastSuccess(changed.is_maintenance_mode ? "maintenance_enabled" : "maintenance_disabled");
    },
    onError: (error) => {
      toastChangeFailed(error, "maintenance_failed", pageKey);
      void client.invalidateQueries({ queryKey: maintenanceQuery.queryKey });
    },
  });
  const stored = data?.items.some((item) => item.page_key === pageKey && item.is_maintenance_mode);
  const isOn = isPending ? variables : (stored ?? false);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-hairline border-b px-gutter py-2.5">
      <Switch
        label={`Maintenance Mode: ${pageKey}`}
        checked={isOn}
        disabled={data === undefined}
        aria-busy={isPending}
        onChange={(event) => mutate(event.target.checked)}
      />
      {data && (
        <p className={isOn ? "text-signal" : "text-dim"}>
          {isOn ? "The public sees the maintenance screen." : "The page is live."}
        </p>
      )}
    </div>
  );
}

type Settings = Answer<"GET", "/api/maintenance">;
type Setting = Settings["items"][number];

function withSetting(old: Settings, changed: Setting): Settings {
  return {
    ...old,
    items: old.items.map((item) => (item.page_key === changed.page_key ? changed : item)),
  };
}
