import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { createNameServerLookup, createSystemLookup } from "./find-addresses.ts";

const closing: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

type Kind = "A" | "AAAA";
/** Answer of the name server in a test: records, an error code (RFC 1035, section 4.1.1), or null for no answer. */
type Reply = readonly (readonly [type: "A" | "AAAA" | "CNAME", ttl: number, data: Buffer])[] | number | null;

/** Starts a name server, with a lookup that queries it. On a busy machine, shorter times could repeat a query or give up an answer. */
async function openNameServer(answer: (kind: Kind, name: string) => Reply, otherFamilyMs = 60_000) {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  socket.on("message", (question: Buffer, from: RemoteInfo) => {
    const end = question.indexOf(0, 12) + 1;
    const kind: Kind = question.readUInt16BE(end) === 1 ? "A" : "AAAA";
    const labels: string[] = [];
    for (let at = 12; question[at] !== 0; at += question[at]! + 1)
      labels.push(question.subarray(at + 1, at + 1 + question[at]!).toString("latin1"));
    asked.push(`${kind} ${labels.join(".")}`);
    const reply = answer(kind, labels.join("."));
    if (reply === null) return;
    const records = typeof reply === "number" ? [] : reply;
    const header = Buffer.from(question.subarray(0, 12));
    header.writeUInt16BE(0x8180 + (typeof reply === "number" ? reply : 0), 2);
    header.writeUInt16BE(records.length, 6);
    header.writeUInt32BE(0, 8);
    let body = Buffer.concat([header, question.subarray(12, end + 4)]);
    // Name of the next record, as a pointer into the message. In a chain of aliases, each record is about the target of the alias before it.
    let owner = 0xc00c;
    for (const [type, ttl, data] of records) {
      const record = Buffer.alloc(12);
      record.writeUInt16BE(owner, 0);
      record.writeUInt16BE({ A: 1, AAAA: 28, CNAME: 5 }[type], 2);
      record.writeUInt16BE(1, 4);
      record.writeUInt32BE(ttl, 6);
      record.writeUInt16BE(data.length, 10);
      if (type === "CNAME") owner = 0xc000 + body.length + record.length;
      body = Buffer.concat([body, record, data]);
    }
    socket.send(body, from.port, from.address);
  });
  await once(socket.bind(0, "127.0.0.1"), "listening");
  closing.push(() => socket.close());
  const times = { timeout: 60_000, tries: 1, otherFamilyMs };
  return { find: createNameServerLookup([`127.0.0.1:${socket.address().port}`], times), asked };
}

const alias = (name: string) => ["CNAME", 0, Buffer.from(`${String.fromCharCode(name.length)}${name}\0`)] as const;
const ipv4 = (...octets: number[]) => ["A", 0, Buffer.from(octets)] as const;
const ipv6 = (last: number) => ["AAAA", 0, Buffer.from([0x26, 0x06, ...Array<number>(13).fill(0), last])] as const;
const within = (ms: number) => AbortSignal.timeout(ms);
const never = new AbortController().signal;
const threads = () => process.getActiveResourcesInfo().filter((name) => name === "GetAddrInfoReqWrap").length;

test("a lookup returns IPv4 and IPv6 addresses, and the next lookup queries again", async () => {
  const { find, asked } = await openNameServer((kind) =>
    kind === "A" ? [ipv4(192, 0, 2, 1), ipv4(192, 0, 2, 2)] : [ipv6(1)],
  );
  for (let time = 1; time <= 2; time++) {
    expect(await find("receiver.example", never).addresses).toEqual([
      { address: "192.0.2.1", family: 4 },
      { address: "192.0.2.2", family: 4 },
      { address: "2606::1", family: 6 },
    ]);
    expect(asked.toSorted()).toEqual([
      ...Array<string>(time).fill("A receiver.example"),
      ...Array<string>(time).fill("AAAA receiver.example"),
    ]);
  }
});

test.each(["A", "AAAA"] as const)(
  "a lookup returns the other family's addresses if %s has none, fails or hangs",
  async (broken) => {
    for (const reply of [[], 2, 3, null]) {
      const answer = (kind: Kind): Reply => (kind === broken ? reply : kind === "A" ? [ipv4(192, 0, 2, 1)] : [ipv6(1)]);
      const { find } = await openNameServer(answer, 300);
      const address = broken === "A" ? { address: "2606::1", family: 6 } : { address: "192.0.2.1", family: 4 };
      expect(await find("receiver.example", never).addresses).toEqual([address]);
    }
  },
);

test("a lookup follows aliases (CNAME) to IPv4 and IPv6 addresses", async () => {
  const { find } = await openNameServer((kind) =>
    kind === "A" ? [alias("first"), alias("second"), ipv4(192, 0, 2, 7)] : [alias("third"), ipv6(7)],
  );
  expect(await find("receiver.example", never).addresses).toEqual([
    { address: "192.0.2.7", family: 4 },
    { address: "2606::7", family: 6 },
  ]);
});

test.each([
  ["ENOTFOUND", 3, 3],
  ["ENODATA", [], []],
  ["ESERVFAIL", 2, []],
  ["ESERVFAIL", [], 2],
] as const)("a lookup rejects with %s if the name server answers %j and %j", async (code, first, second) => {
  const { find } = await openNameServer((kind) => (kind === "A" ? first : second));
  await expect(find("receiver.example", never).addresses).rejects.toMatchObject({ code });
});

test("a lookup without an answer holds no thread and ends when its signal aborts", async () => {
  const { find, asked } = await openNameServer(() => null);
  const [over, later] = [new AbortController(), new AbortController()];
  const earlier = find("earlier.example", later.signal);
  const searches = Array.from({ length: 12 }, (_, number) => find(`silent-${number}.example`, over.signal));
  const failed = Promise.allSettled(searches.map(({ addresses }) => addresses));
  while (asked.length < 26) await new Promise(setImmediate);
  expect(threads()).toBe(0);
  over.abort(new Error("too late"));
  for (const result of await failed)
    expect(result).toMatchObject({ status: "rejected", reason: new Error("too late") });
  // Without the abort, the earlier lookup would end first.
  const ended = Promise.all(searches.map((search) => search.ended)).then(() => "aborted");
  expect(await Promise.race([ended, earlier.ended])).toBe("aborted");
  later.abort(new Error("the test is over"));
  await earlier.ended;
});

test("a lookup whose signal has aborted sends no query", async () => {
  const { find, asked } = await openNameServer(() => []);
  await expect(find("receiver.example", AbortSignal.abort(new Error("over"))).addresses).rejects.toThrow("over");
  expect(asked).toEqual([]);
});

test("system lookups run one at a time, in the order of the calls", async () => {
  const find = createSystemLookup();
  const ended: number[] = [];
  const searches = Array.from({ length: 12 }, (_, number) => {
    const search = find("localhost", within(60_000));
    void search.ended.then(() => ended.push(number));
    return search;
  });
  const addresses = Promise.all(searches.map((search) => search.addresses));
  while (ended.length < searches.length) {
    expect(threads()).toBeLessThanOrEqual(1);
    await new Promise(setImmediate);
  }
  expect(ended).toEqual([...searches.keys()]);
  for (const found of await addresses) expect(found.map(({ address }) => address)).toContain("127.0.0.1");
});

test("a system lookup whose signal has aborted does not begin", async () => {
  const find = createSystemLookup();
  const first = find("localhost", never);
  const second = find("localhost", AbortSignal.abort(new Error("over")));
  await expect(second.addresses).rejects.toThrow("over");
  await Promise.all([first.ended, second.ended]);
  // Node still counts a lookup that has just ended until the next turn of the event loop.
  await new Promise(setImmediate);
  expect(threads()).toBe(0);
});
