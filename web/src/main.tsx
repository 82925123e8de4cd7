// The entry: seeds the cache with what the page was served with, and shows the app.
import "./style/site.css";
import { seedFromPage } from "./api/queries.ts";
import { keepPlaceOverReloads } from "./app/keepPlace.ts";
import { createQueryClient } from "./app/queryClient.ts";
import { createAppRouter } from "./app/routes.tsx";
import { showApp } from "./app/takeOver.tsx";
import { bearTranslation } from "./app/translation.ts";
import { countVisits, takeSource } from "./session/seen.ts";
import { guardFocus } from "./ui/guardFocus.ts";

const container = document.getElementById("root");
if (container) {
  keepPlaceOverReloads();
  bearTranslation(document);
  guardFocus();
  const client = createQueryClient();
  const after = seedFromPage(client, document);
  const source = takeSource();
  const router = createAppRouter(client);
  countVisits(router, client, source);
  void showApp(container, client, router, after);
}
