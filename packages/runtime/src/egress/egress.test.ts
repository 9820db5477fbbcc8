import { createSocket } from "node:dgram";
import { once } from "node:events";
import { lookup, Resolver } from "node:dns";
import { createServer as createHttpServer } from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { defaultSchemeAndPort, isAddressAllowed, emptyAllowlist, parseAllowlist } from "./allowlist.ts";
import { createGuardedAgent, type GuardedAgentOptions, type DnsLookup } from "./guarded-agent.ts";
import { findOutboundUrlProblem } from "./url-problem.ts";

/** Hosts that lead to this machine or to private addresses, in spellings that attackers use to hide it. */
const forbiddenHosts =
  "127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.0.0.1 0177.0.0.1 017700000001 0x7f.1 127.0.0.1. 127.000.000.001 127.255.255.254 0 0.0.0.0 0x0 00000000 0.0.0.0. ①②⑦.⓪.⓪.① 127。0。0。1 127.0.0.1 %31%32%37.0.0.1 127.0.0.%31 [::1] [0:0:0:0:0:0:0:1] [::] [0000::1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:7F00:0001] [::127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::] [::ffff:0:127.0.0.1] [2001:0:7f00:1::] [fe80::1] [fec0::1] [fc00::1] [fd12:3456::1] [ff02::1] [100::1] [2001:db8::1] [3fff::1] [5f00::1] [2001:2::1] 10.0.0.1 10.255.255.255 167772161 0xa.0.0.1 012.0.0.1 172.16.0.1 172.31.255.255 192.168.0.1 169.254.169.254 2852039166 [::ffff:169.254.169.254] 100.64.0.1 192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 192.88.99.1 [fe80::1%25lo] [fe80::1%lo] [::1%251] [::1%1]".split(
    " ",
  );

let trap: Server;
let connections = 0;
let port: number;
beforeAll(async () => {
  trap = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await once(trap.listen(0, "::"), "listening");
  ({ port } = trap.address() as AddressInfo);
});
afterAll(() => trap.close());
afterEach(() => void vi.unstubAllEnvs());

const connectTimeoutMs = 5_000;

async function send(url: string, options: Partial<GuardedAgentOptions> = {}): Promise<string | number> {
  const agent = createGuardedAgent({ allowlist: emptyAllowlist, connectTimeoutMs, lookup, ...options });
  try {
    const { origin, pathname } = new URL(url);
    const { statusCode, body } = await agent.request({ origin, path: pathname, method: "POST", body: "{}" });
    await body.dump();
    return statusCode;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  } finally {
    await agent.destroy();
  }
}

test(`${forbiddenHosts.length} spellings of forbidden addresses cause no connection`, async () => {
  expect(forbiddenHosts.length).toBeGreaterThanOrEqual(60);
  for (const host of forbiddenHosts) {
    expect({ host, problem: findOutboundUrlProblem(`https://${host}/hook`, emptyAllowlist) }).toEqual({
      host,
      problem: expect.any(String),
    });
    for (const url of [`https://${host}:${port}/hook`, `http://${host}:${port}/hook`].filter((each) =>
      URL.canParse(each),
    ))
      expect({ url, code: await send(url) }).toEqual({ url, code: "ADDRESS_FORBIDDEN" });
  }
  expect(connections).toBe(0);
});

test("the guarded agent refuses host names that resolve to forbidden addresses", async () => {
  const addresses = ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fe80::1%lo", "::ffff:127.0.0.1", "nonsense"];
  for (const address of addresses) {
    const leads: DnsLookup = (_, __, done) => done(null, [{ address, family: address.includes(":") ? 6 : 4 }]);
    expect(await send(`https://receiver.example:${port}/`, { lookup: leads })).toBe("ADDRESS_FORBIDDEN");
  }
  expect(await send(`https://localhost:${port}/`)).toBe("ADDRESS_FORBIDDEN");
  expect(connections).toBe(0);
});

async function openNameServer(answers: readonly string[]) {
  const socket = createSocket("udp4");
  let asked = 0;
  socket.on("message", (question, from) => {
    const reply = Buffer.concat([
      question.subarray(0, 2),
      Buffer.from("81800001000100000000", "hex"),
      question.subarray(12, question.indexOf(0, 12) + 5),
      // The bytes after the question of a DNS response: a pointer to the name, type A, class IN, TTL 0 and length 4.
      Buffer.from("c00c000100010000000000 04".replace(" ", ""), "hex"),
      Buffer.from((answers[asked++] ?? answers.at(-1)!).split(".").map(Number)),
    ]);
    socket.send(reply, from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  // The test counts queries. On a busy machine, a query could be repeated before its answer is read.
  const resolver = new Resolver({ timeout: 60_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  const ask: DnsLookup = (hostname, _, done) =>
    resolver.resolve4(hostname, (error, found) =>
      done(
        error,
        (found ?? []).map((address) => ({ address, family: 4 })),
      ),
    );
  return { lookup: ask, asked: () => asked, [Symbol.dispose]: () => socket.close() };
}

test("the guarded agent refuses a host that turns private between check and connection", async () => {
  using names = await openNameServer(["93.184.216.34", "127.0.0.1"]);
  const seen = await new Promise<string>((resolve) =>
    names.lookup("rebind.example", { all: true }, (_, [found]) => resolve(found!.address)),
  );
  expect(isAddressAllowed(emptyAllowlist, seen, defaultSchemeAndPort)).toBe(true);
  expect(await send(`http://rebind.example:${port}/`, { lookup: names.lookup })).toBe("ADDRESS_FORBIDDEN");
  expect(names.asked()).toBe(2);
  expect(connections).toBe(0);
});

test("the guarded agent connects directly to allowed hosts and follows no redirects", async () => {
  const receiver = createHttpServer((_, response) =>
    response.writeHead(302, { Location: `http://127.0.0.2:${port}/` }).end(),
  );
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  const at = (receiver.address() as AddressInfo).port;
  for (const name of ["HTTP_PROXY", "http_proxy"]) vi.stubEnv(name, `http://127.0.0.1:${port}`);
  const leads: DnsLookup = (_, __, done) => done(null, [{ address: "127.0.0.1", family: 4 }]);
  const allowing = (...entries: readonly string[]) => ({
    lookup: leads,
    allowlist: parseAllowlist(entries, (entry) => expect.unreachable(entry)),
  });
  expect(await send(`http://127.0.0.1:${at}/`, allowing(`http://127.0.0.0/8:${at}`))).toBe(302);
  expect(await send(`http://[::ffff:127.0.0.1]:${at}/`, allowing(`http://127.0.0.1:${at}`))).toBe(302);
  expect(await send(`http://hooks.internal:${at}/`, allowing(`http://hooks.internal:${at}`))).toBe(302);
  expect(await send(`http://hooks.internal:${at}/`, allowing(`http://127.0.0.1/32:${at}`))).toBe(302);
  const others = allowing(`http://hooks.internal:${at}`, `http://10.0.0.0/8:${at}`);
  expect(await send(`http://other.internal:${at}/`, others)).toBe("ADDRESS_FORBIDDEN");
  for (const entry of ["hooks.internal", "127.0.0.0/8"])
    for (const wrong of [
      entry,
      `${entry}:${at}`,
      `http://${entry}`,
      `http://${entry}:${at + 1}`,
      `http://10.0.0.1:${at}`,
    ])
      expect([wrong, await send(`http://hooks.internal:${at}/`, allowing(wrong))]).toEqual([
        wrong,
        "ADDRESS_FORBIDDEN",
      ]);
  expect(await send(`http://127.0.0.1:${at}/`, allowing("127.0.0.0/8", `https://127.0.0.1:${at}`))).toBe(
    "ADDRESS_FORBIDDEN",
  );
  expect(connections).toBe(0);
  receiver.close();
});

test("the guarded agent connects to public addresses only by https on port 443", async () => {
  const leads: DnsLookup = (_, __, done) => done(null, [{ address: "93.184.216.34", family: 4 }]);
  for (const url of [
    "http://receiver.example/",
    "https://receiver.example:22/",
    "http://93.184.216.34/",
    "https://93.184.216.34:8443/",
  ])
    expect([url, await send(url, { lookup: leads })]).toEqual([url, "ADDRESS_FORBIDDEN"]);
});

test.each([
  ["https://receiver.example/hook?x=1", null],
  ["https://93.184.216.34/", null],
  ["https://[2606:2800:220:1::1]/", null],
  ["http://receiver.example/", "must begin with https://."],
  ["ftp://receiver.example/", "must begin with https://."],
  ["ftp://hooks.internal/", "must begin with https://."],
  ["https://receiver.example:8443/", "must have no port: 443 is used."],
  ["https://alice:secret@receiver.example/", "must not hold a name or a password."],
  ["https://alice@hooks.internal/", "must not hold a name or a password."],
  ["https://@receiver.example/", "must not hold a name or a password."],
  ["https:\\\\:@receiver.example/", "must not hold a name or a password."],
  ["https://receiver.example\\@127.0.0.1/", null],
  ["https://receiver.example/@a", null],
  ["https://receiver.example/#", "must not have a fragment."],
  ["https://receiver.example../", "must name a host."],
  ["https://.receiver.example/", "must name a host."],
  ["https://receiver.example/#x", "must not have a fragment."],
  ["https://localhost/", "must not lead to this machine."],
  ["https://a.LOCALHOST./", "must not lead to this machine."],
  ["https://hooks.internal/", null],
  ["http://HOOKS.internal.:8080/", null],
  ["http://hooks.internal/", "must begin with https://."],
  ["http://hooks.internal:8081/", "must begin with https://."],
  ["https://hooks.internal:8080/", "must have no port: 443 is used."],
  ["http://plain.internal/", null],
  ["http://10.1.2.3:8080/", null],
  ["https://10.1.2.3/", "must not lead to an address that is not public."],
  ["http://10.1.2.3:8081/", "must begin with https://."],
  ["https://10.2.0.1/", "must not lead to an address that is not public."],
  ["https://[fd00::7]:8443/", null],
  ["https://[fd00::7]/", "must not lead to an address that is not public."],
  ["https://[fd01::7]/", null],
  ["receiver.example", "must be an absolute URL of at most 2000 characters."],
  [`https://receiver.example/${"a".repeat(2000)}`, "must be an absolute URL of at most 2000 characters."],
])("findUrlProblem of %s returns %j", (url, problem) => {
  const entries =
    "hooks.internal http://hooks.internal:8080 http://plain.internal http://10.1.0.0/16:8080 [fd00::/16]:8443 fd01::/16";
  const allowlist = parseAllowlist(entries.split(" "), (entry, why) => expect.unreachable(`${entry}: ${why}`));
  expect(findOutboundUrlProblem(url, allowlist)).toBe(problem);
});

test.each([
  ["168.63.129.16", false],
  ["168.63.129.17", true],
  ["::ffff:168.63.129.16", false],
  ["161.26.0.10", false],
  ["166.9.20.1", false],
  ["166.12.0.1", true],
  ["169.254.169.254", false],
  ["169.254.170.2", false],
  ["100.100.100.200", false],
  ["192.0.0.192", false],
  ["fd00:ec2::254", false],
  ["fd20:ce::254", false],
  ["64:ff9b::a9fe:a9fe", false],
  ["2002:a9fe:a9fe::1", false],
  ["2001:0:4136:e378:8000:63bf:5601:5601", false],
  ["2606:4700::5efe:a9fe:a9fe", false],
  ["2606:4700::200:5efe:a9fe:a9fe", false],
  ["2606:4700::1111", true],
])("without allowed destinations, isAddressAllowed of %s returns %s", (address, isPublic) => {
  expect(isAddressAllowed(emptyAllowlist, address, defaultSchemeAndPort)).toBe(isPublic);
});

test.each([
  ["10.0.0.0/33", "it is neither a host name nor an address nor a range"],
  ["ftp://a", "its scheme must be http or https"],
  ["http://a/", "it must have no path, query or user"],
  ["http://a/path", "it must have no path, query or user"],
  ["user@a", "it must have no path, query or user"],
  ["a?b", "it must have no path, query or user"],
  ["a:0", "its port must be a number from 1 to 65535, with nothing behind it"],
  ["a:65536", "its port must be a number from 1 to 65535, with nothing behind it"],
  ["a:", "its port must be a number from 1 to 65535, with nothing behind it"],
  ["a:8080/", "its port must be a number from 1 to 65535, with nothing behind it"],
  ["a:8000-9000", "its port must be a number from 1 to 65535, with nothing behind it"],
  ["http://fd00::1", "an IPv6 address with a scheme or a port must be in brackets"],
  ["fd00::/8:8443", "an IPv6 address with a scheme or a port must be in brackets"],
  ["[10.0.0.1]:443", "only an address or a range of IPv6 is in brackets"],
  ["[a]:443", "only an address or a range of IPv6 is in brackets"],
  ["[fd00::1]8443", "its port must be a number from 1 to 65535, with nothing behind it"],
  ["::ffff:10.0.0.0/104", "a range of IPv4 must be written as IPv4"],
  ["a b", "it is neither a host name nor an address nor a range"],
  ["1.2.3", "it is neither a host name nor an address nor a range"],
  ["*.internal", "it is neither a host name nor an address nor a range"],
])("the entry %s of allowed destinations is refused, because %s", (entry, why) => {
  const wrong: string[] = [];
  expect(parseAllowlist(["ok.internal", entry, "::1"], (...refusal) => wrong.push(...refusal))).toMatchObject({
    hosts: [{ host: "ok.internal", scheme: "https", port: 443 }],
    ranges: [{ scheme: "https", port: 443 }],
  });
  expect(wrong).toEqual([entry, why]);
});
