import { render } from "preact";
import { App } from "./shell/app.tsx";
import { listenForKeys } from "./shell/keys.ts";
import { takeReturn } from "./shell/oidc.ts";

takeReturn();
listenForKeys();
render(<App />, document.body);
