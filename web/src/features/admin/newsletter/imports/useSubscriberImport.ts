import { call, type Schemas, uploadTarget } from "../../../../api/client.ts";
import { readQuery } from "../../../../api/queries.ts";
import {
  type Columns,
  type TableImportConfig,
  useTableImport,
} from "../../imports/useTableImport.ts";
import { readRowsAgain } from "../../lists/useRows.ts";
import { consentQuery } from "../Consent.tsx";

export type SubscriberCheck = Schemas["SubscriberImportCheck"];
export type SubscriberRow = Schemas["SubscriberRow"];
export type SubscriberImport = Schemas["SubscriberImport"];
type UndoneSubscribers = Schemas["UndoneSubscribers"];

export const subscriberImportsQuery = readQuery("/api/admin/newsletter/imports", {});

const CONFIG: TableImportConfig<
  { columns: Columns },
  SubscriberCheck,
  SubscriberImport,
  UndoneSubscribers
> = {
  name: "subscriber import",
  check: uploadTarget("POST", "/api/admin/newsletter/imports/check", {}),
  send: uploadTarget("POST", "/api/admin/newsletter/imports", {}),
  undo: (init) => call("POST", "/api/admin/newsletter/imports/{id}/undo", init),
  noChoices: { columns: undefined },
  textsOf: ({ columns }) => ({ columns: columns ? JSON.stringify(columns) : "" }),
  readAgain(client) {
    readRowsAgain(client, "/api/admin/newsletter");
    void client.invalidateQueries({ queryKey: consentQuery.queryKey });
    void client.invalidateQueries({ queryKey: subscriberImportsQuery.queryKey });
  },
};

export const useSubscriberImport = () => useTableImport(CONFIG);

export type SubscriberImporting = ReturnType<typeof useSubscriberImport>;
