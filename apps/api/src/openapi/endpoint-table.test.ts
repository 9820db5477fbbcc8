import { expect, test } from "vitest";
import { startApiUnderTest } from "../test/api-under-test.ts";
import { endpointTable } from "../test/endpoint-table.ts";

test("docs/reference/endpoints.md is what `pnpm generate endpoint-table` writes", async () => {
  await using api = await startApiUnderTest();
  await expect(endpointTable(api.endpoints)).toMatchFileSnapshot("../../../../docs/reference/endpoints.md");
});
