import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { constants, getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FencedOutError, HostFailureError } from "@reports/core/base";
import type { RenderProgress, RenderRequest } from "@reports/core/report";
import { createLogger } from "@reports/runtime";
import { collectGarbage, isFullTestRun, makeNewReport, isProcessAlive, waitFor } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { selectReportTypeEnvironment } from "@reports/type-loader";
import { defaultBrand } from "../brand/brand.ts";
import { createRendererPool } from "./renderer-pool.ts";

async function startPool(
  settings: {
    recycleRssBytes?: number;
    environment?: Record<string, string>;
    directory?: string;
    onEnd?: (close: () => Promise<void>) => unknown;
  } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), "renderer-pool-"));
  const choice = { modules: ["acme"], directory: settings.directory ?? "/installed", builtIn: true };
  const unusable: Error[] = [];
  const pool = createRendererPool({
    entry: fileURLToPath(new URL("renderer-under-test.fixture.ts", import.meta.url)),
    settings: {
      sources: { main: { url: "postgres://unused", engine: "postgres" } },
      csvFormulaGuard: true,
      brand: defaultBrand,
      reportTypes: choice,
    },
    environment:
      settings.environment ??
      selectReportTypeEnvironment(process.env, "TYPES_", ["NODE_COMPILE_CACHE", "NODE_OPTIONS"]),
    size: 1,
    maxHeapMebibytes: 64,
    maxRssBytes: 400 * 1024 ** 2,
    recycleRssBytes: settings.recycleRssBytes ?? 1024 ** 3,
    abortGraceMs: 200,
    onUnusable: (error) => unusable.push(error),
    logger: createLogger({ name: "test", level: "silent" }),
  });
  const close = async (): Promise<void> => {
    pool.close();
    await rm(folder, { recursive: true });
  };
  (settings.onEnd ?? onTestFinished)(close);
  await pool.start();
  let count = 0;
  const render = (
    title: string,
    signal: AbortSignal = new AbortController().signal,
    changes: Partial<RenderRequest> = {},
  ) => {
    const spoolPath = join(folder, String(++count));
    const seen: RenderProgress[] = [];
    const times: (number | undefined)[] = [];
    const result = pool.render(
      { ...request, ...changes, title, spoolPath },
      {
        signal,
        onProgress(progress, atMs) {
          seen.push(progress);
          times.push(atMs);
        },
      },
    );
    return { result, spoolPath, seen, times };
  };
  const pidOf = async (): Promise<number> => {
    const { result, spoolPath } = render("succeed");
    await result;
    return Number(await readFile(spoolPath, "utf8"));
  };
  return { pool, render, pidOf, choice, unusable };
}

const request: RenderRequest = {
  reportId: "id",
  attempt: 1,
  reportType: "PROXY",
  title: "",
  requestedBy: "basic:alice",
  requesterName: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  now: "2026-01-01T00:00:00.000Z",
  searchParam: {},
  options: makeNewReport().options,
  spoolPath: "",
  maxSpoolBytes: 1,
  maxRows: 1,
  runTimeLimitMs: 60_000,
  keptRowsPath: null,
};

let shared: Awaited<ReturnType<typeof startPool>>;
/** A pool whose renderers some tests let fail to load their report types. */
let loading: Awaited<ReturnType<typeof startPool>>;
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  const settings = { onEnd: (close: () => Promise<void>) => closing.push(close) };
  [shared, loading] = [await startPool(settings), await startPool(settings)];
});
afterAll(async () => Promise.all(closing.map(async (close) => close())));

describe("renderer processes", () => {
  it("a renderer process makes one report after another and sends progress", async () => {
    const { render, pidOf } = shared;
    const pid = await pidOf();
    const before = Date.now();
    const { result, seen, times } = render("succeed");
    await expect(result).resolves.toMatchObject({ rowCount: 2 });
    expect(seen).toEqual([{ phase: "rendering", rowsDone: 1, rowsTotal: 2 }]);
    // Progress has the time of the renderer's clock, which is this host's clock.
    expect(times.map((atMs) => atMs! >= before && atMs! <= Date.now())).toEqual([true]);
    expect(await pidOf()).toBe(pid);
  });

  it("the pool keeps no result of a finished report in memory", async () => {
    const { render } = shared;
    const results: WeakRef<object>[] = [];
    for (let count = 0; count < 5; count++) results.push(new WeakRef(await render("succeed").result));
    await expect
      .poll(() => {
        collectGarbage();
        return results.filter((result) => result.deref() !== undefined);
      })
      .toEqual([]);
  });

  it.each([
    ["refuse the data", { name: "PermanentReportError", code: "INVALID_DATA", message: "The data make no sense." }],
    ["lose the database", { name: "StoreUnavailableError" }],
    ["have a bug", { name: "Error", message: "TypeError: x is not a function" }],
  ])("a report whose rows %s rejects with the error, and its renderer continues", async (title, error) => {
    const { render, pidOf } = shared;
    const pid = await pidOf();
    await expect(render(title).result).rejects.toMatchObject(error);
    expect(await pidOf()).toBe(pid);
  });

  it.each([
    ["crash", "RENDERER_CRASHED"],
    ["fill the heap", "OUT_OF_MEMORY"],
    ["fill the memory", "OUT_OF_MEMORY"],
  ])("renderers that %s fail their report's attempt, leave no file, and are replaced", async (title, code) => {
    const { render, pidOf } = shared;
    const pid = await pidOf();
    const { result, spoolPath } = render(title);
    await expect(result).rejects.toMatchObject({ name: "RendererCrashError", code });
    expect(existsSync(spoolPath)).toBe(false);
    expect(await pidOf()).not.toBe(pid);
    await waitFor(() => !isProcessAlive(pid), { what: "the old process to end" });
  });

  it.each(["loop forever", "wait until it is stopped"])(
    "renderers that %s end with the abort's reason when the report is stopped",
    async (title) => {
      const { render, pidOf } = shared;
      const stop = new AbortController();
      const { result, spoolPath } = render(title, stop.signal);
      await waitFor(() => existsSync(spoolPath), { what: "the renderer to begin" });
      const reason = new FencedOutError("id", 1);
      stop.abort(reason);
      await expect(result).rejects.toBe(reason);
      expect(existsSync(spoolPath)).toBe(false);
      await pidOf();
    },
  );

  it("a renderer that never yields ends at the run-time limit", async () => {
    const { render, pidOf } = shared;
    const pid = await pidOf();
    const { result, spoolPath } = render("loop forever", undefined, { runTimeLimitMs: 50 });
    await expect(result).rejects.toMatchObject({
      name: "PermanentReportError",
      code: "RUN_TIME_LIMIT_EXCEEDED",
    });
    expect(existsSync(spoolPath)).toBe(false);
    expect(await pidOf()).not.toBe(pid);
  });

  it("unknown messages of a renderer are ignored", async () => {
    const { render, pidOf } = shared;
    const pid = await pidOf();
    await expect(render("send unknown messages").result).resolves.toMatchObject({ rowCount: 2 });
    expect(await pidOf()).toBe(pid);
  });

  it("progress that a renderer sends after the end of its report is ignored", async () => {
    const { render } = shared;
    await render("send progress after the end").result;
    const { result, seen } = render("outlast earlier timers");
    await result;
    expect(seen).toEqual([{ phase: "rendering", rowsDone: 1, rowsTotal: 2 }]);
  });

  it.each(["send incomplete progress", "send an incomplete failure", "send an incomplete result"])(
    "renderers that %s are replaced, and the worker continues",
    async (behaviour) => {
      const { render, pidOf } = shared;
      const pid = await pidOf();
      await expect(render(behaviour).result).rejects.toMatchObject({ code: "RENDERER_CRASHED" });
      expect(await pidOf()).not.toBe(pid);
      await expect(render("succeed").result).resolves.toMatchObject({ rowCount: 2 });
    },
  );

  it("an uncaught error ends a renderer only if the running report caused it", async () => {
    const { render, pidOf } = shared;
    const pid = await pidOf();
    await render("leave a timer and a promise behind").result;
    await expect(render("outlast earlier timers").result).resolves.toMatchObject({ rowCount: 2 });
    expect(await pidOf()).toBe(pid);
    await expect(render("throw outside of the promise").result).rejects.toMatchObject({ code: "RENDERER_CRASHED" });
    expect(await pidOf()).not.toBe(pid);
  });

  it("every thread of a renderer and of its replacement has a low priority", async () => {
    const { render, pidOf } = shared;
    const prioritiesOf = async (pid: number): Promise<number[]> => {
      // Priorities per thread exist only on Linux, so other systems list the process alone.
      const threads = await readdir(`/proc/${pid}/task`).catch(() => [String(pid)]);
      return [...new Set(threads.map((thread) => getPriority(Number(thread))))];
    };
    expect(await prioritiesOf(await pidOf())).toEqual([constants.priority.PRIORITY_BELOW_NORMAL]);
    await expect(render("crash").result).rejects.toMatchObject({ name: "RendererCrashError" });
    expect(await prioritiesOf(await pidOf())).toEqual([constants.priority.PRIORITY_BELOW_NORMAL]);
  });

  it("renderers have separate sessions whose priority does not affect the worker", async (context) => {
    const session = (pid: number | "self"): Promise<string> => readFile(`/proc/${pid}/autogroup`, "utf8");
    const own = await session("self").catch(() =>
      context.skip("this kernel does not share processors out among sessions"),
    );
    const { pidOf } = shared;
    const pid = await pidOf();
    await expect
      .poll(async () => session(pid), { timeout: 30_000 })
      .toContain(`nice ${constants.priority.PRIORITY_BELOW_NORMAL}`);
    expect(await session("self")).toBe(own);
  });

  it("a renderer sees only TYPES_ variables and those that its worker needs", async () => {
    const { render } = await startPool({
      environment: selectReportTypeEnvironment(
        { PATH: "/bin", DATABASE_URL: "postgres://a", OURS: "1", TYPES_REGION: "eu", LANG: undefined },
        "TYPES_",
        ["OURS"],
      ),
    });
    const failure = await render("fail with the environment").result.catch(
      (error: Error) => JSON.parse(error.message) as object,
    );
    expect(failure).toEqual({ PATH: "/bin", OURS: "1", TYPES_REGION: "eu", MALLOC_MMAP_THRESHOLD_: "131072" });
  });

  it("the pool does not start if its renderers cannot load their report types", async () => {
    await expect(startPool({ directory: "/removed" })).rejects.toMatchObject({
      name: "ConfigurationError",
      problems: [{ variable: "REPORT_TYPES", message: "acme: it is gone." }],
    });
  });

  it("renderers that fail to load their report types only once do not end the worker", async () => {
    const { pool, choice, unusable } = loading;
    for (let count = 0; count < 2; count++) {
      choice.directory = "/removed";
      await expect(pool.prove()).rejects.toMatchObject({ name: "HostFailureError", part: "renderers" });
      choice.directory = "/installed";
      await pool.prove();
    }
    expect(unusable).toEqual([]);
  });

  it("renderers that cannot load types because of the host do not end the worker", async () => {
    const { pool, choice, unusable } = loading;
    choice.directory = "/unreadable";
    for (let count = 0; count < (isFullTestRun ? 3 : 2); count++)
      await expect(pool.prove()).rejects.toMatchObject({ name: "HostFailureError", part: "renderers" });
    expect(unusable).toEqual([]);
    choice.directory = "/installed";
    await pool.prove();
  });

  it("reports are requeued if renderers can no longer load their report types", async () => {
    const { render, choice, unusable } = loading;
    choice.directory = "/removed";
    await expect(render("crash").result).rejects.toMatchObject({ name: "RendererCrashError" });
    await expect(render("succeed").result).rejects.toMatchObject({ name: "HostFailureError", part: "renderers" });
    expect(unusable).toEqual([]);
    await expect(render("succeed").result).rejects.toMatchObject({ name: "ShutdownError" });
    await expect(render("succeed").result).rejects.toMatchObject({ name: "ShutdownError" });
    expect(unusable).toMatchObject([{ name: "ConfigurationError" }]);
  });

  // In every run, the test before notices the same by reports.
  it.runIf(isFullTestRun)("the pool's health check fails if renderers can no longer load their types", async () => {
    const { pool, choice, unusable } = await startPool();
    choice.directory = "/removed";
    await expect(pool.prove()).rejects.toMatchObject({ name: "HostFailureError", part: "renderers" });
    await expect(pool.prove()).rejects.toMatchObject({ name: "ShutdownError" });
    await expect(pool.prove()).rejects.toMatchObject({ name: "ShutdownError" });
    expect(unusable).toMatchObject([{ name: "ConfigurationError" }]);
  });
});

describe("a host on which no process can be started", () => {
  /** Linux allows no variable of this length, so every start of a process fails with E2BIG. */
  const tooLong = "x".repeat(4 * 1024 * 1024);
  const open = async (settings: Parameters<typeof startPool>[0] = {}) => {
    const environment = {
      ...selectReportTypeEnvironment(process.env, "TYPES_", ["NODE_COMPILE_CACHE", "NODE_OPTIONS"]),
    };
    return { environment, ...(await startPool({ ...settings, environment })) };
  };

  it("a process that cannot be started is a failure of the host", async () => {
    const { environment, pool, render, pidOf } = await open();
    process.kill(await pidOf(), "SIGKILL");
    environment["TYPES_LONG"] = tooLong;
    const failure = { name: "HostFailureError", part: "renderers" };
    await waitFor(
      async () => {
        const error: unknown = await render("succeed").result.catch((reason: unknown) => reason);
        return error instanceof HostFailureError && error.part === "renderers";
      },
      { what: "the loss of the process to be seen" },
    );
    await expect(pool.prove()).rejects.toMatchObject(failure);
    delete environment["TYPES_LONG"];
    await pool.prove();
    await render("succeed").result;
  });

  it("a grown renderer is replaced; a report keeps its result if that fails", async () => {
    const { environment, render, pidOf } = await open({ recycleRssBytes: 1 });
    const pid = await pidOf();
    expect(await pidOf()).not.toBe(pid);
    await waitFor(() => !isProcessAlive(pid), { what: "the old process to end" });
    environment["TYPES_LONG"] = tooLong;
    expect(await render("succeed").result).toMatchObject({ rowCount: 2 });
    await expect(render("succeed").result).rejects.toMatchObject({ name: "HostFailureError", part: "renderers" });
  });
});

it("all renderers end when the pool is closed", async () => {
  const { pool, pidOf, render } = shared;
  const pid = await pidOf();
  pool.close();
  await waitFor(() => !isProcessAlive(pid), { what: "the process to end" });
  await expect(render("succeed").result).rejects.toMatchObject({ name: "RendererCrashError" });
});
