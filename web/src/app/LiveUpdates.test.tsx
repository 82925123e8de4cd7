import { InfiniteQueryObserver, QueryObserver } from "@tanstack/react-query";
import { act, screen, waitFor } from "@testing-library/react";
import { delay, HttpResponse, http } from "msw";
import { afterEach, describe, expect, it, vi } from "vitest";
import { loadNextPage } from "../api/usePages.ts";
import { loadRules } from "../rules/rules.ts";
import { holdSession } from "../session/sessionQuery.ts";
import { aRelease } from "../testing/catalogue.ts";
import { answer, answerBy, page, refuse, server } from "../testing/fakeApi.ts";
import { FakeEventSource } from "../testing/fakeEventSource.ts";
import { aMember } from "../testing/people.ts";
import { renderPath } from "../testing/renderPath.tsx";

const LOST = "CONNECTION LOST. RETRYING.";
const CHANGE = { op: "update", key: "k" };

afterEach(() => {
  vi.useRealTimers();
});

describe("a page left open", () => {
  it("reads only what was made from the changed table", async () => {
    const reads: string[] = [];
    answerBy("/api/releases", (url) => {
      reads.push(url.pathname);
      return page([aRelease()]);
    });
    const { client } = renderPath("/releases");
    await screen.findByRole("article");
    FakeEventSource.current.say("change", { ...CHANGE, table: "site_content" }, "2");
    FakeEventSource.current.say("change", { ...CHANGE, table: "artists" }, "3");
    FakeEventSource.current.say("change", { ...CHANGE, table: "releases" }, "4");
    await waitFor(() => expect(reads).toHaveLength(2));
    await waitFor(() => expect(client.isFetching()).toBe(0));
    expect(reads).toHaveLength(2);
  });

  it("is current also where the session changes a moment after the event", async () => {
    answer("/api/releases", page([aRelease({ title: "Before" })]));
    const { client } = renderPath("/releases");
    await screen.findByRole("article", { name: "Before" });
    FakeEventSource.current.open();
    answer("/api/releases", page([aRelease({ title: "After" })]));
    act(() => {
      FakeEventSource.current.say("change", { ...CHANGE, table: "releases" }, "2");
      holdSession(client, aMember());
    });
    await waitFor(() => expect(FakeEventSource.opened.length).toBeGreaterThan(1));
    expect(await screen.findByRole("article", { name: "After" }, { timeout: 2_000 })).toBeTruthy();
  });

  it("is current again after the server was away, without a reload", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    answer("/api/releases", page([aRelease({ title: "Before" })]));
    renderPath("/releases");
    await screen.findByRole("article", { name: "Before" });
    FakeEventSource.current.open();

    refuse("/api/maintenance", 0);
    FakeEventSource.current.break();
    expect(await screen.findByText(LOST)).toBeTruthy();
    expect(screen.getByRole("article", { name: "Before" })).toBeTruthy();

    answer("/api/maintenance", page([]));
    answer("/api/releases", page([aRelease({ title: "After" })]));
    FakeEventSource.current.open();
    expect(await screen.findByRole("article", { name: "After" })).toBeTruthy();
    await waitFor(() => expect(screen.queryByText(LOST)).toBeNull());
  });

  it("says that the server is away, even if it still answered while its streams ended", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    answer("/api/releases", page([aRelease()]));
    const { client } = renderPath("/releases");
    await screen.findByRole("article");
    await loadRules();
    FakeEventSource.current.open();
    FakeEventSource.current.break();
    await waitFor(() => expect(client.isFetching()).toBe(0));

    refuse("/api/maintenance", 0);
    await waitFor(() => expect(FakeEventSource.opened).toHaveLength(2));
    FakeEventSource.current.break();
    expect(await screen.findByText(LOST)).toBeTruthy();
  });

  it("lets a read on its way end before the next change is read, so that a flood of them never starves it", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const asked: string[] = [];
    const held: (() => void)[] = [];
    server.use(
      http.get("*/api/releases", async () => {
        asked.push("read");
        if (asked.length > 1) await new Promise<void>((resolve) => held.push(resolve));
        return HttpResponse.json(page([aRelease({ title: `Read ${asked.length}` })]));
      }),
    );
    const { client } = renderPath("/releases");
    await screen.findByRole("article", { name: "Read 1" });
    const change = (id: number) =>
      FakeEventSource.current.say("change", { ...CHANGE, table: "releases" }, String(id));
    change(2);
    await waitFor(() => expect(held).toHaveLength(1));
    for (const id of [3, 4, 5]) {
      change(id);
      await act(() => vi.advanceTimersByTimeAsync(60));
    }
    expect(asked).toHaveLength(2);
    held[0]?.();
    // The answer may be older than the changes, so it is read once more, however many there were.
    await waitFor(() => expect(held).toHaveLength(2));
    held[1]?.();
    await waitFor(() => expect(client.isFetching()).toBe(0));
    expect(asked).toHaveLength(3);
    expect(screen.getByRole("article", { name: "Read 3" })).toBeTruthy();
  });

  it("reads a further page between two reads of the news, so that a flood of them never keeps it away", async () => {
    const { client } = renderPath("/releases");
    await screen.findByRole("heading", { level: 1 });
    let news = 0;
    const change = () => {
      news += 1;
      const id = String(news + 1);
      FakeEventSource.current.say("change", { ...CHANGE, table: "media_files" }, id);
    };
    const list = new InfiniteQueryObserver(client, {
      queryKey: ["/api/admin/media?limit=24"],
      queryFn: async ({ pageParam }) => {
        if (pageParam === 0 && news > 0 && news < 8) {
          change();
          await delay(100);
        }
        return pageParam;
      },
      initialPageParam: 0,
      getNextPageParam: (last) => last + 1,
      staleTime: Number.POSITIVE_INFINITY,
    });
    const stop = list.subscribe(() => undefined);
    await waitFor(() => expect(list.getCurrentResult().isSuccess).toBe(true));
    change();
    await waitFor(() => expect(news).toBe(2));
    await loadNextPage(list.getCurrentResult().fetchNextPage, 1);
    expect(list.getCurrentResult().data?.pages).toEqual([0, 1]);
    stop();
  });

  it("does not read again what was forgotten while it was read, as at a sign-out", async () => {
    const { client } = renderPath("/releases");
    await screen.findByRole("heading", { level: 1 });
    let reads = 0;
    const change = (id: string) =>
      FakeEventSource.current.say("change", { ...CHANGE, table: "media_files" }, id);
    const queryKey = ["/api/admin/media?limit=1"];
    const list = new QueryObserver(client, {
      queryKey,
      queryFn: async () => {
        reads += 1;
        if (reads > 1) await delay(200);
        return reads;
      },
      staleTime: Number.POSITIVE_INFINITY,
    });
    const stop = list.subscribe(() => undefined);
    await waitFor(() => expect(list.getCurrentResult().isSuccess).toBe(true));
    change("2");
    await waitFor(() => expect(reads).toBe(2));
    change("3");
    await delay(60);
    client.removeQueries({ queryKey });
    await delay(400);
    expect(reads).toBe(2);
    stop();
  });

  it("does not take for current what changed while it was read ahead, and nobody looked at it", async () => {
    const reads: string[] = [];
    answerBy("/api/releases", (url) => {
      reads.push(url.pathname);
      return page([aRelease()]);
    });
    const { client } = renderPath("/releases");
    await screen.findByRole("article");
    let letGo = () => {};
    const queryKey = ["/api/artists?ahead"];
    const readAhead = client.query({
      queryKey,
      queryFn: () =>
        new Promise<string>((resolve) => {
          letGo = () => resolve("as it was before");
        }),
    });
    FakeEventSource.current.say("change", { ...CHANGE, table: "artists" }, "2");
    // The visible list depends on artists too: once it is read again, the change was handled.
    await waitFor(() => expect(reads).toHaveLength(2));
    letGo();
    await readAhead;
    await waitFor(() => expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true));
  });

  it("lets a read catch up with the rows that changed, together where many do, and asks for all of it where it cannot", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const asked: string[] = [];
    const caught: string[][] = [];
    const held: ((isDone: boolean) => void)[] = [];
    const { client } = renderPath("/releases");
    await screen.findByRole("heading", { level: 1 });
    const options = {
      queryKey: ["/api/admin/desk/demos?limit=50"],
      queryFn: () => asked.push("all"),
      initialData: 0,
      staleTime: Number.POSITIVE_INFINITY,
      meta: {
        catchUp: (_client: unknown, _read: unknown, keys: ReadonlySet<string>) => {
          caught.push([...keys]);
          return new Promise<boolean>((resolve) => held.push(resolve));
        },
      },
    };
    const stop = new QueryObserver(client, options).subscribe(() => undefined);
    let id = 20;
    const change = async (...keys: string[]) => {
      for (const key of keys) {
        id += 1;
        FakeEventSource.current.say("change", { op: "update", table: "demos", key }, String(id));
      }
      await act(() => vi.advanceTimersByTimeAsync(60));
    };
    await change("a", "b", "a");
    await change("c");
    await change("d");
    expect(caught).toEqual([["a", "b"]]);
    held.shift()?.(true);
    await waitFor(() =>
      expect(caught).toEqual([
        ["a", "b"],
        ["c", "d"],
      ]),
    );
    expect(asked).toEqual([]);
    held.shift()?.(false);
    await waitFor(() => expect(asked).toEqual(["all"]));
    stop();
  });

  it("asks for all of a read that failed to catch up, and lets it catch up the next time", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const asked: string[] = [];
    const caught: string[][] = [];
    const { client } = renderPath("/releases");
    await screen.findByRole("heading", { level: 1 });
    const options = {
      queryKey: ["/api/admin/desk/demos?limit=50"],
      queryFn: () => asked.push("all"),
      initialData: 0,
      staleTime: Number.POSITIVE_INFINITY,
      meta: {
        catchUp: async (_client: unknown, _read: unknown, keys: ReadonlySet<string>) => {
          caught.push([...keys]);
          if (caught.length === 1) throw new Error("broken");
          return true;
        },
      },
    };
    const stop = new QueryObserver(client, options).subscribe(() => undefined);
    const change = async (key: string, id: string) => {
      FakeEventSource.current.say("change", { op: "update", table: "demos", key }, id);
      await act(() => vi.advanceTimersByTimeAsync(60));
    };
    await change("a", "20");
    await waitFor(() => expect(asked).toEqual(["all"]));
    await change("b", "21");
    await waitFor(() => expect(caught).toEqual([["a"], ["b"]]));
    stop();
  });

  it("hears on from where it was when somebody signs in, in a stream of their own", async () => {
    answer("/api/releases", page([aRelease()]));
    const { client } = renderPath("/releases");
    await screen.findByRole("article");
    await waitFor(() => expect(client.isFetching()).toBe(0));
    FakeEventSource.current.say("change", { ...CHANGE, table: "site_content" }, "7");
    expect(FakeEventSource.opened).toHaveLength(1);
    act(() => holdSession(client, aMember()));
    await waitFor(() => expect(FakeEventSource.opened).toHaveLength(2));
    expect(FakeEventSource.opened[0]?.readyState).toBe(FakeEventSource.CLOSED);
    expect(new URL(FakeEventSource.current.url, "http://x").searchParams.get("after")).toBe("7");
  });

  it("does not call the connection lost when only the stream was cut", async () => {
    answer("/api/releases", page([aRelease()]));
    const { client } = renderPath("/releases");
    await screen.findByRole("article");
    FakeEventSource.current.open();
    FakeEventSource.current.break();
    await waitFor(() => expect(client.isFetching()).toBe(0));
    expect(screen.queryByText(LOST)).toBeNull();
  });
});
