import { hasH2, startH2 } from "@reports/testing";
import { expect, test } from "vitest";
import { checkView, engine, request } from "./refusing-source.fixture.ts";
import { createReportSource } from "./report-source.ts";

test.skipIf(!hasH2())(
  "H2 in Postgres mode makes its types unusable, with H2's message",
  async () => {
    await using server = await startH2();
    const { problem, isUnknown } = await checkView({ url: server.url, engine });
    expect(problem).toMatchObject({ code: "SOURCE_REFUSED", message: expect.stringContaining("Syntax error in SQL") });
    expect(isUnknown).toBe(false);
    await expect(createReportSource({ url: server.url }).open(request)).rejects.toMatchObject({
      because: "TYPE_UNUSABLE",
      message: expect.stringContaining("Syntax error in SQL"),
    });
  },
  180_000,
);
