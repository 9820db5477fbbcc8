import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/** Takes half a second. Errors in the sources are logged, and the previous build stays. */
export async function buildConsole(root: string): Promise<void> {
  const program = ["--conditions=@reports/source", join(root, "apps/console/build.ts")];
  try {
    await promisify(execFile)(process.execPath, program);
  } catch (error) {
    console.error(`The console cannot be built:\n${(error as { readonly stderr?: string }).stderr ?? String(error)}`);
  }
}
