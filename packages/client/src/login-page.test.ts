import { PassThrough, Writable } from "node:stream";
import { expect, test } from "vitest";
import { createTestGateway } from "./test/gateway-under-test.ts";
import { sendTestJson, startTestResponseServer } from "./test/start-test-response-server.ts";
import { createTestReportWithFile, sendTestDownload, createTestBytes } from "./test/serve-file.ts";

type Gateway = ReturnType<typeof createTestGateway>;

const bytes = createTestBytes(20_000);
const report = createTestReportWithFile(bytes);
const csvReport = { ...report, file: { ...report.file!, contentType: "text/csv; charset=utf-8" } };
const file = { ...csvReport.file, reportId: "r", finishedAt: report.finishedAt } as never;
const discardingStream = () => Writable.toWeb(new PassThrough().resume()) as WritableStream<Uint8Array>;
const readAll = async (list: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of list);
};
const input = { name: "a", kind: "REVERSE", address: "192.0.2.1", port: 80, protocol: "HTTP" };

const calls: Readonly<Record<string, (gateway: Gateway) => Promise<unknown>>> = {
  caller: async (gateway) => gateway.caller(),
  "reports.start": async ({ reports }) => reports.start({ reportType: "PROXY" }),
  "reports.get": async ({ reports }) => reports.get("r"),
  "reports.list": async ({ reports }) => readAll(reports.list()),
  "reports.rename": async ({ reports }) => reports.rename("r", "a"),
  "reports.cancel": async ({ reports }) => reports.cancel("r"),
  "reports.remove": async ({ reports }) => reports.remove("r"),
  "reports.events": async ({ reports }) => readAll(reports.events("r")),
  "reports.wait": async ({ reports }) => reports.wait("r"),
  "reports.download": async ({ reports }) => reports.download(csvReport, discardingStream()),
  "reports.run": async ({ reports }) => reports.run({ reportType: "PROXY" }, { to: discardingStream() }),
  "reports.files.list": async ({ reports }) => reports.files("r").list(),
  "reports.files.start": async ({ reports }) => reports.files("r").start({ format: "csv" }),
  "reports.files.get": async ({ reports }) => reports.files("r").get("f"),
  "reports.files.wait": async ({ reports }) => reports.files("r").wait("f"),
  "reports.files.download": async ({ reports }) => reports.files("r").download(file, discardingStream()),
  "reports.files.remove": async ({ reports }) => reports.files("r").remove("f"),
  "reports.links.create": async ({ reports }) => reports.links("r", "f").create(),
  "reports.links.list": async ({ reports }) => reports.links("r", "f").list(),
  "reports.links.revoke": async ({ reports }) => reports.links("r", "f").revoke("l"),
  "reportTypes.list": async ({ reportTypes }) => reportTypes.list(),
  "reportTypes.get": async ({ reportTypes }) => reportTypes.get("PROXY"),
  "reportTypes.rows": async ({ reportTypes }) => reportTypes.rows("PROXY"),
  "reportTypes.estimates": async ({ reportTypes }) => reportTypes.estimates("PROXY"),
  "reportTypes.filterValues": async ({ reportTypes }) => reportTypes.filterValues("PROXY", "region"),
  "schedules.list": async ({ schedules }) => readAll(schedules.list()),
  "schedules.get": async ({ schedules }) => schedules.get("s"),
  "schedules.create": async ({ schedules }) => schedules.create({} as never),
  "schedules.replace": async ({ schedules }) => schedules.replace("s", {} as never),
  "schedules.patch": async ({ schedules }) => schedules.patch("s", {}),
  "schedules.remove": async ({ schedules }) => schedules.remove("s"),
  "schedules.pause": async ({ schedules }) => schedules.pause("s"),
  "schedules.resume": async ({ schedules }) => schedules.resume("s"),
  "schedules.run": async ({ schedules }) => schedules.run("s"),
  "schedules.fires": async ({ schedules }) => readAll(schedules.fires("s")),
  "schedules.fire": async ({ schedules }) => schedules.fire("s", "f"),
  "schedules.times": async ({ schedules }) => schedules.times({ cron: "0 6 * * *" }),
  "webhooks.list": async ({ webhooks }) => readAll(webhooks.list()),
  "webhooks.get": async ({ webhooks }) => webhooks.get("w"),
  "webhooks.getWithEtag": async ({ webhooks }) => webhooks.getWithEtag("w"),
  "webhooks.create": async ({ webhooks }) => webhooks.create({ url: "https://a.example", events: [] }),
  "webhooks.patch": async ({ webhooks }) => webhooks.patch("w", {}),
  "webhooks.pause": async ({ webhooks }) => webhooks.pause("w"),
  "webhooks.resume": async ({ webhooks }) => webhooks.resume("w"),
  "webhooks.remove": async ({ webhooks }) => webhooks.remove("w"),
  "webhooks.rotateSecret": async ({ webhooks }) => webhooks.rotateSecret("w"),
  "webhooks.deliveries": async ({ webhooks }) => readAll(webhooks.deliveries("w")),
  "webhooks.delivery": async ({ webhooks }) => webhooks.delivery("w", "d"),
  "webhooks.redeliver": async ({ webhooks }) => webhooks.redeliver("w", "e"),
  "webhooks.test": async ({ webhooks }) => webhooks.test("w"),
  "proxies.list": async ({ proxies }) => readAll(proxies.list()),
  "proxies.get": async ({ proxies }) => proxies.get("p"),
  "proxies.create": async ({ proxies }) => proxies.create(input),
  "proxies.replace": async ({ proxies }) => proxies.replace("p", input),
  "proxies.patch": async ({ proxies }) => proxies.patch("p", {}),
  "proxies.remove": async ({ proxies }) => proxies.remove("p"),
  "proxies.domains.list": async ({ proxies }) => readAll(proxies.domains("p").list()),
  "proxies.domains.get": async ({ proxies }) => proxies.domains("p").get("d"),
  "proxies.domains.create": async ({ proxies }) => proxies.domains("p").create({ hostname: "a.example" } as never),
  "proxies.domains.replace": async ({ proxies }) => proxies.domains("p").replace("d", {} as never),
  "proxies.domains.patch": async ({ proxies }) => proxies.domains("p").patch("d", {}),
  "proxies.domains.remove": async ({ proxies }) => proxies.domains("p").remove("d"),
  "domains.list": async ({ domains }) => readAll(domains.list()),
  "lanes.list": async ({ lanes }) => lanes.list(),
  "workers.list": async ({ workers }) => workers.list(),
};

const groups = ["reports.files", "reports.links", "proxies.domains"];

function methodsOf(value: object, path = ""): readonly string[] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const own = path + name;
    if (groups.includes(own)) return methodsOf((member as (...ids: readonly string[]) => object)("x", "y"), `${own}.`);
    return typeof member === "function" ? [own] : methodsOf(member as object, `${own}.`);
  });
}

test("the tests of login pages call every method of the client", () => {
  expect(methodsOf(createTestGateway("http://localhost")).toSorted()).toEqual(Object.keys(calls).toSorted());
});

const page = "<!doctype html><title>Log in</title>";
const html = { "Content-Type": "text/html; charset=utf-8" };
const unexpectedResponse = { status: 200, code: "unexpected-answer" };

test.each(Object.keys(calls))("%s rejects at the first login page that is sent with 200", async (name) => {
  await using server = await startTestResponseServer((response) => response.writeHead(200, html).end(page));
  await expect(calls[name]!(createTestGateway(server.baseUrl))).rejects.toMatchObject(unexpectedResponse);
  expect(server.seen).toHaveLength(1);
});

test("a token request rejects at the first login page", async () => {
  await using server = await startTestResponseServer((response) => response.writeHead(200, html).end(page));
  const credentials = { name: "n", password: "p" };
  const gateway = createTestGateway(server.baseUrl, { token: undefined, credentials });
  await expect(gateway.reports.get("r")).rejects.toMatchObject(unexpectedResponse);
  expect(server.seen).toHaveLength(1);
});

test("a login page without a media type is not read as events, a file or a record", async () => {
  await using server = await startTestResponseServer((response) => response.writeHead(200).end(page));
  const gateway = createTestGateway(server.baseUrl);
  await expect(readAll(gateway.reports.events("r"))).rejects.toMatchObject(unexpectedResponse);
  await expect(gateway.reports.get("r")).rejects.toMatchObject(unexpectedResponse);
  expect(server.seen).toHaveLength(2);
  // A download accepts a response without a media type, and detects the login page by its bytes.
  await expect(gateway.reports.download(csvReport, discardingStream())).rejects.toMatchObject({ code: "wrong-file" });
});

test("the client reads only the beginning of an endless login page", async () => {
  const closed = Promise.withResolvers<void>();
  await using server = await startTestResponseServer((response) => {
    response.once("close", () => closed.resolve());
    const send = (): void => void response.write(" ".repeat(2 ** 16), (error) => error ?? send());
    response.writeHead(200, html);
    send();
  });
  await expect(createTestGateway(server.baseUrl).reports.get("r")).rejects.toMatchObject(unexpectedResponse);
  await closed.promise;
});

const open = { id: "r", status: "RUNNING", finishedAt: null };
const csv = { "Content-Type": "text/csv; charset=utf-8" };
const event = `event: status\nid: 1\ndata: {"id":1,"to":"QUEUED"}\n\n`;

test.each<[string, Parameters<typeof startTestResponseServer>[0], (gateway: Gateway) => Promise<unknown>]>([
  ["a wait", (response) => sendTestJson(response, 200, open), async ({ reports }) => reports.wait("r")],
  [
    "a list",
    (response) => sendTestJson(response, 200, [open], { Link: `</v1/reports?cursor=x>; rel="next"` }),
    async ({ reports }) => readAll(reports.list()),
  ],
  [
    "a stream",
    (response) => response.writeHead(200, { "Content-Type": "text/event-stream" }).end(event),
    async ({ reports }) => readAll(reports.events("r")),
  ],
  [
    "a download",
    (response, request) =>
      sendTestDownload(response.setHeaders(new Map(Object.entries(csv))), request, bytes, { cutAfter: 7_000 }),
    async ({ reports }) => reports.download(csvReport, discardingStream()),
  ],
])("%s rejects when a login page replaces a later response", async (_, begin, call) => {
  await using server = await startTestResponseServer((response, request, count) =>
    count === 1 ? begin(response, request, count) : response.writeHead(200, html).end(page),
  );
  await expect(call(createTestGateway(server.baseUrl))).rejects.toMatchObject(unexpectedResponse);
  expect(server.seen).toHaveLength(2);
});

test("the client downloads a file whose record has no media type", async () => {
  await using server = await startTestResponseServer((response, request) =>
    sendTestDownload(response.setHeader("Content-Type", "text/csv"), request, bytes),
  );
  await createTestGateway(server.baseUrl).reports.download(report, discardingStream());
  expect(server.seen).toHaveLength(1);
});

test.each([undefined, "", "text/csv;charset=UTF-8", "application/x-gzip", "application/octet-stream", "text/plain"])(
  "the client downloads a file that a proxy sends with the Content-Type %j",
  async (type) => {
    await using server = await startTestResponseServer((response, request) =>
      sendTestDownload(type === undefined ? response : response.setHeader("Content-Type", type), request, bytes),
    );
    const gateway = createTestGateway(server.baseUrl);
    await gateway.reports.download(csvReport, discardingStream());
    await gateway.reports.files("r").download(file, discardingStream());
    expect(server.seen.map(({ headers }) => headers.accept)).toEqual(["*/*", "*/*"]);
  },
);

test.each(["text/html", "Text/HTML ; Charset=UTF-8"])(
  "the client rejects a file whose media type is %s",
  async (type) => {
    await using server = await startTestResponseServer((response, request) =>
      sendTestDownload(response.setHeader("Content-Type", type), request, bytes),
    );
    await expect(
      createTestGateway(server.baseUrl).reports.download(csvReport, discardingStream()),
    ).rejects.toMatchObject(unexpectedResponse);
    expect(server.seen).toHaveLength(1);
  },
);

test.each(["Application/JSON; CHARSET=UTF-8", "application/json ;charset=utf-8", ""])(
  "the client reads a record whose media type is %j",
  async (type) => {
    await using server = await startTestResponseServer((response) =>
      sendTestJson(response, 200, open, { "Content-Type": type }),
    );
    expect(await createTestGateway(server.baseUrl).reports.get("r")).toEqual(open);
  },
);

test.each(["application/jsonl", "application/json-seq", "text/plain"])(
  "the client rejects a record whose media type is %s",
  async (type) => {
    await using server = await startTestResponseServer((response) =>
      sendTestJson(response, 200, open, { "Content-Type": type }),
    );
    await expect(createTestGateway(server.baseUrl).reports.get("r")).rejects.toMatchObject(unexpectedResponse);
  },
);

test("the client reads events whose media type contains upper-case letters", async () => {
  const last = `event: status\nid: 1\ndata: {"id":1,"to":"SUCCEEDED"}\n\n`;
  await using server = await startTestResponseServer((response) =>
    response.writeHead(200, { "Content-Type": "Text/Event-Stream;Charset=UTF-8" }).end(last),
  );
  expect(await Array.fromAsync(createTestGateway(server.baseUrl).reports.events("r"))).toHaveLength(1);
});
