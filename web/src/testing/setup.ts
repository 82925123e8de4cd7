// Before and after every test: a fake server that fails on unexpected requests, a fake event stream, and a clean-up.
import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, vi } from "vitest";
import { guardFocus } from "../ui/guardFocus.ts";
import { server } from "./fakeApi.ts";
import { FakeEventSource } from "./fakeEventSource.ts";

const unexpected: string[] = [];

// Long timeouts: a slow machine must not fail a test.
configure({ asyncUtilTimeout: 30_000 });

beforeAll(() => {
  // The painted pages are tested without a document.
  if (typeof document !== "undefined") guardFocus();
  server.listen({
    onUnhandledRequest: (request, print) => {
      unexpected.push(`${request.method} ${request.url}`);
      print.error();
    },
  });
  vi.stubGlobal("EventSource", FakeEventSource);
  vi.stubGlobal("scrollTo", vi.fn());
});

afterEach(() => {
  cleanup();
  server.resetHandlers();
  FakeEventSource.opened = [];
  const requests = unexpected.splice(0);
  if (requests.length > 0) throw new Error(`Nobody answers ${requests.join(", ")}`);
});

afterAll(() => {
  server.close();
  vi.unstubAllGlobals();
});
