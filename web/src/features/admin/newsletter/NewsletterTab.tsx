import { type MouseEvent, useCallback, useState } from "react";
import { type Answer, call } from "../../../api/client.ts";
import { Button } from "../../../ui/Button.tsx";
import { day } from "../../../ui/dates.ts";
import { toastSuccess } from "../../../ui/toasts/toast.ts";
import { useExport } from "../exports/useExport.ts";
import { type Choice, ChooseBox } from "../lists/choice.tsx";
import { Chosen, ListTools, TabHead, useList } from "../lists/ListHead.tsx";
import { RowTable } from "../lists/RowTable.tsx";
import { emptyText, type OptionsOf, rowsOf, rowsQuery, type SortedRows } from "../lists/useRows.ts";
import { Consent, consentQuery } from "./Consent.tsx";
import { SubscriberImportDialog } from "./imports/SubscriberImportDialog.tsx";
import { Letters, lettersQuery } from "./letters/Letters.tsx";

type Subscribers = Answer<"GET", "/api/admin/newsletter">;
export type Subscriber = Subscribers["items"][number];

const COLUMNS = [
  { name: "Email", className: "w-full text-left md:w-2/5", by: "email" },
  { name: "Status", className: "hidden text-left sm:table-cell md:w-[15%]" },
  { name: "Consent", className: "hidden text-left sm:table-cell md:w-[15%]" },
  {
    name: "Subscribed Date",
    className: "hidden text-right sm:table-cell md:w-1/5",
    by: "subscribed",
  },
  { name: "Actions", className: "text-right md:w-[10%]" },
];

const CALLS: SortedRows<Subscriber, Subscribers> = {
  path: "/api/admin/newsletter",
  list: rowsOf("/api/admin/newsletter"),
  remove: (id) => call("DELETE", "/api/admin/newsletter/{id}", { path: { id } }),
  options: {
    orders: [
      ["-subscribed", "Newest first"],
      ["subscribed", "Oldest first"],
      ["email", "Email A to Z"],
      ["-email", "Email Z to A"],
    ],
    states: [
      ["active", "Subscribed"],
      ["inactive", "Unsubscribed"],
      ["confirmed", "Confirmed"],
      ["vouched", "Vouched"],
      ["unconfirmed", "Unconfirmed"],
      ["left", "Left"],
      ["bounced", "Bounced"],
      ["complained", "Complained"],
    ],
  } satisfies OptionsOf<"/api/admin/newsletter">,
  // Rows are one line high.
  sizes: { first: 50, next: 100 },
};

const MESSAGES = {
  deleted: "subscriber_removed",
  deleteFailed: "subscriber_remove_failed",
} as const;

export const reads = [rowsQuery(CALLS), consentQuery, lettersQuery];

const sayExported = () => toastSuccess("newsletter_exported");

export function Tab() {
  const { address, rows, total, choice, remove } = useList({ calls: CALLS, messages: MESSAGES });
  const emails = useExport("/api/admin/newsletter/export", "emails", sayExported);
  const table = useExport("/api/admin/newsletter/export.csv", "consent", sayExported);
  const [isImporting, setImporting] = useState(false);
  const cells = useCallback(
    (subscriber: Subscriber) => <Cells subscriber={subscriber} choice={choice} onRemove={remove} />,
    [choice, remove],
  );
  const active = rows.pages?.at(-1)?.active_count;
  return (
    <>
      <TabHead
        name={`Newsletter (${total ?? "..."})`}
        search={address}
        found={rows.found}
        searchLabel="Search emails"
      >
        <Button
          variant="main"
          className="flex-none"
          disabled={!active}
          isBusy={emails.isExporting}
          onClick={emails.save}
        >
          {emails.isExporting ? "Exporting..." : "Export Emails"}
        </Button>
        <Button
          className="flex-none"
          disabled={!total}
          isBusy={table.isExporting}
          onClick={table.save}
        >
          {table.isExporting ? "Exporting..." : "Export Consent"}
        </Button>
        <Button className="flex-none" onClick={() => setImporting(true)}>
          Import
        </Button>
      </TabHead>
      <Letters />
      <dl
        aria-live="polite"
        className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-hairline border-b px-gutter py-4"
      >
        <dt className="type-label text-dim uppercase">Active subscribers</dt>
        <dd className="type-title tabular-nums">{active ?? "..."}</dd>
      </dl>
      <Consent choice={choice} />
      <ListTools label="Newsletter subscriptions" address={address}>
        <Chosen label="Newsletter subscriptions" choice={choice} />
      </ListTools>
      <RowTable
        label="Newsletter subscriptions"
        address={address}
        rows={rows}
        loadFailed="newsletter_load_failed"
        empty={emptyText(address.asked, "No subscribers yet")}
        columns={COLUMNS}
        cells={cells}
      />
      {isImporting && <SubscriberImportDialog onClose={() => setImporting(false)} />}
    </>
  );
}

const CONSENTS: Readonly<Record<string, string>> = {
  confirmed: "Confirmed",
  vouched: "Vouched",
  unconfirmed: "Unconfirmed",
};

interface CellsProps {
  subscriber: Subscriber;
  choice: Choice;
  onRemove: (event: MouseEvent, id: string) => void;
}

function Cells({ subscriber, choice, onRemove }: CellsProps) {
  const { id, email, active, inactive_reason, subscribed_at } = subscriber;
  const status = active ? "Active" : "Inactive";
  const consent = CONSENTS[subscriber.consent] ?? subscriber.consent;
  return (
    <>
      <th scope="row" className="py-2.5 pr-2 pl-gutter text-left font-normal">
        <span className="flex items-center gap-3">
          <ChooseBox choice={choice} id={id} name={email} className="flex-none" />
          <span>
            <span className={active ? "" : "text-dim"}>{email}</span>
            {/* On phones in one column, to leave room for the address. */}
            <span className="block text-dim sm:hidden">
              {status}
              {inactive_reason && `, ${inactive_reason}`}, {consent.toLowerCase()},{" "}
              <time dateTime={subscribed_at}>{day(subscribed_at)}</time>
            </span>
          </span>
        </span>
      </th>
      <td
        className={`hidden whitespace-nowrap px-2 py-2.5 sm:table-cell ${active ? "" : "text-dim"}`}
      >
        {status}
        {inactive_reason && <span className="block">{inactive_reason}</span>}
      </td>
      <td
        className={`hidden whitespace-nowrap px-2 py-2.5 sm:table-cell ${active ? "" : "text-dim"}`}
      >
        {consent}
      </td>
      <td className="hidden whitespace-nowrap px-2 py-2.5 text-right text-dim tabular-nums sm:table-cell">
        <time dateTime={subscribed_at}>{day(subscribed_at)}</time>
      </td>
      <td className="py-1 pr-gutter pl-2 text-right">
        <Button
          variant="destroy"
          className="whitespace-nowrap px-2 sm:px-3"
          aria-label={`Remove ${email}`}
          onClick={(event) => onRemove(event, id)}
        >
          Remove
        </Button>
      </td>
    </>
  );
}
