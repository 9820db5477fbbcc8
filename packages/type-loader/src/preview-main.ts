import { enableCompileCache } from "node:module";
import { Socket } from "node:net";
import { constants, setPriority } from "node:os";
import { previewChannelFd, type ObjectPreviewRequest, type PreviewReply } from "./object-preview-request.ts";
import { startProcessWatchdog } from "./start-process-watchdog.ts";

const [lifetimeMs = "0", stopGraceMs = "0", maxRssBytes = "0", compileCache = ""] = process.argv.slice(2);
startProcessWatchdog(Number(lifetimeMs), Number(maxRssBytes));
if (compileCache !== "") enableCompileCache(compileCache);
// The parent closes the output of a function that prints too much. The preview continues without that output.
for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined);
const stop = new AbortController();
const channel = new Socket({ fd: previewChannelFd, readable: true, writable: true, allowHalfOpen: true });
let requestLine = "";
channel.setEncoding("utf8");
channel.on("error", () => process.exit(1));
channel.on("data", (text: string) => {
  requestLine += text;
  if (text.endsWith("\n")) void answer(JSON.parse(requestLine) as ObjectPreviewRequest);
});
channel.on("end", () => {
  stop.abort(new Error("The preview was stopped."));
  setTimeout(() => process.exit(1), Number(stopGraceMs));
});

async function answer(preview: ObjectPreviewRequest): Promise<void> {
  const { describePreviewFailure, readObjectPreview } = await import("./read-object-preview.ts");
  // The function of a report type runs with a lower priority than the API. The imports before this line run with normal priority.
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

function sendToParent(reply: PreviewReply): Promise<void> {
  flushed = new Promise((resolve) => channel.write(`${JSON.stringify(reply)}\n`, () => resolve()));
  return flushed;
}
