import { expect, test } from "vitest";
import { startInputFromBody } from "../request/start-input.ts";
import { fillDefinitionDefaults } from "../types/fill-definition-defaults.ts";
import { createOnceClaim } from "./idempotency.ts";
import type { Report } from "./report-record.ts";
import { startRendition } from "./start-rendition.ts";
import { unguardedStarts, type StartDeps } from "./start-report.ts";

const once = { endpoint: "createReportFile", key: "1", answerOf: () => "" };

async function fingerprintOf(key: string, formerly?: readonly string[]) {
  const stored: (string | undefined)[] = [];
  const reports: StartDeps["reports"] = {
    createQueued: async (_report, _limits, claim) => {
      stored.push(claim?.fingerprint);
      return {} as never;
    },
    findStarted: async () => null,
  };
  const definition = fillDefinitionDefaults({
    type: "LOT",
    version: 1,
    title: "Lots",
    columns: [{ key, title: "Lot", kind: "text", ...(formerly && { formerly }) }],
    rows: { kind: "objects", async *rows() {} },
  });
  const { options } = startInputFromBody(definition, { reportType: "LOT", sort: [`-${key}`] }, new Date(0));
  const context = { principalId: "basic:ann", traceparent: null, requiredAuthority: null, once };
  const report = { id: "1", reportType: "LOT", title: "Lots", rowCount: 1 } as Report;
  await startRendition({ ...unguardedStarts, reports, newId: () => "2" }, context, { definition, report, options });
  return { hash: stored[0], options };
}

test("renaming a column key keeps the hash of a start of an additional format", async () => {
  const { hash, options } = await fingerprintOf("lot");
  expect(hash).toBe(createOnceClaim("basic:ann", once, ["1", options]).fingerprint);
  expect((await fingerprintOf("batch", ["lot"])).hash).toBe(hash);
});
