import { Tabs } from "@base-ui/react/tabs";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { readState } from "../../api/readState.ts";
import { maintenanceQuery } from "../../api/siteContent.ts";
import { LazyPart } from "../../code/LazyPart.tsx";
import { SkeletonBlock } from "../../ui/Skeleton.tsx";
import { useDocumentTitle } from "../../ui/useDocumentTitle.ts";
import { AdminFrame } from "./AdminFrame.tsx";
import { KeptStates } from "./editing/useKeptState.tsx";
import { FirstSteps } from "./firstSteps/FirstSteps.tsx";
import { firstStepsQuery } from "./firstSteps/firstStepsQuery.ts";
import { Failed } from "./lists/RowList.tsx";
import { listsSearchOf, pageKeyOf, TAB_IDS, type TabId } from "./tabIds.ts";
import { TABS } from "./tabs.ts";

export function AdminTabs() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const tab = useSearch({ from: "/admin", select: ({ tab = TAB_IDS[0] }) => tab });
  const { name } = TABS[tab];
  const { data } = useQuery(maintenanceQuery);
  const closed = data?.items.filter((page) => page.is_maintenance_mode) ?? [];
  useDocumentTitle(`${name}, Admin`);
  const prepare = (id: TabId) => void TABS[id].prepare(client);
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(next: TabId) =>
        void navigate({
          to: "/admin",
          // The list parameters belong to the tab that is left.
          search: (others) => ({ ...others, ...listsSearchOf({}), tab: next }),
          resetScroll: false,
        })
      }
      className="flex flex-1 flex-col"
    >
      <Tabs.List
        aria-label="Dashboard"
        className="type-label grid-cells grid-cols-[repeat(auto-fit,minmax(7rem,1fr))] border-hairline border-b sm:grid-cols-[repeat(auto-fit,minmax(7.5rem,1fr))]"
      >
        {TAB_IDS.map((id) => (
          <Tabs.Tab
            key={id}
            value={id}
            onPointerEnter={() => prepare(id)}
            onFocus={() => prepare(id)}
            className="group flex min-h-9 items-center gap-1.5 sm:min-h-11 whitespace-nowrap px-2.5 text-dim uppercase -outline-offset-2 hover:text-ink aria-selected:text-ink sm:gap-2 lg:px-gutter"
          >
            <span
              aria-hidden="true"
              className="block-cursor hidden text-signal group-aria-selected:inline-block"
            />
            {TABS[id].name}
            {closed.some((page) => page.page_key === pageKeyOf(id)) && (
              <span className="text-signal" title="In maintenance">
                <span aria-hidden="true">!</span>
                <span className="sr-only">, in maintenance</span>
              </span>
            )}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {/* The target of the skip link. The panel's own id belongs to the library, whose tab refers to it. */}
      <div id="content" tabIndex={-1} className="flex flex-1 scroll-mt-32 flex-col lg:scroll-mt-12">
        <Tabs.Panel key={tab} value={tab} className="flex flex-1 flex-col -outline-offset-2">
          <KeptStates>
            <LazyPart
              code={TABS[tab]}
              props={{}}
              waiting={<SkeletonBlock lines={5} />}
              failed={(tryAgain, isBroken) => (
                <Failed
                  code={isBroken ? "callback_unexpected" : "load_failed"}
                  onRetry={tryAgain}
                />
              )}
            />
          </KeptStates>
        </Tabs.Panel>
      </div>
    </Tabs.Root>
  );
}

function Dashboard() {
  // Steps that come later would move the tabs below them.
  if (readState(useQuery(firstStepsQuery)) === "loading") return <SkeletonBlock lines={5} />;
  return (
    <>
      <FirstSteps />
      <AdminTabs />
    </>
  );
}

export function AdminPage() {
  return (
    <AdminFrame>
      <h1 className="sr-only">Admin Dashboard</h1>
      <Dashboard />
    </AdminFrame>
  );
}
