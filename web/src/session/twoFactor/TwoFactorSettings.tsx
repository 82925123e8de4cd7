// The second factor's settings: state, set-up, new recovery codes, and disabling.
import { notifyManager } from "@tanstack/react-query";
import { useLayoutEffect, useRef, useState } from "react";
import { useSingleMutation } from "../../api/useSingleMutation.ts";
import { Button } from "../../ui/Button.tsx";
import { Fact, FactList } from "../../ui/Facts.tsx";
import { FormProblem } from "../../ui/FormLine.tsx";
import { messageTitle } from "../../ui/messages.ts";
import { takeFocus } from "../../ui/takeFocus.ts";
import { toastSuccess } from "../../ui/toasts/toast.ts";
import { showToast } from "../../ui/toasts/toastQueue.ts";
import { useUnsaved } from "../../ui/unsaved/useUnsaved.tsx";
import {
  disableFactor,
  enableFactor,
  factorProblem,
  generateSecret,
  regenerateCodes,
  type Secret,
} from "../mfaCalls.ts";
import { type Profile, useProfileChanges } from "../profileQuery.ts";
import { CodeForm } from "./CodeForm.tsx";
import { RecoveryCodes } from "./RecoveryCodes.tsx";
import { SetUp } from "./SetUp.tsx";

type Pane =
  | { at: "status" }
  | { at: "setup"; secret: Secret; replaces: boolean }
  | { at: "codes"; codes: readonly string[]; changed: Partial<Profile> }
  | { at: "regenerate" }
  | { at: "disable" };

const STATUS: Pane = { at: "status" };

type Opening = Extract<Pane, { at: "setup" | "regenerate" | "disable" }>;
type Opened = Opening["at"] | undefined;

const CODES_ARE_LOST = "Your recovery codes are shown only now. Leaving takes them off the screen.";

interface TwoFactorSettingsProps {
  profile: Profile;
  /** Called at once when the second factor was enabled or disabled. */
  onChange?: () => void;
  /** Called with true while recovery codes on screen are not kept yet. */
  onCodes?: (areUnkept: boolean) => void;
  /** The last resort without a recovery code. */
  lastWay?: string;
}

export function TwoFactorSettings({
  profile,
  onChange,
  onCodes,
  lastWay = "write to the label",
}: TwoFactorSettingsProps) {
  const [pane, setPane] = useState<Pane>(STATUS);
  const [opened, setOpened] = useState<Opened>();
  const { take } = useProfileChanges();
  const [areComing, setComing] = useState(false);
  const { question } = useUnsaved(pane.at === "codes" || areComing, CODES_ARE_LOST);
  const close = () => setPane(STATUS);

  function showCodes(codes: readonly string[], changed: Partial<Profile> = {}): void {
    setPane({ at: "codes", codes, changed: { ...changed, recovery_codes_left: codes.length } });
    onCodes?.(true);
  }

  /** Makes a call that answers recovery codes. */
  async function coming(codes: Promise<readonly string[]>): Promise<readonly string[]> {
    setComing(true);
    try {
      return await codes;
    } finally {
      setComing(false);
    }
  }

  async function closeWith(changed: Partial<Profile>): Promise<void> {
    await take((now) => now && { ...now, ...changed });
    // Behind the news of the query, which waits for its turn.
    notifyManager.schedule(close);
  }

  return (
    <>
      {pane.at === "status" && (
        <Status
          lastWay={lastWay}
          profile={profile}
          opened={opened}
          onPane={(next) => {
            setOpened(next.at);
            setPane(next);
          }}
        />
      )}
      {pane.at === "setup" && (
        <SetUp
          secret={pane.secret}
          replaces={pane.replaces}
          onCode={async (code) => {
            const codes = await coming(enableFactor(pane.secret.secret, code));
            showToast({
              title: pane.replaces ? "Authenticator replaced" : messageTitle("mfa_enabled"),
            });
            showCodes(codes, { mfa_enabled: true, can_replace_authenticator: false });
            onChange?.();
          }}
          onCancel={close}
        />
      )}
      {pane.at === "codes" && (
        <RecoveryCodes
          codes={pane.codes}
          // Not sooner: a changed profile could remove the codes from the screen.
          onKept={() => {
            onCodes?.(false);
            void closeWith(pane.changed);
          }}
        />
      )}
      {pane.at === "regenerate" && (
        <>
          <p className="max-w-[60ch]">
            New recovery codes make the old ones void. Enter a code of your authenticator app to get
            them.
          </p>
          <CodeForm
            action="Show new codes"
            isAtHand
            failed="mfa_generate_failed"
            onCode={async (code) => showCodes(await coming(regenerateCodes(code)))}
            onCancel={close}
          />
        </>
      )}
      {pane.at === "disable" && (
        <>
          <p className="max-w-[60ch]">
            Without it, your password alone opens the account. Enter a code of your authenticator
            app to disable it.
          </p>
          <CodeForm
            action="Disable MFA"
            isDestroying
            isAtHand
            failed="mfa_disable_failed"
            onCode={async (code) => {
              await disableFactor(code);
              toastSuccess("mfa_disabled");
              await closeWith({
                mfa_enabled: false,
                can_replace_authenticator: false,
                recovery_codes_left: 0,
              });
              onChange?.();
            }}
            onCancel={close}
          />
        </>
      )}
      {question}
    </>
  );
}

interface StatusProps {
  lastWay: string;
  profile: Profile;
  /** The pane that was closed last: the focus returns to its button, or the one in its place. */
  opened: Opened;
  onPane: (pane: Opening) => void;
}

function Status({ profile, opened, lastWay, onPane }: StatusProps) {
  const isEnabled = profile.mfa_enabled;
  const isReplacing = opened === "setup" && profile.can_replace_authenticator;
  const place = useRef<HTMLButtonElement>(null);
  // Only now: a later read may change the buttons while the person is elsewhere.
  useLayoutEffect(() => takeFocus(place.current), []);
  const generate = useSingleMutation({
    mutationFn: generateSecret,
    onSuccess: (secret) => onPane({ at: "setup", secret, replaces: isEnabled }),
  });
  return (
    <>
      <FactList>
        <Fact
          name="Status"
          actions={
            <>
              {profile.can_replace_authenticator && (
                <Button
                  ref={isReplacing ? place : undefined}
                  variant="main"
                  isBusy={generate.isPending}
                  onClick={() => generate.mutate()}
                >
                  Replace authenticator
                </Button>
              )}
              <Button
                ref={opened && opened !== "regenerate" && !isReplacing ? place : undefined}
                variant={isEnabled ? "destroy" : "main"}
                isBusy={!isEnabled && generate.isPending}
                onClick={() => (isEnabled ? onPane({ at: "disable" }) : generate.mutate())}
              >
                {isEnabled ? "Disable MFA" : "Enable MFA"}
              </Button>
            </>
          }
        >
          {isEnabled ? "Enabled" : "Disabled"}
          {profile.can_replace_authenticator && (
            <p className="mt-1 max-w-[60ch] text-[0.8125rem] text-dim">
              You came in with a recovery code. If your authenticator is lost, put a new one in its
              place now.
            </p>
          )}
          {isEnabled && !profile.can_replace_authenticator && (
            <p className="mt-1 max-w-[60ch] text-[0.8125rem] text-dim">
              Phone lost? Sign out, log in again and choose “Can't access your authenticator app?”.
              A recovery code lets you in and lets you put another authenticator in its place here;
              an email code lets you in. With no recovery code left, {lastWay}.
            </p>
          )}
        </Fact>
        {isEnabled && (
          <Fact
            name="Recovery codes left"
            actions={
              <Button
                ref={opened === "regenerate" ? place : undefined}
                onClick={() => onPane({ at: "regenerate" })}
              >
                New recovery codes
              </Button>
            }
          >
            {profile.recovery_codes_left}
          </Fact>
        )}
      </FactList>
      <FormProblem>{factorProblem(generate.error, "mfa_generate_failed")}</FormProblem>
    </>
  );
}
