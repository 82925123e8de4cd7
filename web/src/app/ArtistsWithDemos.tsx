// The artists' page with the demo dialog behind its invitation: neither feature knows the other.
import { ArtistsPage } from "../features/catalogue/ArtistsPage.tsx";
import { prepareDemoDialog } from "./layout/demoDialog.ts";
import { useOpenDialog } from "./layout/useDialog.ts";

export function ArtistsWithDemos() {
  const open = useOpenDialog("demo");
  return <ArtistsPage onJoin={open} onNearJoin={prepareDemoDialog} />;
}
