// Fails a build whose chunks import each other in a circle: one of them would run before what it imports.
import type { Plugin } from "vite";

export function noCircles(): Plugin {
  return {
    name: "deadwax:no-circles",
    apply: "build",
    generateBundle(_, bundle) {
      const done = new Set<string>();
      const visit = (file: string, above: readonly string[]): void => {
        if (above.includes(file)) {
          const circle = [...above.slice(above.indexOf(file)), file];
          this.error(`These chunks import each other in a circle: ${circle.join(" -> ")}`);
        }
        const chunk = bundle[file];
        if (done.has(file) || chunk?.type !== "chunk") return;
        for (const next of chunk.imports) visit(next, [...above, file]);
        done.add(file);
      };
      for (const file of Object.keys(bundle)) visit(file, []);
    },
  };
}
