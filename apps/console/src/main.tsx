import { render } from "preact";
import { App } from "./shell/app.tsx";
import { ErrorBoundary } from "./shell/error-boundary.tsx";
import { listenForShortcuts } from "./shell/keys.ts";
import { signInAutomatically } from "./shell/oidc.ts";
import { useRerenderOnStateChange } from "./shell/observable-value.ts";

signInAutomatically();
listenForShortcuts();
render(<Root />, document.body);

function Root() {
  useRerenderOnStateChange();
  return (
    <ErrorBoundary title="Console">
      <App />
    </ErrorBoundary>
  );
}
