// Orders a document's resources for a fast first paint: the style is inlined, and public/start.js starts the scripts
// in parallel, after text and pictures.
import type { Plugin, Rolldown } from "vite";

const STYLESHEET = /[ \t]*<link rel="stylesheet"[^>]* href="\/([^"]+)"[^>]*>\n?/g;
const SCRIPT = /[ \t]*<script type="module"[^>]* src="\/([^"]+)"[^>]*><\/script>\n?/g;

const STARTER = '<script src="/start.js" defer';

export function firstPaint(): Plugin {
  return {
    name: "deadwax:first-paint",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {} }) {
        const scripts: string[] = [];
        return html
          .replace(
            STYLESHEET,
            (_, path: string) => `    <style>${styleIn(bundle[path], path)}</style>\n`,
          )
          .replace(SCRIPT, (_, path: string) => {
            scripts.push(...[...importsOf(bundle[path]), path].map((file) => `/${file}`));
            return "";
          })
          .replace(
            STARTER,
            (starter) => `${starter} data-scripts="${[...new Set(scripts)].join(" ")}"`,
          );
      },
    },
  };
}

function styleIn(
  file: Rolldown.OutputAsset | Rolldown.OutputChunk | undefined,
  path: string,
): string {
  if (file?.type !== "asset") throw new Error(`${path} is no part of the build`);
  const style = file.source.toString();
  if (/<\/style/i.test(style)) throw new Error(`${path} would end its element`);
  return style;
}

/** Static imports of a module, preloaded because the browser would only discover them after loading it. */
function importsOf(
  file: Rolldown.OutputAsset | Rolldown.OutputChunk | undefined,
): readonly string[] {
  return file?.type === "chunk" ? file.imports : [];
}
