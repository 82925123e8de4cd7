import { act, renderHook } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { uploadTarget } from "../../../api/client.ts";
import { useUploads } from "./useUpload.ts";

const ENDPOINT = {
  to: uploadTarget("POST", "/api/admin/media", {}),
  check: () => () => null,
  messages: { uploaded: "media_uploaded", failed: "media_upload_failed" },
} as const;

const file = (name: string) => new File(["x"], name);

it("sends one at a time where a file is added while another arrives", async () => {
  const calls: FakeCall[] = [];
  class FakeCall {
    upload = {};
    status = 201;
    responseText = "{}";
    onload = () => undefined;
    open = vi.fn();
    setRequestHeader = vi.fn();
    send = () => calls.push(this);
    abort = vi.fn();
  }
  vi.stubGlobal("XMLHttpRequest", FakeCall);
  const { result } = renderHook(() => useUploads(ENDPOINT, () => undefined));
  await act(() => result.current.add([file("one.png"), file("two.png")]));
  expect(calls).toHaveLength(1);
  await act(async () => {
    const adding = result.current.add([file("three.png")]);
    calls[0]?.onload();
    await adding;
  });
  expect(calls).toHaveLength(2);
  vi.unstubAllGlobals();
});
