import { constants, setPriority } from "node:os";
import { serialiseError } from "../renderer/protocol.ts";
import { openReconciler } from "./compose-reconciler.ts";
import type { ReconcilerMessage, ReconcilerTask } from "./reconciler-process.ts";

process.once("message", (task) => void serve(task as ReconcilerTask));
// The worker has ended, so nobody waits for this round.
process.once("disconnect", killThisProcess);
// A terminal sends these signals to all its processes. The worker decides when this process ends.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);

async function serve({ does, ...task }: ReconcilerTask): Promise<void> {
  const send = async (message: ReconcilerMessage): Promise<void> =>
    new Promise((resolve) => process.send!(message, () => resolve()));
  try {
    // Threads inherit the priority only if they start after this call, so the call comes first.
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
    const onRemovalError = (error: unknown): void => void send({ kind: "not-removed", error: serialiseError(error) });
    const reconciler = await openReconciler(task, onRemovalError);
    // This signal never aborts. The worker kills this process to end a round.
    const { signal } = new AbortController();
    const works = {
      run: async () => reconciler.run(signal),
      plan: async () => reconciler.plan(() => undefined, signal),
    };
    const outcome = await works[does]();
    await send({ kind: "done", outcome });
  } catch (error) {
    await send({ kind: "failed", error: serialiseError(error) });
  }
  killThisProcess();
}

/** Ends the process immediately. `process.exit` would wait for threads, one of which may hang in a file call. */
function killThisProcess(): void {
  process.kill(process.pid, "SIGKILL");
}
