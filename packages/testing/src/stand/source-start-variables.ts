import type { ProcessEnvironment } from "./stand-process.ts";

/**
 * Returns the variables of this process with which vitest.config.ts shortens the start of programs from their sources: the compile cache of Node, and
 * a hook that resolves imports (quick-resolution.ts). With `NODE_` as its REPORT_TYPES_ENV_PREFIX, a worker passes them to its renderers.
 */
export function readSourceStartVariables(): ProcessEnvironment {
  const { NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env;
  return { NODE_COMPILE_CACHE, NODE_OPTIONS };
}
