import { GatewayError } from "@reports/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../parts/dialog.tsx";
import { TextField } from "../parts/fields.tsx";
import { Collapsible } from "../parts/collapsible.tsx";
import { brandName } from "./brand.ts";
import { IssuerButton } from "./issuer-button.tsx";
import { automaticSignInState, oidcSettings } from "./oidc.ts";
import { session, signIn, signOut } from "./session.ts";

export function SignInPage() {
  useEffect(() => {
    document.title = `Sign in – ${brandName}`;
  }, []);
  return (
    <main class="sign-in">
      <p class="eyebrow">{brandName}</p>
      <h1>Sign in</h1>
      <SignInOptions />
      <p class="hint">
        {oidcSettings === null ? "You" : "With a password, you"} are signed in until you close this tab. After a reload,
        you soon have to give the password again.
      </p>
    </main>
  );
}

function SignInOptions() {
  if (automaticSignInState.value?.error === null) return <p role="status">Signing in …</p>;
  if (oidcSettings === null) return <SignInForm name="" button="Sign in" />;
  return (
    <>
      {automaticSignInState.value !== null && (
        <div class="notice bad" role="alert">
          <h2>Signing in failed</h2>
          <p>{automaticSignInState.value.error}</p>
        </div>
      )}
      <IssuerButton />
      <Collapsible title="With name and password" opens={false}>
        <SignInForm name="" button="Sign in" isSecond />
      </Collapsible>
    </>
  );
}

export function SignInAgain() {
  return (
    <Dialog title="Sign in again">
      <p class="muted">The gateway no longer accepts your credentials. Your work is still here.</p>
      {session.value?.isByPassword === false ? (
        <IssuerButton />
      ) : (
        <SignInForm name={session.value?.name ?? ""} button="Continue" />
      )}
      <div class="buttons">
        <button type="button" class="quiet" onClick={signOut}>
          Sign out instead
        </button>
      </div>
    </Dialog>
  );
}

function SignInForm(props: { readonly name: string; readonly button: string; readonly isSecond?: boolean }) {
  const [name, setName] = useState(props.name);
  const [password, setPassword] = useState("");
  const [message, setMessage] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (props.isSecond === true) return;
    [...(form.current?.querySelectorAll("input") ?? [])].find(({ value }) => value === "")?.focus();
  }, []);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setMessage(undefined);
    try {
      await signIn(name, password);
    } catch (error) {
      setMessage(signInErrorText(error));
      setPassword("");
      form.current?.querySelector<HTMLInputElement>("[type=password]")?.focus();
    } finally {
      setBusy(false);
    }
  }

  return (
    <form ref={form} onSubmit={(event) => void submit(event)}>
      <TextField label="Name" value={name} autocomplete="username" onInput={setName} />
      <TextField
        label="Password"
        type="password"
        value={password}
        autocomplete="current-password"
        error={message}
        onInput={setPassword}
      />
      <button class={props.isSecond === true ? "" : "primary"} aria-disabled={isBusy || name === "" || password === ""}>
        {isBusy ? "Signing in …" : props.button}
      </button>
    </form>
  );
}

function signInErrorText(error: unknown): string {
  if (!(error instanceof GatewayError)) return String(error instanceof Error ? error.message : error);
  return error.status === 401 ? "The name or the password is wrong." : error.detail;
}
