import { readThrownMessage, sanitiseUntrustedText, readPropertySafely } from "@reports/core/base";
import { readReportTypes, type ReadReportTypes } from "@reports/core/report";
import { resolveReportTypeModule } from "./resolve-report-type-module.ts";

/**
 * The report types of a module, or the problems. If `isHostFailure` is true, the machine failed (such as a shared folder or the memory), and the
 * module may be valid.
 */
export type ModuleImportResult = ReadReportTypes & { readonly isHostFailure?: true };

/** Imports a module in this process and reads its default export, without rejecting. Returns every error as a problem. */
export async function importReportTypeModule(name: string, directory: string): Promise<ModuleImportResult> {
  let loaded: { readonly default?: unknown };
  try {
    loaded = (await import(resolveReportTypeModule(name, directory))) as typeof loaded;
  } catch (error) {
    const problems = [`it cannot be imported: ${describeError(error)}.`];
    return isSystemError(error) ? { ok: false, problems, isHostFailure: true } : { ok: false, problems };
  }
  try {
    return readReportTypes(loaded.default);
  } catch (error) {
    // Reading the default export can throw, because it can be any value with any getters.
    return { ok: false, problems: [`its default export cannot be read: ${describeError(error)}.`] };
  }
}

/** Reports whether an error comes from a system call, on which Node sets `errno` and `syscall`. */
function isSystemError(error: unknown): boolean {
  return (
    typeof readPropertySafely(error, "errno") === "number" && typeof readPropertySafely(error, "syscall") === "string"
  );
}

function describeError(error: unknown): string {
  if (typeof error === "string") return `it threw ${JSON.stringify(sanitiseUntrustedText(error))}`;
  const [name, stack] = [readPropertySafely(error, "name"), readPropertySafely(error, "stack")];
  if (typeof name !== "string") return `it threw ${typeof error}`;
  const text = sanitiseUntrustedText(`${name}: ${readThrownMessage(error)}`.replaceAll(/\s+/g, " ")).replace(/\.$/, "");
  const location =
    typeof stack === "string" ? findErrorLocation(stack, readPropertySafely(error, "message")) : undefined;
  return location === undefined ? text : `${text} (${location})`;
}

function findErrorLocation(stack: string, message: unknown): string | undefined {
  const frames = typeof message === "string" ? stack.replace(message, "") : stack;
  const at = frames.indexOf("file:///");
  return at === -1 ? undefined : sanitiseUntrustedText(frames.slice(at).split(/[\s)]/, 1)[0] ?? "");
}
