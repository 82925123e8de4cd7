import { act, renderHook } from "@testing-library/react";
import type { FormEvent } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";

const typed = { name: " Mira ", email: "Mira@Example.org", message: " When is the next one? " };
const pressed = { preventDefault: () => undefined } as unknown as FormEvent;

/** Submits `form` with or without the rules, and returns what was sent, refused and requested. */
async function press(form: typeof typed, hasRules: boolean) {
  if (!hasRules) vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
  const { useRulesForm } = await import("./useRulesForm.ts");
  const send = vi.fn(async () => undefined);
  const onInvalid = vi.fn();
  const asked = vi.fn();
  const { result } = renderHook(() =>
    useRulesForm({
      check: (rules, values: typeof typed) => {
        asked();
        return rules.checkContact(values);
      },
      unchecked: (values) => ({ ...values, name: `${values.name}, as typed` }),
      blank: form,
      send,
      onInvalid,
    }),
  );
  await act(async () => {
    result.current.onSubmit(pressed);
    await vi.waitFor(() => expect(send.mock.calls.length + onInvalid.mock.calls.length).toBe(1));
  });
  return { send, onInvalid, asked, errorOf: result.current.errorOf };
}

describe("a form over the rules", () => {
  beforeEach(() => {
    vi.resetModules();
    vi.unstubAllGlobals();
    vi.spyOn(console, "error").mockReturnValue();
  });

  it("sends what the rules made of it, and asks them once", async () => {
    const { send, asked } = await press(typed, true);
    const value = { name: "Mira", email: "mira@example.org", message: "When is the next one?" };
    expect(send).toHaveBeenCalledWith(value);
    expect(asked).toHaveBeenCalledOnce();
  });

  it("says what is wrong, and sends nothing", async () => {
    const { send, onInvalid, errorOf } = await press({ ...typed, name: "M" }, true);
    const message = "Name must be at least 2 characters";
    expect(onInvalid).toHaveBeenCalledWith([{ field: "name", code: "name_too_short", message }]);
    expect(errorOf("name")).toBe(message);
    expect(send).not.toHaveBeenCalled();
  });

  it("sends what it says is sent without the rules, and lets the server decide", async () => {
    const { send, asked } = await press({ ...typed, name: "M" }, false);
    expect(send).toHaveBeenCalledWith({ ...typed, name: "M, as typed" });
    expect(asked).not.toHaveBeenCalled();
  });
});
