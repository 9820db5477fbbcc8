import { expect, test } from "vitest";
import { createMetrics } from "./metrics.ts";

test("the text of each registry contains the metrics of the process and its own ones", async () => {
  const [first, second] = [createMetrics(), createMetrics()];
  first.gauge({ name: "reports_first", help: "First." }).set(1);
  second.gauge({ name: "reports_second", help: "Second." }).set(2);
  for (const [metrics, name] of [
    [first, "reports_first"],
    [second, "reports_second"],
  ] as const) {
    const { body } = await metrics.render();
    const names = [...body.matchAll(/^# TYPE (\S+) /gm)].map(([, each]) => each!);
    expect(names).toEqual(expect.arrayContaining(["process_cpu_seconds_total", "nodejs_eventloop_lag_seconds", name]));
    expect(names.filter((each) => /^reports_(?:first|second)$/.test(each))).toEqual([name]);
    expect(new Set(names).size).toBe(names.length);
    expect(body).toMatch(/\n\n# HELP report_build_info .*[^\n]\n$/s);
  }
});
