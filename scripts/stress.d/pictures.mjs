// Pictures of scripts/stress.d/pictures.
// node pictures.mjs URL: waits at most twenty minutes until every picture of the website has its sizes, and prints the number
// of pictures, of those without sizes, and of unreadable files.
import { setTimeout as pause } from "node:timers/promises";

const [, , url] = process.argv;

async function pictures() {
  const lists = ["/api/releases?limit=100", "/api/artists?limit=100", "/api/site-images"];
  const answers = await Promise.all(lists.map(async (path) => (await fetch(url + path)).json()));
  const isOwn = ({ cover_image_url, image_url }) => (cover_image_url ?? image_url)?.startsWith("/media/");
  return answers.flatMap(({ items }) => items).filter(isOwn);
}

const without = (all) => all.filter(({ image_sizes }) => !image_sizes).length;
const end = Date.now() + 20 * 60_000;
let all = await pictures();
while (without(all) > 0 && Date.now() < end) {
  await pause(1000);
  all = await pictures();
}
let unread = 0;
for (const { image_sizes: sizes } of all) {
  for (const width of sizes?.widths ?? []) {
    for (const kind of ["avif", sizes.fallback]) {
      const answer = await fetch(`${url}${sizes.base}-${width}.${kind}`);
      if (answer.status !== 200 || (await answer.arrayBuffer()).byteLength === 0) unread += 1;
    }
  }
}
console.log(all.length, without(all), unread);
