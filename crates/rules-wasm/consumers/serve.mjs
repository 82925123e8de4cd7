// Serves a folder over HTTP like an ordinary server, with a script policy like the website's.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".json": "application/json" };
/** The README's page has an inline script; all others have script files. */
const policy = (path) =>
  `default-src 'none'; connect-src 'self'; script-src 'self' 'wasm-unsafe-eval'${path === "/readme.html" ? " 'unsafe-inline'" : ""}`;

/** Serves a folder on a free port. */
export async function serve(folder) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    try {
      const bytes = await readFile(join(folder, path));
      // Other files, including the module, are sent without a type.
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
