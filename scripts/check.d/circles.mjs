// Circles among files that import each other, and which import to turn. An import graph is a
// `Map` of file → `Map` of imported file → `Set` of the names that are taken from it.

/** Whether `file` lies in the folder of the hub `hub`: `x.rs` and `x/mod.rs` are the hubs of all that is in `x/`. */
function isBelow(file, hub) {
  const folder = hub.endsWith("/mod.rs") ? hub.slice(0, -"mod.rs".length) : `${hub.replace(/\.\w+$/, "")}/`;
  return file.startsWith(folder);
}

/** Groups of files of which each reaches each (Tarjan). */
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
 * The circles of more than a hub and its children, the largest first. Where a hub is tied to files of its own folder alone,
 * it is taken out, and what is left must hold without it.
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

/** The imports inside a circle: from, to, names. */
export function importsWithin(graph, circle) {
  return circle.flatMap((from) =>
    [...graph.get(from)].filter(([to]) => circle.includes(to)).map(([to, names]) => ({ from, to, names: [...names].sort() })),
  );
}

/**
 * The imports that run against most of the others: without them the circle is none. The files are put in an order in which
 * as few names as can be found are taken from files further up, and these are the imports that take them.
 */
export function importsToTurn(graph, circle) {
  const all = importsWithin(graph, circle);
  const runUp = (order) => {
    const place = new Map(order.map((file, at) => [file, at]));
    return all.filter(({ from, to }) => place.get(from) > place.get(to));
  };
  const weigh = (order) => runUp(order).reduce((sum, { names }) => sum + names.length, 0);
  let best = { order: circle, names: weigh(circle) };
  // Each file is tried at every place, until no move makes it better.
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
