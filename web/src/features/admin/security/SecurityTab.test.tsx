import { screen, waitFor, within } from "@testing-library/react";
import { delay, HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { openTab } from "../../../testing/backOffice.ts";
import { answerCall, refuseCall } from "../../../testing/calls.ts";
import { server } from "../../../testing/fakeApi.ts";
import { anAdmin } from "../../../testing/people.ts";
import { aProfile, MFA_OK, MFA_SECRET } from "../../../testing/profile.ts";
import { expectToast } from "../../../testing/toast.ts";
import type { ChecklistItem } from "./SecurityTab.tsx";

const PATH = "/api/admin/security/checklist";
const MFA = "/api/auth/mfa-operations";

function anEntry(id: string, changes: Partial<ChecklistItem> = {}): ChecklistItem {
  return {
    id,
    name: `Name of ${id}`,
    description: `What ${id} is about.`,
    status: "pass",
    details: `What was found of ${id}.`,
    ...changes,
  };
}

const ENTRIES = [
  anEntry("server_side_authorisation"),
  anEntry("admin_two_factor", { status: "warning" }),
  anEntry("password_hashing"),
  anEntry("upload_validation"),
  anEntry("input_sanitising"),
  anEntry("sessions_and_transport", { status: "fail" }),
  anEntry("security_headers"),
  anEntry("login_limits", { status: "info" }),
];

beforeEach(() => {
  answerCall("get", "/api/profile", aProfile());
  answerCall("get", PATH, { items: ENTRIES });
});

describe("the checklist", () => {
  it("says of all eight what they are, how they stand and what was found", async () => {
    openTab("security");
    const list = await screen.findByRole("list", { name: "Security configuration" });
    const entries = within(list).getAllByRole("listitem");
    expect(entries).toHaveLength(8);
    for (const [index, { name, description, details }] of ENTRIES.entries()) {
      const entry = within(entries[index] as HTMLElement);
      for (const text of [name, description, details]) expect(entry.getByText(text)).toBeTruthy();
    }
    const wordOf = (id: string) =>
      within(screen.getByRole("listitem", { name: `Name of ${id}` })).getByText(
        /^(Pass|Warning|Fail|Info)$/,
      ).textContent;
    expect(wordOf("server_side_authorisation")).toBe("Pass");
    expect(wordOf("admin_two_factor")).toBe("Warning");
    expect(wordOf("sessions_and_transport")).toBe("Fail");
    expect(wordOf("login_limits")).toBe("Info");
    const summary = within(screen.getByLabelText("Summary"));
    const counts = summary.getAllByRole("definition").map(({ textContent }) => textContent);
    expect(counts).toEqual(["5", "1", "1", "1"]);
  });

  it("says that it is on its way", async () => {
    server.use(http.get(`*${PATH}`, () => delay("infinite")));
    openTab("security");
    expect(await screen.findByText("Loading the security configuration...")).toBeTruthy();
  });

  it("says that it cannot be read, and is read again on demand", async () => {
    refuseCall("get", PATH, 422, { code: "refused" });
    const { user } = openTab("security");
    const retry = await screen.findByRole("button", { name: "Try Again" });
    expect(screen.getByText("Failed to load data")).toBeTruthy();
    answerCall("get", PATH, { items: ENTRIES });
    await user.click(retry);
    const list = await screen.findByRole("list", { name: "Security configuration" });
    expect(document.activeElement).toBe(list.closest("section")?.querySelector("h3"));
  });
});

describe("two-factor authentication in the dashboard", () => {
  it("is set up with a picture and a key, and the checklist is read again", async () => {
    answerCall("post", MFA, MFA_SECRET);
    const { user } = openTab("security");
    await user.click(await screen.findByRole("button", { name: "Enable MFA" }));
    expect(
      await screen.findByRole("img", { name: "QR code for your authenticator app" }),
    ).toBeTruthy();
    expect(screen.getByText("JBSW Y3DP EHPK 3PXP")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Copy key" }));
    expect(await screen.findByText("Copied")).toBeTruthy();
    const enable = screen.getByRole<HTMLButtonElement>("button", { name: "Verify and enable" });
    expect(enable.disabled).toBe(true);
    const field = screen.getByLabelText("6-digit code");
    await user.type(field, "12345{Enter}");
    expect(await screen.findByText("Please enter a 6-digit code")).toBeTruthy();

    answerCall("post", MFA, { ...MFA_OK, recovery_codes: ["AAAAA-00000"] });
    const items = ENTRIES.map((entry) =>
      entry.id === "admin_two_factor" ? anEntry(entry.id, { details: "Everybody has it." }) : entry,
    );
    answerCall("get", PATH, { items });
    await user.type(field, "6");
    await user.click(enable);
    await expectToast("MFA Enabled");
    expect(await screen.findByText("Everybody has it.")).toBeTruthy();
    // The codes stay until they are saved.
    await user.click(screen.getByRole("tab", { name: "Terminal" }));
    const question = await screen.findByRole("alertdialog");
    expect(within(question).getByText(/recovery codes are shown only now/)).toBeTruthy();
    await user.click(within(question).getByRole("button", { name: "Keep Editing" }));
    expect(screen.getByText("AAAAA-00000")).toBeTruthy();
    answerCall("get", "/api/profile", aProfile({ mfa_enabled: true, recovery_codes_left: 1 }));
    await user.click(await screen.findByRole("checkbox", { name: "I have kept these codes" }));
    await user.click(screen.getByRole("button", { name: "Done" }));
    expect(await screen.findByRole("button", { name: "Disable MFA" })).toBeTruthy();
  });

  it("is given up by a code", async () => {
    answerCall("get", "/api/profile", aProfile({ mfa_enabled: true, recovery_codes_left: 7 }));
    const { user } = openTab("security");
    await user.click(await screen.findByRole("button", { name: "Disable MFA" }));
    const heard = answerCall("post", MFA, MFA_OK);
    const read = answerCall("get", PATH, { items: ENTRIES });
    answerCall("get", "/api/profile", aProfile());
    await user.type(screen.getByLabelText("6-digit code"), "654321{Enter}");
    await expectToast("MFA Disabled");
    expect(heard[0]?.body).toMatchObject({ action: "disable_mfa", totpCode: "654321" });
    expect(await screen.findByRole("button", { name: "Enable MFA" })).toBeTruthy();
    await waitFor(() => expect(read.length).toBeGreaterThan(0));
  });

  it("asks for the password where that was long ago, and goes on", async () => {
    let asked = 0;
    server.use(
      http.post(`*${MFA}`, () => {
        asked += 1;
        return asked === 1
          ? HttpResponse.json(
              { ...MFA_OK, status: "error", code: "reauthentication_needed" },
              { status: 403 },
            )
          : HttpResponse.json(MFA_SECRET);
      }),
    );
    answerCall("post", "/api/auth/reauthenticate", { ...anAdmin() });
    const { user } = openTab("security");
    await user.click(await screen.findByRole("button", { name: "Enable MFA" }));
    await screen.findByRole("dialog", { name: "CONFIRM PASSWORD" });
    await user.type(screen.getByLabelText("Password"), "my password{Enter}");
    expect(await screen.findByText("JBSW Y3DP EHPK 3PXP")).toBeTruthy();
  });

  it("that cannot be begun says why", async () => {
    answerCall("post", MFA, { ...MFA_OK, status: "error", code: "internal" }, 500);
    const { user } = openTab("security");
    await user.click(await screen.findByRole("button", { name: "Enable MFA" }));
    expect(await screen.findByText("Failed to generate secret")).toBeTruthy();
  });

  it("says that it cannot be read, and is read again on demand", async () => {
    refuseCall("get", "/api/profile", 422, { code: "refused" });
    const { user } = openTab("security");
    const retry = await screen.findByRole("button", { name: "Try Again" });
    answerCall("get", "/api/profile", aProfile());
    await user.click(retry);
    expect(await screen.findByRole("button", { name: "Enable MFA" })).toBeTruthy();
  });
});
