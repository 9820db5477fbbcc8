import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { createInstantClientTiming, createTestGateway } from "../test/gateway-under-test.ts";
import {
  sendTestJson,
  sendTestProblem,
  startTestResponseServer,
  type SeenRequest,
} from "../test/start-test-response-server.ts";

const report = { id: "r", status: "QUEUED", finishedAt: null };
const credentials = { name: "zoë", password: "pass:wörd" };
const basic = `Basic ${Buffer.from("zoë:pass:wörd").toString("base64")}`;

/** Serves a gateway whose tokens are valid for ten minutes. The gateway answers 401 to each authorization for which `refuses` returns true. */
async function serveTokens(refuses: (authorization: string) => boolean = () => false) {
  let issued = 0;
  return startTestResponseServer((response, { url, headers }) => {
    if (url === "/v1/tokens") {
      sendTestJson(response, 201, { access_token: `token-${++issued}`, token_type: "Bearer", expires_in: 600 });
    } else if (refuses(headers.authorization ?? "")) sendTestProblem(response, 401, "credentials-invalid");
    else sendTestJson(response, 200, report);
  });
}

const sent = (seen: readonly SeenRequest[]) => seen.map(({ url, headers }) => `${url} ${headers.authorization}`);
const exchanged = `/v1/tokens ${basic}`;

describe("name and password", () => {
  test("concurrent requests share one exchange of name and password for a token", async () => {
    await using server = await serveTokens();
    const gateway = createTestGateway(server.baseUrl, { token: undefined, credentials });
    await Promise.all([gateway.reports.get("r"), gateway.reports.get("r"), gateway.reportTypes.list()]);
    expect(sent(server.seen).filter((one) => one === exchanged)).toHaveLength(1);
    expect(sent(server.seen).slice(1)).toEqual(expect.arrayContaining(["/v1/reports/r Bearer token-1"]));
  });

  test("name and password are exchanged again before the token expires", async () => {
    await using server = await serveTokens();
    const pacing = createInstantClientTiming();
    const gateway = createTestGateway(server.baseUrl, { token: undefined, credentials, pacing });
    await gateway.reports.get("r");
    pacing.advance(479_999);
    await gateway.reports.get("r");
    pacing.advance(1);
    await gateway.reports.get("r");
    expect(sent(server.seen)).toEqual([
      exchanged,
      "/v1/reports/r Bearer token-1",
      "/v1/reports/r Bearer token-1",
      exchanged,
      "/v1/reports/r Bearer token-2",
    ]);
  });

  test("concurrent requests whose token is refused share one new exchange", async () => {
    await using server = await serveTokens((authorization) => authorization === "Bearer token-1");
    const gateway = createTestGateway(server.baseUrl, { token: undefined, credentials });
    await Promise.all([gateway.reports.get("r"), gateway.reports.get("r")]);
    expect(sent(server.seen).filter((one) => one === exchanged)).toHaveLength(2);
    expect(sent(server.seen).filter((one) => one.endsWith("token-2"))).toHaveLength(2);
  });

  test("a failing exchange makes nine attempts, not nine per attempt of the request", async () => {
    await using server = await startTestResponseServer((response) =>
      sendTestProblem(response, 503, "store-unavailable"),
    );
    const gateway = createTestGateway(server.baseUrl, { token: undefined, credentials });
    await expect(gateway.reports.get("r")).rejects.toMatchObject({ status: 503 });
    expect(server.seen).toHaveLength(9);
  });

  test("wrong credentials fail without a retry, and the next call tries them again", async () => {
    await using server = await startTestResponseServer((response) =>
      sendTestProblem(response, 401, "credentials-invalid"),
    );
    const gateway = createTestGateway(server.baseUrl, { token: undefined, credentials });
    for (let n = 0; n < 2; n++)
      await expect(gateway.reports.get("r")).rejects.toMatchObject({ status: 401, code: "credentials-invalid" });
    expect(sent(server.seen)).toEqual([exchanged, exchanged]);
  });

  test("the exchange of name and password is retried after a broken connection", async () => {
    await using server = await startTestResponseServer((response, { url }, count) => {
      if (count === 1) response.destroy();
      else if (url === "/v1/tokens")
        sendTestJson(response, 201, { access_token: "t", token_type: "Bearer", expires_in: 9 });
      else sendTestJson(response, 200, report);
    });
    await createTestGateway(server.baseUrl, { token: undefined, credentials }).reports.get("r");
    expect(sent(server.seen)).toEqual([exchanged, exchanged, "/v1/reports/r Bearer t"]);
  });

  test("every call that waits for a token reports its retries, even if another throws", async () => {
    await using server = await startTestResponseServer((response, { url }, count) => {
      if (count === 1) sendTestProblem(response, 429, "too-many-logins", { "Retry-After": "7" });
      else if (url === "/v1/tokens")
        sendTestJson(response, 201, { access_token: "t", token_type: "Bearer", expires_in: 600 });
      else sendTestJson(response, 200, report);
    });
    const gateway = createTestGateway(server.baseUrl, { token: undefined, credentials });
    const reported: unknown[] = [];
    const failing = gateway.reports.get("r", {
      onRetry: () => {
        throw new Error("The listener failed.");
      },
    });
    const reporting = gateway.reports.get("r", { onRetry: ({ reason }) => reported.push(reason.code) });
    await expect(failing).rejects.toThrow("The listener failed.");
    expect(await reporting).toEqual(report);
    expect(reported).toEqual(["too-many-logins"]);
  });

  test("the exchange continues for other callers when one caller aborts", async () => {
    const controller = new AbortController();
    let answerToken = (): void => undefined;
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    await using server = await startTestResponseServer((response, { url }) => {
      if (url !== "/v1/tokens") return sendTestJson(response, 200, report);
      answerToken = () => sendTestJson(response, 201, { access_token: "t", token_type: "Bearer", expires_in: 600 });
      ask();
    });
    const gateway = createTestGateway(server.baseUrl, { token: undefined, credentials });
    const left = gateway.reports.get("r", { signal: controller.signal });
    const stayed = gateway.reports.get("r");
    await asked;
    controller.abort(new Error("The caller left."));
    await expect(left).rejects.toThrow("The caller left.");
    answerToken();
    expect(await stayed).toEqual(report);
  });
});

test.each([[{}], [{ access_token: "t" }], [{ access_token: 7, expires_in: 600 }], [[]], [null]])(
  "the client rejects the token response %j and sends no request with it",
  async (answer) => {
    await using server = await startTestResponseServer((response) => sendTestJson(response, 200, answer));
    const call = createTestGateway(server.baseUrl, { token: undefined, credentials }).reports.get("r");
    await expect(call).rejects.toMatchObject({ code: "unexpected-answer" });
    expect(sent(server.seen)).toEqual([exchanged]);
  },
);

test("the client rejects a user name with a colon, where the password would begin", async () => {
  const colon = { name: "a:b", password: "c" };
  expect(() => createTestGateway("http://localhost", { token: undefined, credentials: colon })).toThrow(TypeError);
});

describe("a gateway without tokens", () => {
  const serveWithoutTokens = async () =>
    startTestResponseServer((response, { url }) =>
      url === "/v1/tokens" ? sendTestProblem(response, 404, "path-not-found") : sendTestJson(response, 200, report),
    );

  test("if a local gateway issues no tokens, every request carries name and password", async () => {
    await using server = await serveWithoutTokens();
    const gateway = createTestGateway(server.baseUrl, { token: undefined, credentials });
    await gateway.reports.get("r");
    await gateway.reports.get("r");
    expect(sent(server.seen)).toEqual([exchanged, `/v1/reports/r ${basic}`, `/v1/reports/r ${basic}`]);
  });

  test("if the gateway issues no tokens, a 401 for name and password is not retried", async () => {
    await using server = await startTestResponseServer((response, { url }) =>
      url === "/v1/tokens"
        ? sendTestProblem(response, 404, "path-not-found")
        : sendTestProblem(response, 401, "credentials-invalid"),
    );
    const gateway = createTestGateway(server.baseUrl, { token: undefined, credentials });
    await expect(gateway.reports.get("r")).rejects.toMatchObject({ status: 401 });
    expect(server.seen).toHaveLength(2);
  });

  test.each([
    ["https://gateway.example", true],
    ["http://localhost:1", true],
    ["http://reports.localhost", true],
    ["http://127.8.9.1", true],
    ["http://[::1]:3000", true],
    ["http://gateway.example", false],
    ["http://localhost.example", false],
    ["http://127.0.0.1.example", false],
  ])("if the gateway issues no tokens, name and password are sent to %s: %s", async (baseUrl, isSent) => {
    await using server = await serveWithoutTokens();
    // The host names of this test do not exist, so every request goes to the local server.
    const elsewhere: typeof fetch = async (input, init) => fetch(`${server.baseUrl}${new URL(input).pathname}`, init);
    const gateway = createTestGateway(baseUrl, { token: undefined, credentials, fetch: elsewhere });
    const outcome = await gateway.reports.get("r").then(
      () => "sent",
      (error: Error) => error.message,
    );
    expect(outcome).toMatch(isSent ? /^sent$/ : /a password is not sent with every request over http/);
    expect(server.seen).toHaveLength(isSent ? 2 : 1);
  });

  test("a 404 of another server does not mean that the gateway issues no tokens", async () => {
    await using server = await startTestResponseServer((response) => response.writeHead(404).end("<html>"));
    const gateway = createTestGateway(server.baseUrl, { token: undefined, credentials });
    await expect(gateway.reports.get("r")).rejects.toMatchObject({ status: 404, code: "unexpected-answer" });
    expect(server.seen).toHaveLength(1);
  });
});

describe("a token callback", () => {
  test("a token callback is called once more after a 401, also for a write", async () => {
    await using server = await serveTokens((authorization) => authorization === "Bearer old");
    const tokens = ["old", "new"];
    const gateway = createTestGateway(server.baseUrl, { token: async () => tokens.shift()! });
    expect(await gateway.reports.rename("r", "Other")).toEqual(report);
    expect(sent(server.seen)).toEqual(["/v1/reports/r Bearer old", "/v1/reports/r Bearer new"]);
  });

  test("a call rejects with 401 if the callback's second token is refused, too", async () => {
    await using server = await serveTokens(() => true);
    await expect(createTestGateway(server.baseUrl).reports.get("r")).rejects.toMatchObject({ status: 401 });
    expect(server.seen).toHaveLength(2);
  });

  test("an error of a token callback rejects the call with the same error", async () => {
    await using server = await serveTokens();
    const reason = new Error("no token today");
    const token = async (): Promise<string> => Promise.reject(reason);
    await expect(createTestGateway(server.baseUrl, { token }).reports.get("r")).rejects.toBe(reason);
    expect(server.seen).toHaveLength(0);
  });
});

describe("secrets", () => {
  test("neither JSON nor util.inspect of a gateway contains a secret", () => {
    const one = createTestGateway("http://localhost:1", {
      token: undefined,
      credentials: { name: "n", password: "SECRET" },
    });
    for (const gateway of [one, createTestGateway("http://localhost:1", { token: () => "SECRET" })])
      expect(`${JSON.stringify(gateway)}${inspect(gateway, { depth: 20, showHidden: true })}`).not.toContain("SECRET");
  });

  test("no error of the client contains a secret", async () => {
    await using server = await startTestResponseServer((response, { url }) =>
      url === "/v1/tokens" ? sendTestProblem(response, 401, "credentials-invalid") : response.destroy(),
    );
    const password = createTestGateway(server.baseUrl, {
      token: undefined,
      credentials: { name: "n", password: "SECRET" },
    });
    const calls = [
      password.reports.get("r"),
      createTestGateway(server.baseUrl, { token: () => "SECRET" }).reports.get("r"),
      createTestGateway(server.baseUrl, { token: () => "SECRET\n" }).reports.get("r"),
      createTestGateway(server.baseUrl, { token: () => "SECRET €" }).reports.get("r"),
    ];
    for (const { reason } of (await Promise.allSettled(calls)) as PromiseRejectedResult[]) {
      expect(reason).toBeInstanceOf(Error);
      expect(inspect(reason, { depth: 20, showHidden: true })).not.toContain("SECRET");
      expect(inspect(reason)).not.toContain(Buffer.from("n:SECRET").toString("base64"));
    }
  });
});
