import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase, createInventoryKeyReader, migrateDatabase } from "@reports/db";
import { newId } from "@reports/runtime";
import { createTestDatabases, isFullTestRun } from "@reports/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadInventory } from "./load-tables.ts";
import { InventoryRefusedError, type InventoryFileProblem } from "./inventory-file-problem.ts";

const databases = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "inventory-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function openInventory() {
  const clone = await databases.cloneDatabase();
  const database = createDatabase({ url: clone.url, max: 1 });
  const store = createInventoryKeyReader(database);
  return {
    store,
    async load(proxies: string | Uint8Array | null, domains: string | Uint8Array | null) {
      const problems: InventoryFileProblem[] = [];
      const write = async (name: string, content: string | Uint8Array | null) => {
        if (content !== null) await writeFile(join(folder, name), content);
        return content === null ? null : join(folder, name);
      };
      const files = { proxies: await write("proxies.csv", proxies), domains: await write("domains.csv", domains) };
      const signal = new AbortController().signal;
      const deps = { databaseUrl: clone.url, store, newId, now: () => new Date(), signal, onProgress: () => {} };
      const outcome = await loadInventory(files, { ...deps, report: (problem) => problems.push(problem) }).catch(
        (error: unknown) => {
          if (error instanceof InventoryRefusedError) return error;
          throw error;
        },
      );
      const reported = problems.map(
        ({ file, line, column, reason }) =>
          `${file.endsWith("proxies.csv") ? "p" : "d"}${line} ${column ?? "-"}: ${reason}`,
      );
      return { outcome, reported };
    },
    async [Symbol.asyncDispose]() {
      await database.close();
      await clone[Symbol.asyncDispose]();
    },
  };
}

const proxyHeader = "name,kind,address,port,protocol";
const oneProxy = `${proxyHeader}\nedge-1,REVERSE,10.0.0.1,443,HTTPS\n`;
const domainHeader = "proxyName,hostname,upstreamScheme,upstreamHost,upstreamPort,tlsMode";

describe("loadInventory", () => {
  test("loadInventory reads any column order, quotes, line breaks, lists and empty lines", async () => {
    await using inventory = await openInventory();
    const proxies = `\ufefftags,port,protocol,address,kind,name,description\r\n\r\n"a; b",443,HTTPS,10.0.0.1,REVERSE,edge-1,"say ""hi"",\r\ntwice"\r\n`;
    const domains = `${domainHeader},httpsForced\nedge-1,Bücher.example,HTTP,10.1.0.1,80,NONE,false\nedge-1,*.example.org,HTTP,10.1.0.1,80,NONE,\n`;
    expect(await inventory.load(proxies, domains)).toEqual({ outcome: { proxies: 1, domains: 2 }, reported: [] });
    expect(await inventory.store.domainKeys(["xn--bcher-kva.example", "*.example.org"])).toHaveLength(2);
  });

  test("loadInventory reports every invalid line of both files, and loads nothing", async () => {
    await using inventory = await openInventory();
    const proxies = `${oneProxy}Edge_2,REVERSE,10.0.0.2,http,HTTPS\nedge-3,REVERSE,10.0.0.3,443\n"edge\n4",REVERSE,10.0.0.4,443,HTTPS\nedge-5,FORWARDS,10.0.0.5,443,HTTPS\n`;
    const domains = `${domainHeader}\nedge-1,under_score.org,HTTP,10.1.0.1,80,NONE\nedge-5,ok.example,HTTP,10.1.0.1,80,NONE\nedge-9,ok.example,HTTP,10.1.0.1,80,ACME\n`;
    const { outcome, reported } = await inventory.load(proxies, domains);
    expect(outcome).toBeInstanceOf(InventoryRefusedError);
    const certificate = ["certIssuer", "certKeyType", "certNotBefore", "certNotAfter", "certFingerprintSha256"];
    expect(reported).toEqual([
      "p3 name: name must be 1 to 63 characters of a-z, 0-9 and -.",
      "p3 port: port must be an integer from 1 to 65535.",
      "p4 -: has 4 cells, and the header has 5",
      "p5 name: name must be 1 to 63 characters of a-z, 0-9 and -.",
      "p7 kind: kind must be one of REVERSE, FORWARD, STREAM.",
      expect.stringMatching(/^d2 hostname: .*has a character that is not a letter, digit, hyphen or dot\.$/),
      ...certificate.map((field) => `d4 ${field}: ${field} is required when tlsMode is ACME.`),
      'd4 proxyName: there is no proxy called "edge-9", neither in the file nor in the inventory',
    ]);
    expect(await inventory.store.proxyKeys()).toEqual([]);
  });

  test("loadInventory loads nothing if one of many lines is invalid", async () => {
    await using inventory = await openInventory();
    // The domains are loaded in batches of 2,000.
    const length = isFullTestRun ? 20_000 : 5_000;
    const invalid = 0.6 * length;
    const lines = Array.from(
      { length },
      (_, index) => `edge-1,h${index}.example,HTTP,10.1.0.1,${index === invalid ? 0 : 80},NONE\n`,
    );
    const { reported } = await inventory.load(oneProxy, `${domainHeader}\n${lines.join("")}`);
    expect(reported).toEqual([`d${invalid + 2} upstreamPort: upstreamPort must be an integer from 1 to 65535.`]);
    expect(await inventory.store.proxyKeys()).toEqual([]);
  });

  test("loadInventory reports duplicates within a file and with the inventory", async () => {
    await using inventory = await openInventory();
    const domain = "edge-1,a.example,HTTP,10.1.0.1,80,NONE\n";
    const again = await inventory.load(
      `${oneProxy}edge-1,REVERSE,10.0.0.1,443,HTTP\n`,
      `${domainHeader}\n${domain}${domain}`,
    );
    expect(again.reported).toEqual([
      "p3 name: edge-1 is taken: line 2 has the same",
      "p3 address: 10.0.0.1 with port 443 is taken: line 2 has the same",
      "d3 hostname: is taken: line 2 has the same host name and path on the same proxy",
    ]);
    expect((await inventory.load(oneProxy, `${domainHeader}\n${domain}`)).reported).toEqual([]);
    const third = await inventory.load(oneProxy, `${domainHeader}\n${domain}`);
    expect(third.reported).toEqual([
      "p2 name: edge-1 is taken: the inventory already has such a proxy",
      "p2 address: 10.0.0.1 with port 443 is taken: the inventory already has such a proxy",
      "d2 hostname: is taken: the inventory has the same host name and path on the same proxy",
    ]);
  });

  test("loadInventory adds domains to existing proxies, named by proxyName or proxyId", async () => {
    await using inventory = await openInventory();
    await inventory.load(oneProxy, null);
    const [proxy] = await inventory.store.proxyKeys();
    const domains = `proxyId,${domainHeader}\n,edge-1,a.example,HTTP,10.1.0.1,80,NONE\n${proxy!.id},,b.example,HTTP,10.1.0.1,80,NONE\n`;
    expect(await inventory.load(null, domains)).toEqual({ outcome: { proxies: 0, domains: 2 }, reported: [] });
    const wrong = `proxyId,${domainHeader}\n${newId()},,c.example,HTTP,10.1.0.1,80,NONE\n,,d.example,HTTP,10.1.0.1,80,NONE\n`;
    const { reported } = await inventory.load(null, wrong);
    expect(reported).toEqual([
      expect.stringContaining("d2 proxyId: there is no proxy with the id"),
      expect.stringContaining("d3 proxyName: proxyName or proxyId is required"),
    ]);
  });

  test.each([
    ["name,kind,address,port", ["p1 protocol: is required and not in the header"]],
    [`${proxyHeader},id`, ["p1 id: is set by the server; remove the column"]],
    [`${proxyHeader},port`, ["p1 port: appears twice in the header"]],
    [`${proxyHeader},sofware`, [expect.stringContaining("p1 sofware: is not a field. Did you mean software?")]],
    [`${proxyHeader},__proto__`, [expect.stringContaining("p1 __proto__: is not a field.")]],
    ["", ["p1 -: the file is empty; its first line must be a header of field names"]],
  ])("loadInventory refuses the header %j and reports why", async (header, expected) => {
    await using inventory = await openInventory();
    expect((await inventory.load(header === "" ? "" : `${header}\n`, null)).reported).toEqual(expected);
  });

  test.each([
    [
      "an unclosed quote",
      `${oneProxy}"edge-2,REVERSE,10.0.0.2,443,HTTPS\nedge-3,REVERSE,10.0.0.3,443,HTTPS\n`,
      /^p3 -: A quoted cell begins here/,
    ],
    [
      "a quote inside an unquoted cell",
      `${oneProxy}ed"ge-2,REVERSE,10.0.0.2,443,HTTPS\n`,
      /^p3 -: A quote stands where none may/,
    ],
    [
      "bytes that are not UTF-8",
      Buffer.from(`${oneProxy}edg\u00e9,REVERSE,10.0.0.2,443,HTTPS\n`, "latin1"),
      /not UTF-8/,
    ],
    ["a NUL", `${oneProxy}"a\u0000b",REVERSE,10.0.0.2,443,HTTPS\n`, /^p3 name: name must be/],
  ])("loadInventory refuses a file with %s", async (_, proxies, reason) => {
    await using inventory = await openInventory();
    const { outcome, reported } = await inventory.load(proxies, null);
    expect(outcome).toBeInstanceOf(InventoryRefusedError);
    expect(reported).toEqual([expect.stringMatching(reason)]);
    expect(await inventory.store.proxyKeys()).toEqual([]);
  });
});
