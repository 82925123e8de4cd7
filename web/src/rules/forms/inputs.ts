// The rules' forms as inputs hold them: every field is present, and an unset one is empty.
import type * as rules from "@deadwax/rules/bundler";

type Inputs<Form> = { [Field in keyof Form]-?: NonNullable<Form[Field]> };

export type ArtistInputs = Inputs<rules.ArtistForm>;
/** A track as typed: its length is text, which the rules parse. */
export type TrackInputs = Record<keyof rules.Track, string>;
export type ReleaseInputs = Omit<Inputs<rules.ReleaseForm>, "tracks"> & { tracks: TrackInputs[] };
/** Both numbers are text, which the rules parse. */
export type ProductInputs = Inputs<rules.ProductForm>;
export type ContactInputs = Inputs<rules.ContactForm>;
export type DemoInputs = Inputs<rules.DemoForm>;
