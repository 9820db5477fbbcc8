import { openSession } from "./session.ts";

let end: (() => Promise<void>) | null = null;

/** vitest calls this before the first test of every project. Servers start when a test asks for them. */
export async function setup(): Promise<void> {
  end = await openSession();
}

export async function teardown(): Promise<void> {
  await end?.();
}
