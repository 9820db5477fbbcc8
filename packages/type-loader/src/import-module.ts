import { foreignMessage, foreignText, readForeign } from "@reports/core/base";
import { readReportTypes, type ReadReportTypes } from "@reports/core/report";
import { resolveModule } from "./resolve-module.ts";

/** `isHostFailure`: the system failed, such as a shared folder or the memory, and the module may be fine. */
export type ImportResult = ReadReportTypes & { readonly isHostFailure?: true };

/** Imports a module of report types here and reads its default export. Any error is a problem. */
export async function importModule(name: string, directory: string): Promise<ImportResult> {
  let loaded: { readonly default?: unknown };
  try {
    loaded = (await import(resolveModule(name, directory))) as typeof loaded;
  } catch (error) {
    const problems = [`it cannot be imported: ${describe(error)}.`];
    return isSystemError(error) ? { ok: false, problems, isHostFailure: true } : { ok: false, problems };
  }
  try {
    return readReportTypes(loaded.default);
  } catch (error) {
    // A default export can have getters that throw, or something other than a list.
    return { ok: false, problems: [`its default export cannot be read: ${describe(error)}.`] };
  }
}

/** Node gives each error of a system call its number and its name. */
function isSystemError(error: unknown): boolean {
  return typeof readForeign(error, "errno") === "number" && typeof readForeign(error, "syscall") === "string";
}

/** Describes a thrown value and its place in one line. */
function describe(error: unknown): string {
  if (typeof error === "string") return `it threw ${JSON.stringify(foreignText(error))}`;
  const [name, stack] = [readForeign(error, "name"), readForeign(error, "stack")];
  if (typeof name !== "string") return `it threw ${typeof error}`;
  const text = foreignText(`${name}: ${foreignMessage(error)}`.replaceAll(/\s+/g, " ")).replace(/\.$/, "");
  const place = typeof stack === "string" ? placeIn(stack, readForeign(error, "message")) : undefined;
  return place === undefined ? text : `${text} (${place})`;
}

function placeIn(stack: string, message: unknown): string | undefined {
  const frames = typeof message === "string" ? stack.replace(message, "") : stack;
  const at = frames.indexOf("file:///");
  return at === -1 ? undefined : foreignText(frames.slice(at).split(/[\s)]/, 1)[0] ?? "");
}
