import { render } from "preact";
import { App } from "./shell/app.tsx";
import { listenForKeys } from "./shell/keys.ts";

listenForKeys();
render(<App />, document.body);
