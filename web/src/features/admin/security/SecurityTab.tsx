import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { readQuery } from "../../../api/queries.ts";
import type { components } from "../../../api/types/api.ts";
import { AUDIT_DAYS } from "../../../rules/generated/constants.ts";
import { firstStepsQuery } from "../firstSteps/firstStepsQuery.ts";
import { GRADES, type Grade, GradeLine, toneOf } from "../lists/Grade.tsx";
import { Reading } from "../lists/RowList.tsx";
import { readRowsAgain } from "../lists/useRows.ts";
import { ACTIVITY_PATH, Activity } from "./Activity.tsx";
import { Backups } from "./Backups.tsx";
import { OwnFactor } from "./OwnFactor.tsx";

export function Tab() {
  return (
    <>
      <header className="border-hairline border-b px-gutter pt-7 pb-5">
        <h2 className="type-heading">Security</h2>
      </header>
      <Part
        name="Two-Factor Authentication"
        about="Your own: a code from your phone besides the password, at every sign-in."
      >
        <TwoFactor />
      </Part>
      <Part
        name="Backups"
        about="Made by the server to a place apart from the data, restored and compared."
      >
        <Backups />
      </Part>
      <Part
        name="Security Configuration"
        about="Read from the settings and the data of this label, at this moment."
      >
        <Checklist />
      </Part>
      <Part
        name="Activity"
        about={`What people did here and what was refused, as the audit log has it for ${AUDIT_DAYS} days.`}
      >
        <Activity />
      </Part>
    </>
  );
}

function TwoFactor() {
  const client = useQueryClient();
  return (
    <OwnFactor
      onChange={() => {
        void client.invalidateQueries({ queryKey: firstStepsQuery.queryKey });
        void client.invalidateQueries({ queryKey: checklistQuery.queryKey });
        readRowsAgain(client, ACTIVITY_PATH);
      }}
    />
  );
}

interface PartProps {
  name: string;
  about: string;
  children: ReactNode;
}

function Part({ name, about, children }: PartProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid border-hairline border-b lg:grid-cols-[minmax(0,3fr)_minmax(0,9fr)]"
    >
      <div className="px-gutter pt-6 lg:pb-6">
        <h3 id={id} tabIndex={-1} data-focus-home className="type-row outline-none">
          {name}
        </h3>
        <p className="mt-2 max-w-[44ch] text-dim">{about}</p>
      </div>
      <div className="mt-5 min-w-0 border-hairline border-t lg:mt-0 lg:border-t-0 lg:border-l">
        {children}
      </div>
    </section>
  );
}

function Checklist() {
  const checklist = useQuery(checklistQuery);
  const { data } = checklist;
  if (!data)
    return <Reading query={checklist} of={checklistQuery} label="the security configuration" />;
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
      {(Object.keys(GRADES) as Grade[]).map((status) => {
        const count = items.filter((item) => item.status === status).length;
        return (
          <div
            key={status}
            className="flex flex-col justify-between gap-x-3 px-2.5 py-3 sm:flex-row sm:items-baseline lg:px-gutter"
          >
            <dt className="type-label text-dim uppercase">{GRADES[status]}</dt>
            <dd className={`type-title tabular-nums ${count > 0 ? toneOf(status) : "text-dim"}`}>
              {count}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function Entry({ item: { id, name, description, status, details } }: { item: ChecklistItem }) {
  return (
    <li
      aria-labelledby={id}
      className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 gap-y-1 border-hairline px-gutter py-4 not-last:border-b md:grid-cols-[7rem_minmax(0,2fr)_minmax(0,3fr)] md:grid-rows-[auto_1fr]"
    >
      <GradeLine grade={status} className="col-start-2 row-start-1 md:col-start-1" />
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

export type ChecklistItem = components["schemas"]["ChecklistItem"];

const checklistQuery = {
  ...readQuery("/api/admin/security/checklist", {}),
  // Zero: settings cause no live event.
  staleTime: 0,
};
