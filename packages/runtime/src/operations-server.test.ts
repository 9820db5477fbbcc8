import { afterEach, describe, expect, it } from "vitest";
import { StillStartingError } from "./health-check.ts";
import { createLogger } from "./log/logger.ts";
import { createMetrics, combineLabels } from "./metrics.ts";
import { createOperationsServer, type OperationsServer } from "./operations-server.ts";
import { StartupError } from "./startup-error.ts";

const logger = createLogger({ name: "test", level: "silent" });
const running: OperationsServer[] = [];

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop(AbortSignal.abort());
});

function serverWith(checks: Record<string, () => Promise<unknown>>, port = 0, metrics = createMetrics()) {
  const server = createOperationsServer({ host: "127.0.0.1", port, checks, checkTimeoutMs: 50, metrics, logger });
  running.push(server);
  return { server, metrics };
}

describe("the operations server", () => {
  it("while a check fails, /health/live answers 200 and /health/ready 503", async () => {
    const { server } = serverWith({
      database: async () => Promise.reject(new Error("away")),
      store: async () => undefined,
    });
    const { port } = await server.start();
    expect((await fetch(`http://127.0.0.1:${port}/health/live`)).status).toBe(200);
    const ready = await fetch(`http://127.0.0.1:${port}/health/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      status: "failing",
      checks: { database: { status: "failing" }, store: { status: "ok" } },
    });
  });

  it("/health/ready answers 200 when every check passes", async () => {
    const { server } = serverWith({ store: async () => undefined });
    const { port } = await server.start();
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
  });

  it("the server logs one warning per failure of a check, and none during the start", async () => {
    const lines: string[] = [];
    let works = false;
    let reason: Error = new StillStartingError("The process is starting.");
    const server = createOperationsServer({
      host: "127.0.0.1",
      port: 0,
      checks: { running: async () => (works ? undefined : Promise.reject(reason)) },
      metrics: createMetrics(),
      logger: createLogger({ name: "test", level: "info", destination: { write: (line) => lines.push(line) } }),
    });
    running.push(server);
    const { port } = await server.start();
    const probe = async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status;
    expect(await probe()).toBe(503);
    expect(lines).toEqual([]);
    works = true;
    expect(await probe()).toBe(200);
    [works, reason] = [false, new Error("It has ended.")];
    expect([await probe(), await probe()]).toEqual([503, 503]);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: "warn", check: "running", msg: "readiness check failed" },
    ]);
  });

  it("/metrics serves all metrics, but omits a gauge that can't be read", async () => {
    const { server, metrics } = serverWith({});
    const series = combineLabels({ outcome: ["ok", "failed"] });
    metrics
      .counter({ name: "reports_jobs_total", help: "Jobs.", labels: ["outcome"], series })
      .inc({ outcome: "ok" }, 2);
    metrics.histogram({ name: "reports_run_seconds", help: "Run time.", buckets: [1, 10] }).observe(5);
    metrics.polledGauge({ name: "reports_queue_depth", help: "Depth.", labels: ["lane"] }, () => [
      { value: 3, labels: { lane: "short" } },
    ]);
    metrics.polledGauge({ name: "reports_broken", help: "Broken." }, async () => Promise.reject(new Error("away")));
    metrics.polledGauge({ name: "reports_broken_lane", help: "Broken.", labels: ["lane"] }, async () =>
      Promise.reject(new Error("away")),
    );
    metrics.polledGauge({ name: "reports_nothing_wrong", help: "Faults.", labels: ["type", "reason"] }, () => []);
    const { port } = await server.start();
    const url = `http://127.0.0.1:${port}/metrics`;
    await (await fetch(url)).text();
    const answer = await fetch(url);
    const text = await answer.text();
    expect(answer.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(text).toContain('reports_jobs_total{outcome="ok"} 2');
    expect(text).toContain('reports_jobs_total{outcome="failed"} 0');
    expect(text).toContain('reports_run_seconds_bucket{le="10"} 1');
    expect(text).toContain('reports_queue_depth{lane="short"} 3');
    expect(text).toMatch(/nodejs_eventloop_lag_seconds \d/);
    expect(text).not.toMatch(/^reports_broken /m);
    expect(text).toMatch(/reports_metrics_read_failures_total\{metric="reports_broken"\} \d/);
  });

  it("/metrics reads the metrics once for concurrent requests", async () => {
    const metrics = createMetrics(undefined, { okMs: 600_000, failureMs: 600_000, timeoutMs: 600_000 });
    const { server } = serverWith({}, 0, metrics);
    let renderings = 0;
    metrics.polledGauge({ name: "reports_renderings", help: "Renderings." }, () => [{ value: ++renderings }]);
    const { port } = await server.start();
    const scrapes = Array.from({ length: 40 }, async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
    for (const text of await Promise.all(scrapes)) expect(text).toContain("reports_renderings ");
    expect(renderings).toBe(1);
  });

  it("the server answers HEAD without a body, other methods 405 and other paths 404", async () => {
    const { server } = serverWith({});
    const { port } = await server.start();
    const head = await fetch(`http://127.0.0.1:${port}/health/live?x=1`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const post = await fetch(`http://127.0.0.1:${port}/metrics`, { method: "POST" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    for (const path of ["/", "/health", "/constructor"]) {
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(404);
    }
  });

  it("the server rejects with StartupError and says what to do if its port is taken", async () => {
    const { server } = serverWith({});
    const { port } = await server.start();
    const second = serverWith({}, port).server;
    await expect(second.start()).rejects.toThrow(
      new StartupError(
        `Port ${port} on 127.0.0.1 is taken by another process. Stop that process or choose another port.`,
      ),
    );
  });

  it("stopping an operations server that was never started resolves", async () => {
    const { server } = serverWith({});
    await expect(server.stop(new AbortController().signal)).resolves.toBeUndefined();
  });
});
