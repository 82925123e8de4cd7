// The login dialog: sign-in, sign-up, and the second factor if the account has one.
import { Tabs } from "@base-ui/react/tabs";
import { useNavigate, useRouterState } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import { useRules } from "../../rules/useRules.ts";
import { mfaMessage } from "../../session/mfaMessages.ts";
import { TwoFactorScreen } from "../../session/screens/TwoFactorScreen.tsx";
import { useAuth } from "../../session/useAuth.ts";
import { Modal } from "../../ui/Modal.tsx";
import { messageText } from "../../ui/messages.ts";
import { useToastsAhead } from "../../ui/toasts/Toasts.tsx";
import { useIsMounted } from "../../ui/useIsMounted.ts";
import { LoginForm, useLoginForm } from "./access/LoginForm.tsx";
import { SignUpForm, useSignUpForm } from "./access/SignUpForm.tsx";

type LeftBecause = "cancelled" | "expired";

/** Closing discards what its forms hold. */
export function TerminalAccessDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const isMounted = useIsMounted();
  const wantsReset = useRouterState({ select: (state) => state.location.search.reset === true });
  const { user, ended, mfaRequired, isFactorGiven, signOut } = useAuth();
  const [isSecondStep, setSecondStep] = useState(false);
  const [left, setLeft] = useState<LeftBecause>();
  const [tab, setTab] = useState<string>("login");
  const login = useLoginForm(() => setLeft(undefined));
  // Replaces the dialog's entry: Back leads to the page under it.
  const signUp = useSignUpForm(() => {
    // If the dialog was closed in the meantime, the page stays; the letter says the rest.
    if (isMounted()) void navigate({ to: "/auth/signup-success", replace: true });
  });
  const leave = useCallback(() => {
    if (wantsReset) void navigate({ to: "/profile", replace: true });
    else onClose();
  }, [wantsReset, navigate, onClose]);
  useRules();
  useToastsAhead();

  const { setFocus } = login;
  useEffect(() => {
    if (left) setFocus("identifier");
  }, [left, setFocus]);

  // Stays until the screen leads on, though the session may be verified earlier.
  if (mfaRequired && !isSecondStep && !left) setSecondStep(true);
  if (isSecondStep && !isFactorGiven && user === null) leaveSecondStep("expired");
  const isSignedIn = user !== null && !mfaRequired && !isSecondStep;
  useEffect(() => {
    // In this tab or another one.
    if (isSignedIn) leave();
  }, [isSignedIn, leave]);

  function leaveSecondStep(because: LeftBecause): void {
    setLeft(because);
    setSecondStep(false);
    setTab("login");
  }
  async function cancel(): Promise<void> {
    leaveSecondStep("cancelled");
    await signOut();
  }

  if (isSecondStep) {
    return (
      <Modal title="TERMINAL ACCESS" onClose={isFactorGiven ? leave : () => void cancel()}>
        <div className="p-gutter">
          <TwoFactorScreen onVerified={leave} onCancel={() => void cancel()} />
        </div>
      </Modal>
    );
  }
  return (
    <Modal title="TERMINAL ACCESS" onClose={onClose}>
      <Tabs.Root value={tab} onValueChange={setTab}>
        <Tabs.List
          activateOnFocus
          className="type-label grid grid-cols-2 border-hairline border-b"
          aria-label="Access"
        >
          {TABS.map(({ value, name }) => (
            <Tabs.Tab
              key={value}
              value={value}
              className="group flex min-h-12 items-center gap-2.5 px-gutter text-dim -outline-offset-2 hover:text-ink aria-selected:text-ink not-first:border-hairline not-first:border-l"
            >
              <span
                aria-hidden="true"
                className="block-cursor hidden text-signal group-aria-selected:inline-block"
              />
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {/* A closing panel fades out with its content; two forms at once would share field names. */}
        <Tabs.Panel value="login" className="p-gutter">
          {tab === "login" && (
            <LoginForm
              form={login}
              notice={
                left === "cancelled"
                  ? messageText("mfa_cancelled")
                  : ended || left === "expired"
                    ? mfaMessage("no_session")
                    : undefined
              }
              wantsReset={wantsReset}
            />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="signup" className="p-gutter">
          {tab === "signup" && <SignUpForm form={signUp} />}
        </Tabs.Panel>
      </Tabs.Root>
    </Modal>
  );
}

const TABS = [
  { value: "login", name: "LOGIN" },
  { value: "signup", name: "SIGN UP" },
] as const;
