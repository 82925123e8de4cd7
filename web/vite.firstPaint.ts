// Orders what a document loads, so that nothing stands before its first paint: the style is in the document itself, and the
// scripts are started by public/start.js, side by side and behind text and pictures.
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

/** What a module needs at once: found only when it has come, were it not named beside it. */
function importsOf(
  file: Rolldown.OutputAsset | Rolldown.OutputChunk | undefined,
): readonly string[] {
  return file?.type === "chunk" ? file.imports : [];
}
