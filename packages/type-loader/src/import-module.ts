import { readReportTypes, type ReadReportTypes } from "@reports/core";
import { resolveModule } from "./resolve-module.ts";

const longestMessage = 500;

/** Imports a module of report types into this process and reads its default export. Whatever is thrown at import is a problem. */
export async function importModule(name: string, directory: string): Promise<ReadReportTypes> {
  let loaded: { readonly default?: unknown };
  try {
    loaded = (await import(resolveModule(name, directory))) as typeof loaded;
  } catch (error) {
    return { ok: false, problems: [`it cannot be imported: ${describe(error)}.`] };
  }
  try {
    return readReportTypes(loaded.default);
  } catch (error) {
    // A default export can have getters that throw, and a list in the place of which stands something else.
    return { ok: false, problems: [`its default export cannot be read: ${describe(error)}.`] };
  }
}

/** What was thrown, and where, in one line. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return `it threw ${typeof error === "string" ? JSON.stringify(error) : typeof error}`;
  const stack = error.stack?.replace(error.message, "") ?? "";
  const at = stack.indexOf("file:///");
  const place = at === -1 ? undefined : stack.slice(at).split(/[\s)]/, 1)[0];
  const text = `${error.name}: ${error.message}`.replaceAll(/\s+/g, " ").slice(0, longestMessage).replace(/\.$/, "");
  return place === undefined ? text : `${text} (${place})`;
}
