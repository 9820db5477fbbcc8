import { openSession } from "./session.ts";

let end: (() => Promise<void>) | null = null;

/** vitest calls this before the first test of every project; nothing is started until a test asks for it. */
export async function setup(): Promise<void> {
  end = await openSession();
}

/** vitest calls this after the last test. */
export async function teardown(): Promise<void> {
  await end?.();
}
