// Generated clients import modules without an extension, which bundlers allow and Node.js does not.
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith(".") || /\.[cm]?[jt]s$/.test(specifier)) return next(specifier, context);
    for (const ending of [".ts", "/index.ts"]) {
      try {
        return next(`${specifier}${ending}`, context);
      } catch (error) {
        if (error?.code !== "ERR_MODULE_NOT_FOUND") throw error;
      }
    }
    return next(specifier, context);
  },
});
