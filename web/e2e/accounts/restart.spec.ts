// Nothing that matters lives in the server's memory: it is ended and started again between any two steps of every flow.
import { randomBytes } from "node:crypto";
import { type APIRequestContext, request } from "@playwright/test";
import { Authenticator } from "../authenticator.ts";
import { letterTo } from "../mails.ts";
import type { Site } from "../site.ts";
import { expect, newClient, test } from "../test.ts";
import { CONFIRM, makeUp } from "./person.ts";

test.setTimeout(120_000);

for (const engine of ["sqlite", "postgres"] as const) {
  test(`a restart between any two steps loses nothing, on ${engine}`, async ({ startSite }) => {
    const site = await startSite({ sample: false, engine });
    const person = makeUp(site);
    const browser = await request.newContext({ baseURL: site.url, extraHTTPHeaders: newClient() });

    await step(site, browser, "/api/auth/sign-up", {
      email: person.email,
      password: person.password,
      data: { username: person.username },
    });
    const confirmation = await letterTo(site, person.email, CONFIRM);
    const confirmed = await step(site, browser, "/api/auth/confirm", {
      token: confirmation.token("signup"),
    });
    expect(confirmed.status).toBe("confirmed");
    expect(await email(browser)).toBe(person.email);

    const setup = await step(site, browser, MFA, { action: "generate_secret" });
    const authenticator = new Authenticator(setup.secret);
    const enabled = await step(site, browser, MFA, {
      action: "enable_mfa",
      mfaSecret: setup.secret,
      totpCode: await authenticator.next(),
    });
    site.keepSecret(setup.secret, ...enabled.recovery_codes);
    expect(enabled.recovery_codes).toHaveLength(10);

    await step(site, browser, "/api/auth/refresh", {});
    await step(site, browser, "/api/auth/sign-out", {});
    expect(await email(browser)).toBeUndefined();
    const signedIn = await step(site, browser, "/api/auth/sign-in", {
      identifier: person.username,
      password: person.password,
    });
    expect(signedIn.mfaRequired).toBe(true);

    const attempt = {
      totpCode: await authenticator.next(),
      request_id: randomBytes(8).toString("hex"),
    };
    const verified = await step(site, browser, MFA, { action: "verify_mfa", ...attempt });
    expect(verified.status).toBe("ok");
    // A code that is spent stays spent.
    const again = await browser.post(MFA, {
      data: { action: "verify_mfa", totpCode: attempt.totpCode, request_id: "another" },
    });
    expect((await again.json()).code).toBe("invalid_otp");

    await step(site, browser, "/api/auth/forgot", { email: person.email });
    const reset = await letterTo(site, person.email, /password/);
    const half = await step(site, browser, "/api/auth/reset", { token: reset.token("recovery") });
    expect(half.mfaRequired).toBe(true);
    const recovered = await step(site, browser, "/api/auth/mfa-recovery", {
      action: "verify_recovery_code",
      recoveryCode: enabled.recovery_codes[0],
    });
    expect(recovered.valid).toBe(true);
    expect(await email(browser)).toBe(person.email);
    expect((await browser.get("/api/profile")).ok()).toBe(true);
    await browser.dispose();
  });
}

const MFA = "/api/auth/mfa-operations";

/** Takes a step, and restarts the server after it. */
async function step(site: Site, browser: APIRequestContext, path: string, data: object) {
  const answer = await browser.post(path, { data });
  await expect(answer, await answer.text()).toBeOK();
  const body = await answer.json();
  await site.stop();
  await site.start();
  return body;
}

async function email(browser: APIRequestContext): Promise<string | undefined> {
  const { user } = await (await browser.get("/api/auth/session")).json();
  return user?.email;
}
