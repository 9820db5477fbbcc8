import { writeFile } from "node:fs/promises";
import { PermanentReportError, StoreUnavailableError } from "@reports/core/base";
import type { Render } from "@reports/core/report";
import { serveRenderRequests } from "./serve-render-requests.ts";

const rendersByTitle: Record<string, Render> = {
  "leave a timer and a promise behind": async (request, context) => {
    const result = await rendersByTitle["succeed"]!(request, context);
    // The timers start after the file is written, because writing takes longer than 20 ms on a busy machine.
    setTimeout(() => {
      throw new Error("A timer was left behind.");
    }, 20);
    setTimeout(() => void Promise.reject(new Error("A promise was left behind.")), 40);
    return result;
  },
  "send progress after the end": async (request, context) => {
    setTimeout(() => context.onProgress({ phase: "storing", rowsDone: 999, rowsTotal: 1000 }), 20);
    return rendersByTitle["succeed"]!(request, context);
  },
  "outlast earlier timers": async (request, context) => {
    await new Promise((resolve) => setTimeout(resolve, 80));
    return rendersByTitle["succeed"]!(request, context);
  },
  "throw outside of the promise": async () => {
    setTimeout(() => {
      throw new Error("Nobody awaits this.");
    }, 1);
    return new Promise(() => undefined);
  },
  succeed: async (request, { onProgress }) => {
    await writeFile(request.spoolPath, String(process.pid));
    onProgress({ phase: "rendering", rowsDone: 1, rowsTotal: 2 });
    return {
      rowCount: 2,
      sizeBytes: 1,
      sha256: "0".repeat(64),
      extension: "csv",
      columns: [],
      dataAsOf: "2026-01-01T00:00:00.000Z",
      warnings: [],
      keptRows: null,
    };
  },
  "send unknown messages": async (request, context) => {
    for (const message of [null, "ready", 7]) process.send?.(message);
    return rendersByTitle["succeed"]!(request, context);
  },
  "send incomplete progress": async (request, context) => {
    process.send?.({ kind: "progress", steps: [null] });
    return rendersByTitle["succeed"]!(request, context);
  },
  "send an incomplete failure": async (request, context) => {
    process.send?.({ kind: "failed" });
    return rendersByTitle["succeed"]!(request, context);
  },
  "send an incomplete result": async (request, context) => {
    process.send?.({ kind: "done", steps: [] });
    return rendersByTitle["succeed"]!(request, context);
  },
  "fail with the environment": async () => {
    throw new PermanentReportError("INVALID_DATA", JSON.stringify(process.env));
  },
  "refuse the data": async () => {
    throw new PermanentReportError("INVALID_DATA", "The data make no sense.");
  },
  "lose the database": async () => {
    throw new StoreUnavailableError("The database is away.");
  },
  "have a bug": async () => {
    throw new TypeError("x is not a function");
  },
  crash: async (request) => {
    await writeFile(request.spoolPath, "half");
    process.kill(process.pid, "SIGSEGV");
    return new Promise(() => undefined);
  },
  "fill the heap": async () => {
    // Copies of one array fill the heap with less work than many small objects, each of which the garbage collector visits.
    let hoard = [0.5];
    for (;;) hoard = hoard.concat(hoard);
  },
  "fill the memory": async () => {
    const hoard: Buffer[] = [];
    for (;;) {
      // The hoard stops at 1 GB, far above the limit, so that a late check on a busy machine does not exhaust the host.
      if (hoard.length < 64) hoard.push(Buffer.alloc(16 * 1024 * 1024, 1));
      await new Promise((resolve) => setImmediate(resolve));
    }
  },
  "loop forever": async (request) => {
    await writeFile(request.spoolPath, "half");
    for (;;);
  },
  "wait until it is stopped": async (request, { signal }) => {
    await writeFile(request.spoolPath, "half");
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
  },
};

serveRenderRequests(async ({ reportTypes }) =>
  ["/removed", "/unreadable"].includes(reportTypes.directory)
    ? {
        ok: false,
        problems: [{ variable: "REPORT_TYPES", message: "acme: it is gone." }],
        isHostFailure: reportTypes.directory === "/unreadable",
      }
    : { ok: true, render: async (request, context) => rendersByTitle[request.title]!(request, context) },
);
