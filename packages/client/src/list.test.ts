import { expect, test } from "vitest";
import { createTestGateway } from "./test/gateway-under-test.ts";
import { sendTestJson, sendTestProblem, startTestResponseServer } from "./test/start-test-response-server.ts";

async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

test("a list requests its next pages at its own path, even if the links have another", async () => {
  await using server = await startTestResponseServer((response, { url }) =>
    url.includes("cursor=")
      ? sendTestJson(response, 200, [{ id: "c" }])
      : sendTestJson(response, 200, [{ id: "a" }, { id: "b" }], {
          Link: `</elsewhere>; rel="help", </inner/v1/proxies?kind=REVERSE&cursor=x%3D>; rel="next"`,
        }),
  );
  const proxies = createTestGateway(`${server.baseUrl}/outer`).proxies.list({ kind: "REVERSE" });
  expect(await all(proxies)).toEqual([{ id: "a" }, { id: "b" }, { id: "c" }]);
  expect(server.seen.map(({ url }) => url)).toEqual([
    "/outer/v1/proxies?kind=REVERSE",
    "/outer/v1/proxies?kind=REVERSE&cursor=x%3D",
  ]);
});

test("a list query repeats filter values, joins sorts by commas and omits undefined", async () => {
  await using server = await startTestResponseServer((response) => sendTestJson(response, 200, []));
  const query = { tag: ["a b", "c&d"], sort: ["-createdAt", "name"], limit: 2, q: undefined, port: 80 };
  await all(createTestGateway(server.baseUrl).proxies.list(query));
  await all(createTestGateway(server.baseUrl).domains.list());
  expect(server.seen.map(({ url }) => url)).toEqual([
    "/v1/proxies?tag=a+b&tag=c%26d&sort=-createdAt%2Cname&limit=2&port=80",
    "/v1/domains",
  ]);
});

test("a list requests a page only when it is needed, and returns the page's totals", async () => {
  await using server = await startTestResponseServer((response, { url }) =>
    sendTestJson(response, 200, [{ id: url }], {
      Link: `</v1/reports?cursor=x>; rel="next"`,
      ...(url.includes("cursor") ? { "X-Total-Count-At-Least": "10001" } : { "X-Total-Count": "7" }),
    }),
  );
  const pages = createTestGateway(server.baseUrl).reports.list({ count: "exact" }).pages()[Symbol.asyncIterator]();
  expect(await pages.next()).toMatchObject({ value: { total: 7, totalAtLeast: null } });
  expect(server.seen).toHaveLength(1);
  expect(await pages.next()).toMatchObject({ value: { total: null, totalAtLeast: 10_001 } });
});

test("a list retries a page that fails, and yields no record twice", async () => {
  await using server = await startTestResponseServer((response, _request, count) => {
    if (count === 2) sendTestProblem(response, 503, "list-too-slow");
    else if (count === 1) sendTestJson(response, 200, [1], { Link: `</v1/reports?cursor=x>; rel="next"` });
    else sendTestJson(response, 200, [2]);
  });
  expect(await all(createTestGateway(server.baseUrl).reports.list())).toEqual([1, 2]);
});
