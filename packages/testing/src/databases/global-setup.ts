import { openTestSession } from "./session.ts";

let end: (() => Promise<void>) | null = null;

/** Opens the session of a test run, which all test files share. vitest calls this once per project. Servers start only when a test needs them. */
export async function setup(): Promise<void> {
  end = await openTestSession();
}

export async function teardown(): Promise<void> {
  await end?.();
}
