import { render } from "preact";
import { App } from "./shell/app.tsx";
import { ErrorBoundary } from "./shell/error-boundary.tsx";
import { listenForShortcuts } from "./shell/keys.ts";
import { signInWithoutForm } from "./shell/oidc.ts";
import { useObservableValues } from "./shell/observable-value.ts";

signInWithoutForm();
listenForShortcuts();
render(<Root />, document.body);

function Root() {
  useObservableValues();
  return (
    <ErrorBoundary title="Console">
      <App />
    </ErrorBoundary>
  );
}
