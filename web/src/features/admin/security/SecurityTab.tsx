import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { AUDIT_DAYS } from "../../../rules/generated/constants.ts";
import { ACTIVITY_PATH, Activity } from "./Activity.tsx";
import { Checklist, checklistQuery } from "./Checklist.tsx";
import { OwnFactor } from "./OwnFactor.tsx";

export function SecurityTab() {
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
  const [hasCodes, setHasCodes] = useState(false);
  return (
    <OwnFactor
      hasCodes={hasCodes}
      onChange={() => {
        void client.invalidateQueries({ queryKey: checklistQuery.queryKey });
        void client.invalidateQueries({ queryKey: [ACTIVITY_PATH] });
      }}
      onCodes={setHasCodes}
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
        <h3 id={id} className="type-row">
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
