// The vectors of crates/rules, asked of the package: in Node, in browsers, and in the app's tests.

/** `{"$repeat": ["a", 3]}` is `"aaa"`, and `{"$join": ["a", …]}` is its parts in a row. */
export function writtenOut(value) {
  if (Array.isArray(value)) return value.map(writtenOut);
  if (value === null || typeof value !== "object") return value;
  if ("$repeat" in value) {
    const [text, times] = value.$repeat;
    return text.repeat(times);
  }
  if ("$join" in value) return writtenOut(value.$join).join("");
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, writtenOut(part)]));
}

/** What the package answers to a function of the vectors, which are written with the names of Rust. */
export function ask(rules, name, args) {
  const rule = rules[name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase())];
  if (!rule) throw new Error(`the package does not export ${name}`);
  return rule(...args);
}

/** Runs every vector; what is data is asked of the catalogue of messages. Returns how many held, and what each other said. */
export function runVectors(rules, messages, fixtures) {
  const outcome = { passed: 0, failures: [] };
  for (const { rule, is_data, cases } of fixtures) {
    for (const vector of cases) {
      const args = writtenOut(vector.args);
      const expected = writtenOut(vector.returns);
      let answer;
      try {
        answer = is_data ? message(messages, ...args) : ask(rules, vector.function, args);
      } catch (error) {
        answer = { thrown: String(error) };
      }
      if (isSame(answer, expected)) outcome.passed += 1;
      else outcome.failures.push(`${rule}, ${vector.name}: ${JSON.stringify(answer)} instead of ${JSON.stringify(expected)}`);
    }
  }
  return outcome;
}

/** `message` and `message_with` of the rules, from the catalogue. */
function message(messages, code, value) {
  if (!Object.hasOwn(messages, code)) return null;
  const { title, text } = messages[code];
  const filled = value === undefined ? text : text.replace(/\{[^}]*\}/, () => value);
  return { title: title || null, text: filled || null };
}

/** Equal to the letter: a property that is `undefined` is not one that is missing. */
function isSame(one, other) {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}
