// Finds import cycles, and the imports to remove. An import graph is a `Map` of file → `Map` of imported file → `Set` of
// imported names.

/** Whether `file` is in the folder of a hub: `x.rs` and `x/mod.rs` are the hubs of the files in `x/`. */
function isBelow(file, hub) {
  const folder = hub.endsWith("/mod.rs") ? hub.slice(0, -"mod.rs".length) : `${hub.replace(/\.\w+$/, "")}/`;
  return file.startsWith(folder);
}

/** Strongly connected groups of files (Tarjan). */
function tied(graph, files) {
  const [index, low, stack, groups] = [new Map(), new Map(), [], []];
  const visit = (file) => {
    index.set(file, index.size);
    low.set(file, index.get(file));
    stack.push(file);
    for (const next of graph.get(file)?.keys() ?? []) {
      if (!files.has(next)) continue;
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(file, Math.min(low.get(file), low.get(next)));
    }
    if (low.get(file) === index.get(file)) groups.push(stack.splice(stack.indexOf(file)));
  };
  for (const file of files) if (!index.has(file)) visit(file);
  return groups;
}

/**
 * The cycles that contain more than a hub and its children, largest first. A hub connected only to files in its folder is
 * removed, and the rest must have no cycle without it.
 */
export function circlesOf(graph, files = new Set(graph.keys())) {
  const found = tied(graph, files)
    .filter((group) => group.length > 1)
    .flatMap((group) => {
      const hub = group.find((file) => group.every((other) => other === file || isBelow(other, file)));
      if (!hub) return [group.sort()];
      return circlesOf(graph, new Set(group.filter((file) => file !== hub)));
    });
  return found.sort((a, b) => b.length - a.length);
}

/** The imports within a cycle: from, to, names. */
export function importsWithin(graph, circle) {
  return circle.flatMap((from) =>
    [...graph.get(from)].filter(([to]) => circle.includes(to)).map(([to, names]) => ({ from, to, names: [...names].sort() })),
  );
}

/**
 * The imports to remove so that the cycle disappears. Orders the files so that as few names as possible are imported from files
 * further up, and returns those imports.
 */
export function importsToRemove(graph, circle) {
  const all = importsWithin(graph, circle);
  const runUp = (order) => {
    const place = new Map(order.map((file, at) => [file, at]));
    return all.filter(({ from, to }) => place.get(from) > place.get(to));
  };
  const weigh = (order) => runUp(order).reduce((sum, { names }) => sum + names.length, 0);
  let best = { order: circle, names: weigh(circle) };
  // Tries each file at every position until no move improves the order.
  for (let before; before !== best.names; ) {
    before = best.names;
    for (const file of circle) {
      const others = best.order.filter((other) => other !== file);
      for (let at = 0; at <= others.length; at += 1) {
        const order = others.toSpliced(at, 0, file);
        const names = weigh(order);
        if (names < best.names) best = { order, names };
      }
    }
  }
  return runUp(best.order).sort((a, b) => a.names.length - b.names.length);
}
