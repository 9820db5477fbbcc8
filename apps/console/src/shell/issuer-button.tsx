import { useState } from "preact/hooks";
import { redirectToIssuer } from "./oidc.ts";

export function IssuerButton() {
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState<string>();

  async function leave(): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setMessage(undefined);
    try {
      await redirectToIssuer();
    } catch (error) {
      setMessage(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  }

  return (
    <>
      <button type="button" class="primary" aria-disabled={isBusy} onClick={() => void leave()}>
        {isBusy ? "Redirecting …" : "Sign in with your organisation"}
      </button>
      {message !== undefined && (
        <p class="wrong" role="alert">
          {message}
        </p>
      )}
    </>
  );
}
