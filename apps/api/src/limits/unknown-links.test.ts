import { waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import { builtInReportAuthorities, startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";

const limits = { logins: { perAddress: 3, perAccount: 0 } };
const noRecord = "/v1/reports/018f0000-0000-7000-8000-00000000dead";

async function follow(api: ApiUnderTest, times: number) {
  const tokens = Array.from({ length: times }, (_, index) => `${index}`.padStart(43, "B"));
  const answers = await Promise.all(tokens.map(async (token) => api.anonymous().get(`/v1/links/${token}`)));
  return answers.map(({ status }) => status).toSorted((one, other) => one - other);
}

async function waitingStatements({ sql }: ApiUnderTest) {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return row!.count;
}

test("an address that requested too many unknown links is refused without a query", async () => {
  const at = new Date();
  await using api = await startApiUnderTest({ limits, now: () => at });
  const caller = await api.as(builtInReportAuthorities);
  const { body } = await caller.post("/v1/reports").send({ reportType: "PROXY", format: "csv" }).expect(202);
  const { file } = await api.succeed(body.id as string, "name\r\n");
  const links = `/v1/reports/${body.id}/files/${file!.id}/links`;
  const { body: link } = await caller.post(links).send({}).expect(201);
  expect(await follow(api, 4)).toEqual([404, 404, 404, 429]);
  await api.sql.begin(async (locking) => {
    await locking`select from rate_windows for update`;
    expect(await follow(api, 30)).toEqual(Array.from({ length: 30 }, () => 429));
    await api
      .anonymous()
      .get(link.url as string)
      .expect(200);
  });
});

test("an address with many unknown links leaves database connections to others", async () => {
  await using api = await startApiUnderTest({ limits });
  await using watching = await startApiUnderTest({ databaseUrl: api.databaseUrl });
  expect(await follow(api, 1)).toEqual([404]);
  const caller = await api.as(builtInReportAuthorities);
  const answers = await api.sql.begin(async (locking) => {
    await locking`select from rate_windows for update`;
    const following = follow(api, 30);
    await waitFor(async () => (await waitingStatements(watching)) > 0, { what: "an unknown link being counted" });
    await caller.get(noRecord).expect(404);
    expect(await waitingStatements(watching)).toBe(1);
    return { following };
  });
  const statuses = await answers.following;
  expect(statuses.slice(0, 3)).toEqual([404, 404, 429]);
});

test("unknown links that one address requests do not count against another address", async () => {
  await using api = await startApiUnderTest({ limits, trustedProxyHops: 1 });
  const from = async (address: string, digit: string) =>
    (
      await api
        .anonymous()
        .get(`/v1/links/${digit.padStart(43, "B")}`)
        .set("X-Forwarded-For", address)
    ).status;
  const statuses: number[] = [];
  for (const digit of ["1", "2", "3", "4"]) statuses.push(await from("203.0.113.1", digit));
  expect(statuses).toEqual([404, 404, 404, 429]);
  expect(await from("203.0.113.2", "5")).toBe(404);
});
