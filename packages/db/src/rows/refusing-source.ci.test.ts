import { hasH2, startH2 } from "@reports/testing";
import { expect, test } from "vitest";
import { checkViewedType, refusingSourceEngine, viewedTypeRequest } from "./refusing-source.fixture.ts";
import { createReportSource } from "./report-source.ts";

test.skipIf(!hasH2())(
  "H2 in Postgres mode makes its types unusable, with H2's message",
  async () => {
    await using server = await startH2();
    const { problem, isUnknown } = await checkViewedType({ url: server.url, engine: refusingSourceEngine });
    expect(problem).toMatchObject({ code: "SOURCE_REFUSED", message: expect.stringContaining("Syntax error in SQL") });
    expect(isUnknown).toBe(false);
    await expect(createReportSource({ url: server.url }).open(viewedTypeRequest)).rejects.toMatchObject({
      because: "TYPE_UNUSABLE",
      message: expect.stringContaining("Syntax error in SQL"),
    });
  },
  180_000,
);
