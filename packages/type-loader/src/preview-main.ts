import { enableCompileCache } from "node:module";
import { constants, setPriority } from "node:os";
import type { ObjectPreview, MessageFromPreview, MessageToPreview } from "./object-preview.ts";
import { startWatchdog } from "./start-watchdog.ts";

const [lifetimeMs = "0", maxRssBytes = "0", compileCache = ""] = process.argv.slice(2);
process.on("disconnect", () => process.exit(1));
startWatchdog(Number(lifetimeMs), Number(maxRssBytes));
if (compileCache !== "") enableCompileCache(compileCache);
const stop = new AbortController();
process.on("message", (message: MessageToPreview) => {
  if (message.kind === "stop") stop.abort(new Error("The preview was stopped."));
  else void answer(message.preview);
});

async function answer(preview: ObjectPreview): Promise<void> {
  const { describePreviewFailure, readObjectPreview } = await import("./read-object-preview.ts");
  // Rows of a preview must not take processors from the API. The imports before this line are not slowed down.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  try {
    await readObjectPreview(preview, stop.signal, (rows) => void sendToParent({ kind: "rows", rows }));
    await flushed;
  } catch (error) {
    await sendToParent({ kind: "failed", ...describePreviewFailure(error) });
  }
  // Timers and connections of the module must not keep the process alive.
  process.exit(0);
}

let flushed: Promise<void> = Promise.resolve();

function sendToParent(message: MessageFromPreview): Promise<void> {
  flushed = new Promise((resolve) => process.send?.(message, undefined, {}, () => resolve()));
  return flushed;
}
