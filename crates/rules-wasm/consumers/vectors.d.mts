/** `{"$repeat": ["a", 3]}` is `"aaa"`, and `{"$join": ["a", …]}` is its parts in a row. */
export declare function writtenOut(value: unknown): unknown;

/** What the package answers to a function of the vectors, which are written with the names of Rust. */
export declare function ask(rules: object, name: string, args: unknown[]): unknown;
