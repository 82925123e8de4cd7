// Findings about the arrival of letters: a grade, a sentence, and the DNS record to enter.

import { Button } from "../../../../ui/Button.tsx";
import { CopyByHand, useCopying } from "../../../../ui/CopyByHand.tsx";
import { toastSuccess } from "../../../../ui/toasts/toast.ts";
import { GradeLine } from "../../lists/Grade.tsx";
import type { Finding } from "./arrivalQuery.ts";

export const CHECKS: Readonly<Record<Finding["check"], string>> = {
  sender: "Sender",
  spf: "SPF",
  dkim: "DKIM",
  dmarc: "DMARC",
  mx: "MX",
  https: "Links",
  leave: "Leave link",
  postal: "Postal address",
};

interface FindingsProps {
  label: string;
  findings: readonly Finding[];
}

export function Findings({ label, findings }: FindingsProps) {
  return (
    <ul aria-label={label} className="border-hairline border-y">
      {findings.map((finding) => (
        <Entry key={finding.check} finding={finding} />
      ))}
    </ul>
  );
}

function Entry({ finding: { check, grade, text, record } }: { finding: Finding }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 gap-y-1.5 border-hairline py-3 text-[0.75rem] not-last:border-b md:grid-cols-[7rem_8rem_minmax(0,1fr)]">
      <GradeLine grade={grade} className="col-start-2 row-start-1 md:col-start-1" />
      <h4 className="col-start-1 row-start-1 type-card md:col-start-2">{CHECKS[check]}</h4>
      <div className="col-span-2 flex min-w-0 flex-col gap-2 md:col-span-1 md:col-start-3 md:row-start-1">
        <p className="[overflow-wrap:anywhere]">{text}</p>
        {record && <Entered record={record} name={CHECKS[check]} />}
      </div>
    </li>
  );
}

function Entered({ record, name }: { record: NonNullable<Finding["record"]>; name: string }) {
  const { copy, refused } = useCopying(() => toastSuccess("record_copied"));
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <code className="min-w-0 border border-hairline px-2.5 py-1.5 [overflow-wrap:anywhere]">
        {record.name} {record.kind} {record.value}
      </code>
      <Button
        className="type-label flex-none"
        aria-label={`Copy Record, ${name}`}
        onClick={() => copy(record.value)}
      >
        Copy Record
      </Button>
      {refused && <CopyByHand refused={refused} label="DNS record" what="The record" />}
    </div>
  );
}
