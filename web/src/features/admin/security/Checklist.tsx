import { useQuery } from "@tanstack/react-query";
import { readQuery } from "../../../api/queries.ts";
import type { components } from "../../../api/types/api.ts";
import { Reading } from "../lists/RowList.tsx";

type Status = ChecklistItem["status"];

const WORDS: Readonly<Record<Status, string>> = {
  pass: "Pass",
  warning: "Warning",
  fail: "Fail",
  info: "Info",
};

/** In a 12 by 12 square: a tick, an exclamation mark, a cross, an i. */
const MARKS: Readonly<Record<Status, string>> = {
  pass: "M2 6.5 5 9.5 10.5 2.5",
  warning: "M6 1v6M6 9.25v1.75",
  fail: "M2 2 10 10M10 2 2 10",
  info: "M6 1v1.75M6 5v6",
};

export function Checklist() {
  const checklist = useQuery(checklistQuery);
  const { data } = checklist;
  if (!data) {
    return (
      <Reading
        query={checklist}
        queryKey={checklistQuery.queryKey}
        label="the security configuration"
        loadFailed="load_failed"
      />
    );
  }
  return (
    <>
      <Summary items={data.items} />
      <ul aria-label="Security configuration">
        {data.items.map((item) => (
          <Entry key={item.id} item={item} />
        ))}
      </ul>
    </>
  );
}

function Summary({ items }: { items: readonly ChecklistItem[] }) {
  return (
    <dl aria-label="Summary" className="grid-cells grid-cols-4 border-hairline border-b">
      {(Object.keys(WORDS) as Status[]).map((status) => {
        const count = items.filter((item) => item.status === status).length;
        return (
          <div
            key={status}
            className="flex flex-col justify-between gap-x-3 px-2.5 py-3 sm:flex-row sm:items-baseline lg:px-gutter"
          >
            <dt className="type-label text-dim uppercase">{WORDS[status]}</dt>
            <dd className={`type-title tabular-nums ${count > 0 ? TONES[status] : "text-dim"}`}>
              {count}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

const TONES: Readonly<Record<Status, string>> = {
  pass: "",
  warning: "",
  fail: "text-signal",
  info: "",
};

function Entry({ item: { id, name, description, status, details } }: { item: ChecklistItem }) {
  return (
    <li
      aria-labelledby={id}
      className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 gap-y-1 border-hairline px-gutter py-4 not-last:border-b md:grid-cols-[7rem_minmax(0,2fr)_minmax(0,3fr)] md:grid-rows-[auto_1fr]"
    >
      <p
        className={`type-label col-start-2 row-start-1 flex items-center gap-2 self-start uppercase md:col-start-1 ${TONES[status]}`}
      >
        <Mark status={status} />
        {WORDS[status]}
      </p>
      <h4 id={id} className="col-start-1 row-start-1 type-card md:col-start-2">
        {name}
      </h4>
      <p className="col-span-2 text-[0.75rem] text-dim md:col-span-1 md:col-start-2">
        {description}
      </p>
      <p className="col-span-2 mt-1 text-[0.75rem] md:col-span-1 md:col-start-3 md:row-span-2 md:row-start-1 md:mt-0">
        {details}
      </p>
    </li>
  );
}

function Mark({ status }: { status: Status }) {
  const isLoud = status === "warning" || status === "fail";
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 12 12"
      className={`size-5 flex-none border p-0.5 ${isLoud ? "border-current" : "border-hairline"}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
    >
      <path d={MARKS[status]} />
    </svg>
  );
}

export type ChecklistItem = components["schemas"]["ChecklistItem"];

export const checklistQuery = {
  ...readQuery("/api/admin/security/checklist", {}),
  // Zero: settings cause no live event.
  staleTime: 0,
};
