import { render } from "preact";
import { App } from "./shell/app.tsx";
import { ErrorBoundary } from "./shell/error-boundary.tsx";
import { listenForShortcuts } from "./shell/keys.ts";
import { signInWithoutForm } from "./shell/oidc.ts";
import { usePageStates } from "./shell/page-state.ts";

signInWithoutForm();
listenForShortcuts();
render(<Root />, document.body);

function Root() {
  usePageStates();
  return (
    <ErrorBoundary title="Console">
      <App />
    </ErrorBoundary>
  );
}
