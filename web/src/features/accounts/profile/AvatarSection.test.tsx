import { act, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { breakCall, refuseCall } from "../../../testing/calls.ts";
import { server } from "../../../testing/fakeApi.ts";
import { answerChange, aProfile, loseChange, openProfileTo } from "../../../testing/profile.ts";
import { renderPath } from "../../../testing/renderPath.tsx";
import { expectToast } from "../../../testing/toast.ts";
import { centreSquare } from "./AvatarSection.tsx";

describe("the avatar", () => {
  const drawn: unknown[][] = [];

  beforeEach(() => {
    drawn.length = 0;
    vi.stubGlobal("createImageBitmap", async () => ({
      width: 1_000,
      height: 600,
      close: () => undefined,
    }));
    vi.stubGlobal(
      "OffscreenCanvas",
      class {
        getContext = () => ({
          fillRect: () => undefined,
          drawImage: (...args: unknown[]) => drawn.push(args.slice(1)),
        });
        convertToBlob = async ({ type, quality }: { type: string; quality: number }) =>
          new Blob([`${type} ${quality}`], { type });
      },
    );
  });

  async function choose(file: File) {
    const { user } = renderPath("/profile");
    await screen.findByRole("button", { name: "Upload Avatar" });
    await user.upload(screen.getByLabelText("Avatar file"), file);
    return user;
  }

  it("is cut to its middle, made small and sent as JPEG", async () => {
    openProfileTo();
    const heard = answerChange(
      "post",
      "/api/profile/avatar",
      aProfile({ avatar_url: "/media/avatars/a.jpg" }),
    );
    await choose(new File(["x"], "me.png", { type: "image/png" }));
    await expectToast("AVATAR UPDATED");
    expect(drawn).toEqual([[200, 0, 600, 600, 0, 0, 512, 512]]);
    expect(String(heard[0]?.body)).toContain("image/jpeg 0.8");
    expect(screen.getByRole("img", { name: "Your avatar" }).getAttribute("src")).toBe(
      "/media/avatars/a.jpg",
    );
    expect(screen.getByRole("button", { name: "Remove Avatar" })).toBeTruthy();
  });

  it("of another kind is refused before anything is sent", async () => {
    openProfileTo();
    await choose(new File(["x"], "me.png", { type: "image/svg+xml" }));
    await expectToast("UPLOAD FAILED");
    await expectToast("Invalid file type. Only JPG, PNG, and WebP are allowed.");
  });

  it("that is too large too", async () => {
    openProfileTo();
    const large = new Uint8Array(2 * 1_048_576 + 1);
    await choose(new File([large], "me.png", { type: "image/png" }));
    await expectToast("File too large. Maximum size is 2MB.");
  });

  it("refused by the server says why", async () => {
    openProfileTo();
    refuseCall("post", "/api/profile/avatar", 429, { code: "rate_limited", detail: "Slow down." });
    await choose(new File(["x"], "me.png", { type: "image/png" }));
    await expectToast("UPLOAD FAILED");
    await expectToast("Slow down.");
  });

  it("that cannot travel is an upload that failed", async () => {
    openProfileTo();
    breakCall("post", "/api/profile/avatar");
    await choose(new File(["x"], "me.png", { type: "image/png" }));
    await expectToast("UPLOAD FAILED");
    expect(screen.queryByText("SYSTEM ERROR")).toBeNull();
  });

  it("that breaks the server down is an upload that failed too", async () => {
    openProfileTo();
    refuseCall("post", "/api/profile/avatar", 500, { code: "internal", detail: "Broken" });
    await choose(new File(["x"], "me.png", { type: "image/png" }));
    await expectToast("UPLOAD FAILED");
    expect(screen.queryByText("SYSTEM ERROR")).toBeNull();
    expect(screen.queryByText("Broken")).toBeNull();
  });

  it("is shown as it is by then where an answer was lost", async () => {
    openProfileTo();
    loseChange("post", "/api/profile/avatar", aProfile({ avatar_url: "/media/avatars/a.jpg" }));
    const user = await choose(new File(["x"], "me.png", { type: "image/png" }));
    const remove = await screen.findByRole("button", { name: "Remove Avatar" });
    loseChange("delete", "/api/profile/avatar", aProfile());
    await user.click(remove);
    expect(await screen.findByRole("button", { name: "Upload Avatar" })).toBeTruthy();
  });

  it("whose removal breaks the server down is a system error", async () => {
    openProfileTo(aProfile({ avatar_url: "/media/avatars/a.jpg" }));
    const { user } = renderPath("/profile");
    const key = await screen.findByRole("button", { name: "Remove Avatar" });
    refuseCall("delete", "/api/profile/avatar", 500, { code: "internal" });
    await user.click(key);
    await expectToast("SYSTEM ERROR");
    await expectToast("Failed to update avatar");
    expect(screen.queryByText("UPDATE FAILED")).toBeNull();
  });

  it("is removed", async () => {
    openProfileTo(aProfile({ avatar_url: "/media/avatars/a.jpg" }));
    answerChange("delete", "/api/profile/avatar", aProfile());
    const { user } = renderPath("/profile");
    await user.click(await screen.findByRole("button", { name: "Remove Avatar" }));
    await expectToast("AVATAR REMOVED");
    expect(screen.queryByRole("button", { name: "Remove Avatar" })).toBeNull();
  });

  it("that was removed does not come back with an answer that was on its way before", async () => {
    const old = aProfile({ avatar_url: "/media/avatars/a.jpg" });
    openProfileTo(old);
    answerChange("delete", "/api/profile/avatar", aProfile());
    const { user, client } = renderPath("/profile");
    const key = await screen.findByRole("button", { name: "Remove Avatar" });
    const held: (() => void)[] = [];
    server.use(
      http.get("*/api/profile", async () => {
        await new Promise<void>((resolve) => held.push(resolve));
        return HttpResponse.json(old);
      }),
    );
    act(() => void client.invalidateQueries({ queryKey: ["/api/profile"] }));
    await waitFor(() => expect(held).toHaveLength(1));
    await user.click(key);
    await expectToast("AVATAR REMOVED");
    held[0]?.();
    await waitFor(() => expect(client.isFetching()).toBe(0));
    expect(screen.queryByRole("button", { name: "Remove Avatar" })).toBeNull();
  });

  it.each([
    [1_000, 600, { x: 200, y: 0, size: 600 }],
    [601, 1_000, { x: 0, y: 199, size: 601 }],
    [512, 512, { x: 0, y: 0, size: 512 }],
  ])("of %i by %i has its square in the middle", (width, height, crop) => {
    expect(centreSquare(width, height)).toEqual(crop);
  });
});
