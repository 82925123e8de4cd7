// People with accounts, and the ways they take that are not what a test is about.
import { randomBytes } from "node:crypto";
import { expect, type Locator, type Page, request } from "@playwright/test";
import { Authenticator } from "../authenticator.ts";
import { letterTo } from "../mails.ts";
import type { Site } from "../site.ts";
import { newClient } from "../test.ts";

export interface Person {
  fullName: string;
  email: string;
  username: string;
  password: string;
}

export const CONFIRM = /confirm your email address/;

/** Makes up a person no test has used. Their address and password may never be in the server's log. */
export function makeUp(site: Site): Person {
  const mark = randomBytes(6).toString("hex");
  const person = {
    fullName: "Renée O'Hara",
    email: `listener-${mark}@example.org`,
    username: `dj-${mark}`,
    password: makeUpPassword(site),
  };
  site.keepSecret(person.email);
  return person;
}

export function makeUpPassword(site: Site): string {
  const password = `canary ${randomBytes(9).toString("base64url")}`;
  site.keepSecret(password);
  return password;
}

/** Signs up and confirms, in a browser of the person's own. */
export async function register(site: Site, person = makeUp(site)): Promise<Person> {
  await signUp(site, person);
  const letter = await letterTo(site, person.email, CONFIRM);
  await call(site, "/api/auth/confirm", { token: letter.token("signup") });
  return person;
}

/** Signs up and lets the mail lie. */
export async function signUp(site: Site, person = makeUp(site)): Promise<Person> {
  const { email, password, username } = person;
  await call(site, "/api/auth/sign-up", { email, password, data: { username } });
  return person;
}

/** An admin, made as operators make them: by the command line beside the running server. */
export function makeAdmin(site: Site): Person {
  const person = makeUp(site);
  site.runWith(`${person.password}\n`, "admin", "create", person.email, "--password-stdin");
  return person;
}

async function call(site: Site, path: string, data: object): Promise<void> {
  const browser = await request.newContext({ baseURL: site.url, extraHTTPHeaders: newClient() });
  const answer = await browser.post(path, { data });
  await expect(answer, await answer.text()).toBeOK();
  await browser.dispose();
}

/** Signs this browser in, without the dialog: at the worker's own label, where no other is named. */
export async function signIn(page: Page, { email, password }: Person, site?: Site): Promise<void> {
  const answer = await page.request.post(`${site?.url ?? ""}/api/auth/sign-in`, {
    data: { identifier: email, password },
  });
  await expect(answer, await answer.text()).toBeOK();
}

/** Gives the account of the person who is signed in here a second factor. */
export async function enableFactor(
  site: Site,
  page: Page,
): Promise<{ authenticator: Authenticator; recoveryCodes: string[] }> {
  const operate = async (body: object) => {
    const answer = await page.request.post("/api/auth/mfa-operations", {
      data: { ...body, request_id: randomBytes(8).toString("hex") },
    });
    await expect(answer, await answer.text()).toBeOK();
    return answer.json();
  };
  const { secret } = await operate({ action: "generate_secret" });
  const authenticator = new Authenticator(secret);
  const totpCode = await authenticator.next();
  const enabled = await operate({ action: "enable_mfa", mfaSecret: secret, totpCode });
  site.keepSecret(secret, ...enabled.recovery_codes);
  return { authenticator, recoveryCodes: enabled.recovery_codes };
}

/** The dialog on its LOGIN tab. */
export async function openDialog(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "LOGIN", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "TERMINAL ACCESS" });
  await expect(dialog.getByRole("tab", { name: "LOGIN" })).toHaveAttribute("aria-selected", "true");
  return dialog;
}

/** The dialog on its SIGN UP tab. */
export async function openSignUp(page: Page): Promise<Locator> {
  const dialog = await openDialog(page);
  await dialog.getByRole("tab", { name: "SIGN UP" }).click();
  await expect(dialog.getByLabel("Full name")).toBeVisible();
  return dialog;
}

export async function fillSignUp(dialog: Locator, person: Person): Promise<void> {
  await dialog.getByLabel("Full name").fill(person.fullName);
  await dialog.getByLabel("Email", { exact: true }).fill(person.email);
  await dialog.getByLabel("Username").fill(person.username);
  await passwordOf(dialog).fill(person.password);
}

export async function logIn(dialog: Locator, identifier: string, password: string): Promise<void> {
  await dialog.getByLabel("Email or username").fill(identifier);
  await passwordOf(dialog).fill(password);
  await dialog.getByRole("button", { name: "LOG IN" }).click();
}

export function passwordOf(form: Locator | Page): Locator {
  return form.getByLabel("Password", { exact: true });
}

export async function expectSignedIn(page: Page): Promise<void> {
  await expect(page.getByRole("button", { name: "Account menu" })).toBeVisible();
  await expect(page.getByRole("button", { name: "LOGIN", exact: true })).toHaveCount(0);
}

export async function expectSignedOut(page: Page): Promise<void> {
  const head = page.getByRole("banner");
  await expect(head.getByRole("button", { name: "LOGIN", exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Account menu" })).toHaveCount(0);
}

/** Expects a visible toast with each of the texts. */
export async function expectToast(page: Page, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    await expect(
      page.getByText(text, { exact: true }).filter({ visible: true }).first(),
    ).toBeVisible();
  }
}

/** A section of the profile. */
export function section(page: Page, name: string): Locator {
  return page.getByRole("region", { name, exact: true });
}
