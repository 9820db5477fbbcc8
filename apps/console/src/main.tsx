import { render } from "preact";
import { App } from "./shell/app.tsx";
import { ErrorBoundary } from "./shell/error-boundary.tsx";
import { listenForKeys } from "./shell/keys.ts";
import { handleIssuerReturn } from "./shell/oidc.ts";

handleIssuerReturn();
listenForKeys();
render(
  <ErrorBoundary title="Console">
    <App />
  </ErrorBoundary>,
  document.body,
);
