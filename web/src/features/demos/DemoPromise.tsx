// The days within which the label listens, from its own figures; nothing while those say too little.
import { useQuery } from "@tanstack/react-query";
import { readQuery } from "../../api/queries.ts";
import { withRules } from "../../rules/rules.ts";
import { useRules } from "../../rules/useRules.ts";

export function DemoPromise() {
  useRules();
  const days = useQuery(readQuery("/api/demos/promise", {})).data?.days;
  const text =
    typeof days === "number" ? withRules((rules) => rules.demoPromiseText(days)) : undefined;
  return text ? <p className="text-dim">{text}</p> : null;
}
