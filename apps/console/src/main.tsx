import { render } from "preact";
import { App } from "./shell/app.tsx";
import { ErrorBoundary } from "./shell/error-boundary.tsx";
import { listenForKeys } from "./shell/keys.ts";
import { takeReturn } from "./shell/oidc.ts";

takeReturn();
listenForKeys();
render(
  <ErrorBoundary title="Console">
    <App />
  </ErrorBoundary>,
  document.body,
);
