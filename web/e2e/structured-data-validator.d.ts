// The package ships no types.
declare module "@adobe/structured-data-validator" {
  // biome-ignore lint/style/noDefaultExport: so the package has it
  export default class Validator {
    /** Answers what is wrong with structured data, by format and kind, after Google's rules for rich results. */
    validate(data: {
      jsonld: Record<string, unknown[]>;
      microdata: object;
      rdfa: object;
    }): Promise<unknown[]>;
  }
}
