// The label's name, colour and mark: as the page was served with them, until they change.
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, use, useEffect } from "react";
import { labelQuery } from "../api/siteContent.ts";
import { LabelMark, LabelName, labelName } from "../ui/labelName.ts";

export function LabelProvider({ children }: { children: ReactNode }) {
  const painted = use(LabelName);
  // Undefined in a document without data, until it is read.
  const label = useQuery(labelQuery).data;
  const name = label?.name ?? painted ?? labelName();
  const signal = label?.signal;
  useEffect(() => {
    if (signal) document.documentElement.style.setProperty("--color-signal", signal);
  }, [signal]);
  return (
    <LabelName value={name}>
      <LabelMark value={label?.mark ?? null}>{children}</LabelMark>
    </LabelName>
  );
}
