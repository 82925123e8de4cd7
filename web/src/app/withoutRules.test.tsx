// Every form and the whole dashboard without the rules (no WebAssembly, or a file that never arrives): the server
// decides, its messages are shown at the fields, and all other texts come from the generated catalogue.
import { cleanup } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { dropMailedLink } from "../features/accounts/mailedLink.ts";
import { server } from "../testing/fakeApi.ts";
import { noteWhatIsShown, THERE_IS, walked } from "../testing/walk.ts";
import { AUDIO_WASM, WASM } from "../testing/withoutRules/screen.ts";
import "../testing/withoutRules/visitor.tsx";
import "../testing/withoutRules/accounts.tsx";
import "../testing/withoutRules/member.tsx";
import "../testing/withoutRules/admin.tsx";
import "../testing/withoutRules/site.tsx";
import "../testing/withoutRules/backups.tsx";
import "../testing/withoutRules/deskSettings.tsx";
import "../testing/withoutRules/newsletterTab.tsx";
import "../testing/withoutRules/hanging.tsx";

vi.mock("../rules/rules.ts", async (original) => {
  const { noting } = await import("../testing/walk.ts");
  return noting(await original<object>());
});
vi.mock("../rules/useRules.ts", async (original) => {
  const { noting } = await import("../testing/walk.ts");
  return noting(await original<object>());
});
vi.mock("../rules/forms/useRulesForm.ts", async (original) => {
  const { noting } = await import("../testing/walk.ts");
  return noting(await original<object>());
});
vi.mock("../ui/useFilePicker.tsx", async (original) => {
  const { notingPicker } = await import("../testing/walk.ts");
  return notingPicker(await original<typeof import("../ui/useFilePicker.tsx")>());
});
vi.mock("react/jsx-dev-runtime", async (original) => {
  const { notingForms } = await import("../testing/walk.ts");
  return notingForms(await original<object>());
});

let shown: () => readonly string[] = () => [];

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  server.use(
    http.get(WASM, () => HttpResponse.error()),
    http.get(AUDIO_WASM, () => HttpResponse.error()),
  );
  vi.spyOn(console, "error").mockReturnValue();
  shown = noteWhatIsShown();
});

afterEach(() => {
  const all = shown();
  cleanup();
  dropMailedLink();
  vi.useRealTimers();
  // Data: texts of the fake server, file names of demos, the site image's name, and event names.
  const words = all.join("\n").replace(/the \w+ text|\w+\.mp3|hero_background|signup_\w+/g, "");
  expect(words.match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g)).toBeNull();
  expect(words.match(/\d{4,} Bytes|\d\dT\d\d:|\bundefined\b|\bNaN\b|\[object/g)).toBeNull();
});

it("leaves out no form, no file and no question to the rules", () => {
  for (const kind of ["forms", "files", "asking"] as const) {
    expect(THERE_IS[kind].filter((file) => !walked[kind].has(file))).toEqual([]);
    expect(THERE_IS[kind].length).toBeGreaterThan(3);
  }
});
