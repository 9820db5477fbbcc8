import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/** Builds the console: in about half a second if its scripts are unchanged, otherwise in several. If the sources have errors, logs these and keeps the previous build. */
export async function buildConsole(root: string): Promise<void> {
  const program = ["--conditions=@reports/source", join(root, "apps/console/build.ts")];
  try {
    await promisify(execFile)(process.execPath, program);
  } catch (error) {
    console.error(`The console cannot be built:\n${(error as { readonly stderr?: string }).stderr ?? String(error)}`);
  }
}
