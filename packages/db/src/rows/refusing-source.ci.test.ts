import { hasH2Database, startH2Database } from "@reports/testing";
import { expect, test } from "vitest";
import { checkViewedType, refusingSourceEngine, viewedTypeRequest } from "./refusing-source.fixture.ts";
import { createRowSourceReader } from "./report-source.ts";

test.skipIf(!hasH2Database())(
  "H2 in Postgres mode makes its types unusable, with H2's message",
  async () => {
    await using server = await startH2Database();
    const { problem, isUnknown } = await checkViewedType({ url: server.url, engine: refusingSourceEngine });
    expect(problem).toMatchObject({ code: "SOURCE_REFUSED", message: expect.stringContaining("Syntax error in SQL") });
    expect(isUnknown).toBe(false);
    await expect(
      createRowSourceReader({ url: server.url, connectTimeoutMs: 60_000 }).open(viewedTypeRequest),
    ).rejects.toMatchObject({
      because: "TYPE_UNUSABLE",
      message: expect.stringContaining("Syntax error in SQL"),
    });
  },
  180_000,
);
