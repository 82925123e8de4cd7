// What lies on the desk, as the server tells it.
import type { Schemas } from "../../../api/client.ts";

export type DeskDemo = Schemas["DeskDemo"];
export type DemoState = DeskDemo["state"];
export type DeskDemoDetail = Schemas["DeskDemoDetail"];
export type DeskNote = Schemas["DemoNote"];
export type DeskSummary = Schemas["DeskSummary"];
export type SoundAnalysis = Schemas["SoundAnalysis"];
export type SoundSummary = Schemas["SoundSummary"];
export type SoundTrack = Schemas["SoundTrack"];
export type LetterKind = Schemas["LetterKind"];
export type LetterTemplate = Schemas["LetterTemplate"];
export type DemoAnswer = Schemas["DemoAnswer"];
