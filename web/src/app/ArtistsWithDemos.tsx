// The artists page with the demo dialog: neither feature knows the other.
import { ArtistsPage } from "../features/catalogue/ArtistsPage.tsx";
import { DIALOGS, useOpenDialog } from "./layout/useDialog.ts";

export function ArtistsWithDemos() {
  const open = useOpenDialog("demo");
  return <ArtistsPage onJoin={open} onNearJoin={DIALOGS.demo.prepare} />;
}
