// Files of a folder over HTTP, as any server hands them out, under a policy for scripts like that of the label's website.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".json": "application/json" };
/** The README's page has its script within; every other has it in a file. */
const policy = (path) =>
  `default-src 'none'; connect-src 'self'; script-src 'self' 'wasm-unsafe-eval'${path === "/readme.html" ? " 'unsafe-inline'" : ""}`;

/** Serves a folder on a free port of this machine. */
export async function serve(folder) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    try {
      const bytes = await readFile(join(folder, path));
      // What has no type here is sent without one, the module too.
      const type = TYPES[extname(path)];
      response.writeHead(200, { ...(type && { "content-type": type }), "content-security-policy": policy(path) });
      response.end(bytes);
    } catch {
      response.writeHead(path === "/favicon.ico" ? 204 : 404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
