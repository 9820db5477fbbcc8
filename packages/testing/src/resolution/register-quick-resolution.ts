import { registerHooks } from "node:module";
import { createQuickResolution } from "./quick-resolution.ts";

registerHooks({ resolve: createQuickResolution(new URL("../../../../", import.meta.url).href) });
