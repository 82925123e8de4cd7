// Every screen to take a picture of, and the way to it. Addresses and tabs come from the product, so that a new one
// is included automatically.
import { expect, type Locator, type Page } from "@playwright/test";
import { section } from "../e2e/accounts/person.ts";
import { ROUTES } from "../e2e/routes.ts";
import { TAB_IDS } from "../src/features/admin/tabIds.ts";
import { DEMO_DESK } from "./demoDesk.ts";
import type { Label } from "./label.ts";
import { RECORDS } from "./records.ts";
import { openTab, type Screen } from "./screen.ts";

const at = (path: string) => (page: Page) => page.goto(path);

const ROUTE_SCREENS = ROUTES.filter(({ path }) => path !== "/admin" && path !== "/admin/demos").map(
  ({ path }): Screen => {
    const name = path.slice(1).replaceAll("/", "-") || "home";
    const isAccount = /^\/(profile|signup|auth|admin)/.test(path);
    return {
      name,
      title: `\`${path}\``,
      group: isAccount ? "Accounts" : "Public pages",
      ...(path === "/profile" ? { as: "member" } : {}),
      open: async (page) => {
        await page.goto(path);
        await expect(page).toHaveURL(path);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        if (path === "/terminal") await expect(page.getByLabel("COMMAND")).toBeFocused();
      },
    };
  },
);

const closeStore = (desk: Label["desk"], isClosed: boolean) =>
  desk.patch("/api/admin/maintenance/store", { data: { is_maintenance_mode: isClosed } });

const PUBLIC: Screen[] = [
  {
    name: "artist",
    title: "an artist",
    group: "Public pages",
    open: async (page) => {
      await page.goto("/artists");
      await page.locator('main a[href^="/artists/"]').nth(2).click();
      await expect(page.getByText("BIO", { exact: true })).toBeVisible();
    },
  },
  {
    name: "releases-playing",
    title: "`/releases` with an open player",
    group: "Public pages",
    open: async (page) => {
      await page.goto("/releases");
      await page.getByRole("button", { name: "PLAY" }).first().click();
      await expect(page.locator("iframe")).toHaveCount(1);
    },
  },
  {
    name: "terminal-answered",
    title: "`/terminal` after two answers",
    group: "Public pages",
    open: async (page) => {
      await page.goto("/terminal");
      for (const [place, question] of ["help", "latest"].entries()) {
        await expect(page.getByLabel("COMMAND")).toBeEnabled();
        await page.getByLabel("COMMAND").fill(question);
        await page.keyboard.press("Enter");
        await expect(page.getByRole("log").locator(":scope > div")).toHaveCount(6 + 2 * place);
      }
      await expect(page.getByLabel("COMMAND")).toBeFocused();
    },
  },
  {
    name: "contact-refused",
    title: "`/contact` filled in badly",
    group: "Public pages",
    open: async (page) => {
      await page.goto("/contact");
      await page.getByLabel("Name", { exact: true }).fill("R");
      await page.getByLabel("Email", { exact: true }).fill("renee@nowhere");
      await page.getByLabel("Message", { exact: true }).fill("too short");
      await page.getByRole("main").locator("button[type=submit]").click();
      await expect(page.getByText("Name must be at least 2 characters")).toBeVisible();
    },
  },
  {
    name: "newsletter-toast",
    title: "a toast",
    group: "Dialogs",
    isDialog: true,
    open: async (page) => {
      await page.goto("/");
      const field = page
        .getByRole("contentinfo")
        .or(page.getByRole("main"))
        .locator("input[type=email]")
        .first();
      await field.fill("gus@listeners.example");
      await field.press("Enter");
      await expect(page.locator("h2", { hasText: "Transmission successful" })).toBeVisible();
    },
  },
  {
    name: "menu",
    title: "the menu of small screens",
    group: "Dialogs",
    isDialog: true,
    only: 360,
    open: async (page) => {
      await page.goto("/releases");
      await page.getByRole("button", { name: "MENU" }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  {
    name: "maintenance",
    title: "a page in maintenance",
    group: "Public pages",
    open: async (page, { desk }) => {
      await expect(await closeStore(desk, true)).toBeOK();
      await page.goto("/store");
      await expect(page.getByText("SYSTEM PATCH IN PROGRESS...")).toBeVisible();
    },
    leave: ({ desk }) => closeStore(desk, false),
  },
  {
    name: "not-found",
    title: "an unknown address",
    group: "Public pages",
    open: at("/no/such/page"),
  },
];

async function enter(dialog: Locator, identifier: string, password: string): Promise<void> {
  await dialog.getByLabel("Email or username").fill(identifier);
  await dialog.getByLabel("Password", { exact: true }).fill(password);
  await dialog.getByRole("button", { name: "LOG IN" }).click();
}

async function secondStep(page: Page, { guarded }: Label): Promise<Locator> {
  await page.goto("/");
  const dialog = await openWay(page);
  await enter(dialog, guarded.email, guarded.password);
  await expect(dialog.getByRole("heading", { name: "Two-Factor Authentication" })).toBeVisible();
  return dialog;
}

/** Opens the login dialog, by whichever button this width has. */
async function openWay(page: Page): Promise<Locator> {
  await page.goto("/?dialog=login");
  const dialog = page.getByRole("dialog", { name: "TERMINAL ACCESS" });
  await expect(dialog).toBeVisible();
  return dialog;
}

const DIALOGS: Screen[] = [
  { name: "login", title: "the login dialog", isDialog: true, open: openWay },
  {
    name: "login-refused",
    title: "the login dialog after a wrong password",
    open: async (page: Page) => {
      const dialog = await openWay(page);
      await enter(dialog, "nobody@label.example", "wrong password");
      await expect(dialog.getByText("ACCESS DENIED: Invalid username or password")).toBeVisible();
    },
  },
  {
    name: "login-sign-up",
    title: "its other tab",
    open: async (page: Page) => {
      const dialog = await openWay(page);
      await dialog.getByRole("tab", { name: "SIGN UP" }).click();
      await expect(dialog.getByLabel("Full name")).toBeVisible();
    },
  },
  {
    name: "login-sign-up-refused",
    title: "the other tab, sent empty",
    open: async (page: Page) => {
      const dialog = await openWay(page);
      await dialog.getByRole("tab", { name: "SIGN UP" }).click();
      await dialog.getByRole("button", { name: "SIGN UP" }).click();
      await expect(dialog.getByLabel("Full name")).toHaveAttribute("aria-invalid", "true");
    },
  },
  { name: "two-factor", title: "the second step of a login", open: secondStep },
  {
    name: "two-factor-recovery",
    title: "the way without the authenticator",
    open: async (page: Page, label: Label) => {
      const dialog = await secondStep(page, label);
      await page.route("**/api/auth/mfa-recovery", (route) =>
        route.fulfill({ json: { status: "ok", code: "ok", message: "", sent: true } }),
      );
      await dialog.getByRole("button", { name: "Can't access your authenticator app?" }).click();
      await expect(dialog.getByLabel("Recovery code")).toBeVisible();
    },
  },
  {
    name: "demo",
    title: "the demo dialog",
    open: async (page: Page) => {
      await page.goto("/artists?dialog=demo");
      await expect(page.getByRole("dialog", { name: "SUBMIT A DEMO" })).toBeVisible();
    },
  },
  {
    name: "demo-refused",
    title: "the demo dialog, sent empty",
    open: async (page: Page) => {
      await page.goto("/artists?dialog=demo");
      await page.getByRole("dialog").getByRole("button", { name: "SUBMIT DEMO" }).click();
      await expect(page.locator("h2", { hasText: "Missing information" })).toBeVisible();
    },
  },
].map((screen) => ({ ...screen, group: "Dialogs", isDialog: true }));

/** A secret of no account. */
const SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";

async function setUpFactor(page: Page): Promise<Locator> {
  await page.route("**/api/auth/mfa-operations", (route) => {
    const { action } = route.request().postDataJSON();
    const answer =
      action === "generate_secret"
        ? {
            secret: SECRET,
            qrCodeUrl: `otpauth://totp/404%20COLLECTIVE:dana?secret=${SECRET}&issuer=404%20COLLECTIVE`,
            manualEntryKey: SECRET.replace(/.{4}(?=.)/g, "$& "),
          }
        : {
            recovery_codes: Array.from({ length: 10 }, (_, nth) => `K${nth}DW4-7QX${nth}Z`),
          };
    return route.fulfill({ json: { status: "ok", code: "ok", message: "", ...answer } });
  });
  await page.goto("/profile");
  const factor = section(page, "MULTI-FACTOR AUTHENTICATION");
  await factor.getByRole("button", { name: "Enable MFA" }).click();
  await expect(page.getByRole("img", { name: /QR code/ })).toBeVisible();
  return factor;
}

const ACCOUNTS: Screen[] = [
  {
    name: "account-menu",
    title: "the menu of a member",
    group: "Accounts",
    as: "member",
    only: 1440,
    isDialog: true,
    open: async (page) => {
      await page.goto("/releases");
      await page.getByRole("button", { name: "Account menu" }).click();
      await expect(page.getByRole("link", { name: "PROFILE" })).toBeVisible();
    },
  },
  {
    name: "profile-edits",
    title: "`/profile` with every edit open",
    group: "Accounts",
    as: "member",
    open: async (page) => {
      await setUpFactor(page);
      const identity = section(page, "IDENTITY");
      await identity.getByRole("button", { name: "Edit username" }).click();
      await identity.getByRole("button", { name: "Edit email" }).click();
    },
  },
  {
    name: "profile-recovery-codes",
    title: "`/profile`, recovery codes shown once",
    group: "Accounts",
    as: "member",
    open: async (page) => {
      const factor = await setUpFactor(page);
      await factor.getByLabel("6-digit code").fill("123456");
      await factor.getByRole("button", { name: "Verify and enable" }).click();
      await expect(factor.getByRole("listitem")).toHaveCount(10);
    },
  },
  {
    name: "signup-refused",
    title: "`/signup` sent empty",
    group: "Accounts",
    open: async (page) => {
      await page.goto("/signup");
      await page.getByRole("form").locator("button[type=submit]").click();
      await expect(page.getByLabel("Email")).toHaveAttribute("aria-invalid", "true");
    },
  },
  {
    name: "admin-login-refused",
    title: "`/admin/login` sent empty",
    group: "Accounts",
    open: async (page) => {
      await page.goto("/admin/login");
      await page.getByRole("button", { name: "Sign In", exact: true }).click();
      await expect(page.getByText("Please enter both email and password")).toBeVisible();
    },
  },
];

const DASHBOARD: Screen[] = TAB_IDS.map((id) => ({
  name: `admin-${id}`,
  title: `the ${id} tab`,
  group: "Dashboard",
  as: "admin",
  open: (page) => openTab(page, id),
}));

const EDITORS: Screen[] = (["artists", "releases", "store"] as const).flatMap((id): Screen[] => {
  const editor = { group: "Dashboard", as: "admin", isDialog: true } as const;
  return [
    {
      ...editor,
      name: `admin-${id}-edit`,
      title: `a row of the ${id} tab in its editor`,
      open: async (page) => {
        await openTab(page, id);
        await page
          .getByRole("button", { name: /^Edit / })
          .first()
          .click();
        await expect(page.getByRole("dialog")).toBeVisible();
      },
    },
    {
      ...editor,
      name: `admin-${id}-refused`,
      title: `a new row of the ${id} tab, saved empty`,
      open: async (page) => {
        await openTab(page, id);
        await page.getByRole("button", { name: /^Add / }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
        await expect(page.getByRole("list", { name: "What is wrong" })).toBeVisible();
      },
    },
  ];
});

/** Lists that are empty or cannot be read. */
const LISTS: Screen[] = [
  {
    name: "releases-empty",
    title: "`/releases` without releases",
    group: "Public pages",
    open: async (page) => {
      await page.route(/\/api\/releases/, (route) =>
        route.fulfill({ json: { items: [], next_cursor: null } }),
      );
      await page.goto("/no/such/page");
      await page.evaluate(() => history.pushState({}, "", "/releases"));
      await page.evaluate(() => dispatchEvent(new PopStateEvent("popstate")));
      await expect(page.getByText("NO RELEASES FOUND")).toBeVisible();
    },
  },
  {
    name: "admin-empty",
    title: "a list without rows",
    group: "Dashboard",
    as: "admin",
    open: async (page) => {
      await page.route(/\/api\/admin\/artists/, (route) =>
        route.fulfill({ json: { items: [], next_cursor: null, total: 0 } }),
      );
      await openTab(page, "artists");
      await expect(page.getByText("No artists yet")).toBeVisible();
    },
  },
  {
    name: "admin-failed",
    title: "a list that could not be read",
    group: "Dashboard",
    as: "admin",
    open: async (page) => {
      await page.route(/\/api\/admin\/artists/, (route) => route.fulfill({ status: 500 }));
      await openTab(page, "artists");
      await expect(page.getByRole("button", { name: "Try Again" })).toBeVisible();
    },
  },
];

const UNSAVED: Screen = {
  name: "admin-unsaved",
  title: "the question before unsaved work is left",
  group: "Dashboard",
  as: "admin",
  isDialog: true,
  open: async (page) => {
    await openTab(page, "artists");
    await page.getByRole("button", { name: "Add Artist" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Half a name");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("alertdialog")).toBeVisible();
  },
};

export const SCREENS: readonly Screen[] = [
  ...ROUTE_SCREENS,
  ...PUBLIC,
  ...DIALOGS,
  ...ACCOUNTS,
  ...DASHBOARD,
  ...EDITORS,
  ...LISTS,
  ...RECORDS,
  ...DEMO_DESK,
  UNSAVED,
];
