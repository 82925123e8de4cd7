import { screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { answerCall } from "../../testing/calls.ts";
import { renderPath } from "../../testing/renderPath.tsx";

vi.mock("#rules-wasm", () => {
  throw new Error("out of reach");
});

async function subscribe(address: string) {
  vi.spyOn(console, "error").mockReturnValue();
  const { user } = renderPath("/");
  await user.type(await screen.findByLabelText("EMAIL"), `${address}{Enter}`);
}

describe("the newsletter's form without the rules", () => {
  it("leaves it to the server to say what is right", async () => {
    const heard = answerCall("post", "/api/newsletter", { success: true, message: "Added." });
    await subscribe("Mira@Example.org");
    expect((await screen.findAllByText("Added.")).length).toBeGreaterThan(0);
    expect(heard[0]?.body).toEqual({ subscriber_email: "Mira@Example.org", client_ip: null });
  });

  it("leaves it to the server to say what is wrong", async () => {
    const body = { success: false, error: "invalid_email", message: "Not an address." };
    answerCall("post", "/api/newsletter", body, 422);
    await subscribe("nowhere");
    expect((await screen.findAllByText("Not an address.")).length).toBeGreaterThan(0);
  });
});
