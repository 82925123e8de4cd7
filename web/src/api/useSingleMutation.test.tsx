import { onlineManager, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { createQueryClient } from "../app/queryClient.ts";
import { useSingleMutation } from "./useSingleMutation.ts";

function open(mutationFn: (nth: number) => Promise<number>) {
  const client = createQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return renderHook(() => useSingleMutation({ mutationFn }), { wrapper }).result;
}

afterEach(() => onlineManager.setOnline(true));

describe("a single mutation", () => {
  it("is made once for two presses before anything was drawn, and again after its answer", async () => {
    const made: number[] = [];
    const result = open(async (nth) => made.push(nth));
    act(() => {
      result.current.mutate(1);
      result.current.mutate(2);
    });
    await waitFor(() => expect(result.current.isSuccess).toBe(true));
    expect(made).toEqual([1]);
    act(() => result.current.mutate(3));
    await waitFor(() => expect(made).toEqual([1, 3]));
  });

  it("is made again after a failure", async () => {
    let made = 0;
    const result = open(async () => {
      made += 1;
      throw new Error("refused");
    });
    act(() => result.current.mutate(1));
    await waitFor(() => expect(result.current.isError).toBe(true));
    act(() => result.current.mutate(2));
    await waitFor(() => expect(made).toBe(2));
  });

  it("keeps a pending call's answer through a reset", async () => {
    let refuse = () => {};
    const result = open(() => new Promise((_, reject) => (refuse = () => reject(new Error("no")))));
    act(() => result.current.mutate(1));
    await waitFor(() => expect(result.current.isPending).toBe(true));
    act(() => result.current.reset());
    refuse();
    await waitFor(() => expect(result.current.error?.message).toBe("no"));
    act(() => result.current.reset());
    await waitFor(() => expect(result.current.error).toBeNull());
  });

  it("fails at once where the browser takes itself for offline, instead of waiting unsaid", async () => {
    onlineManager.setOnline(false);
    const result = open(() => Promise.reject(new Error("unreachable")));
    act(() => result.current.mutate(1));
    await waitFor(() => expect(result.current.isError).toBe(true));
  });
});
