// Runs the vectors of crates/rules against the package: in Node, in browsers, and in the app's tests.

/** Expands `{"$repeat": ["a", 3]}` to `"aaa"`, and `{"$join": ["a", …]}` to its parts joined. */
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

/** Calls a function of the vectors, which use Rust names. */
export function ask(rules, name, args) {
  const rule = rules[name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase())];
  if (!rule) throw new Error(`the package does not export ${name}`);
  return rule(...args);
}

/** Runs every vector; data is looked up in the messages. Returns how many passed, and the others' errors. */
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

/** `message` and `message_with` of the vectors, from the messages. */
function message(messages, code, value) {
  if (!Object.hasOwn(messages, code)) return null;
  const { title, text } = messages[code];
  const filled = value === undefined ? text : text.replace(/\{[^}]*\}/, () => value);
  return { title: title || null, text: filled || null };
}

/** Strict equality: an `undefined` property differs from a missing one. */
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
