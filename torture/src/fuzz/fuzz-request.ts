import type { SeededRandom } from "@reports/testing";
import { fuzzBody } from "./fuzz-body.ts";
import { fuzzHeaders } from "./fuzz-headers.ts";
import type { FuzzOperation, FuzzInputs } from "./fuzz-inputs.ts";

export interface FuzzedRequest {
  readonly bytes: Buffer;
  readonly isHead: boolean;
  /** Whether the request violates HTTP. The API may then close the connection without a response. */
  readonly isBroken: boolean;
  readonly isCutShort: boolean;
}

const otherMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "M-SEARCH"];
const badMethods = ["get", "FOO", "CONNECT", "", "G\0T", "A".repeat(300)];
const mediaTypes = [
  "text/plain",
  "application/xml",
  "multipart/form-data",
  "application/json; charset=utf-16",
  "a/b/c",
  "",
];

/** Returns a random request. Equal random numbers and equal IDs give the same bytes, so that a run can be repeated. */
export function fuzzRequest(random: SeededRandom, inputs: FuzzInputs): FuzzedRequest {
  const operation = random.pick(inputs.operations);
  const isBad = random.chance(0.02);
  const method = isBad ? random.pick(badMethods) : random.chance(0.8) ? operation.method : random.pick(otherMethods);
  const raw = random.chance(0.03);
  const target = raw
    ? random.pick([
        "*",
        "http://other/v1/proxies",
        "//",
        "/%",
        "/\x80\xff",
        "/a b",
        "?",
        "/\0",
        `/${"x".repeat(17_000)}`,
      ])
    : pathOf(random, inputs, operation) + queryOf(random, inputs, operation);
  const version = random.chance(0.005) ? random.pick(["HTTP/1.0", "HTTP/2.0", "HTTP/9", "XTTP/1.1", ""]) : "HTTP/1.1";
  const headers = fuzzHeaders(random, inputs);
  const hasBody = operation.mediaTypes.length > 0 || random.chance(0.1);
  const body = hasBody ? fuzzBody(random, inputs, operation) : Buffer.alloc(0);
  if (hasBody) {
    const type = random.chance(0.85) ? (operation.mediaTypes[0] ?? "application/json") : random.pick(mediaTypes);
    headers.push(`Content-Type: ${type}`);
    if (random.chance(0.03)) headers.push(`Content-Encoding: ${random.pick(["gzip", "br", "identity", "x"])}`);
  }
  const framed = frame(random, body, hasBody);
  const ending = random.chance(0.005) ? "\n" : "\r\n";
  const head = [`${method} ${target} ${version}`, ...headers, ...framed.headers, "", ""].join(ending);
  const text = Buffer.from(head, "latin1");
  const isGarbled = random.chance(0.01);
  if (isGarbled) text[random.integer(0, text.length - 1)] = random.integer(0, 255);
  return {
    bytes: Buffer.concat([text, framed.body]),
    isHead: method === "HEAD",
    isBroken: isBad || raw || isGarbled || version !== "HTTP/1.1" || ending === "\n" || framed.isBroken,
    isCutShort: framed.isCutShort || isGarbled,
  };
}

function pathOf(random: SeededRandom, inputs: FuzzInputs, { path }: FuzzOperation): string {
  const filled = path.replaceAll(/([\w-]*)\/\{\w+\}/g, (_, segment: string) => {
    const known = inputs.ids.get(segment) ?? [];
    const id = random.chance(0.75) && known.length > 0 ? random.pick(known) : random.pick(inputs.segments);
    return `${segment}/${id.toWellFormed().replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent)}`;
  });
  if (random.chance(0.9)) return filled;
  const at = random.integer(0, filled.length);
  const inserted = random.pick(["/", "//", "%2f", "%00", "%ff", "%", "..", ";", "%25", "A", "\\", "'"]);
  return random.chance(0.1)
    ? filled.toUpperCase()
    : `/${filled.slice(1, at)}${inserted}${filled.slice(Math.max(1, at))}`;
}

function queryOf(random: SeededRandom, inputs: FuzzInputs, { path, queryNames }: FuzzOperation): string {
  const pairs: string[] = [];
  if (queryNames.includes("reportType") && random.chance(0.85))
    pairs.push(`reportType=${random.pick(["PROXY", "PROXY_DOMAIN", "proxy"])}`);
  if (path.endsWith("/download") && random.chance(0.8)) pairs.push(`id=${random.pick(inputs.ids.get("reports")!)}`);
  const values = [...inputs.texts, "csv", "PROXY", "UP", "true", "5", "-createdAt", "2026-01-01T00:00:00Z", "exact"];
  while (random.chance(0.35)) {
    const name = random.chance(0.85) && queryNames.length > 0 ? random.pick(queryNames) : random.pick(inputs.texts);
    const suffix = random.chance(0.1) ? random.pick(["[]", "[q]", "[health]", "[a][b]", "[__proto__]"]) : "";
    const value = random.chance(0.02) ? "y".repeat(random.integer(500, 20_000)) : random.pick(values);
    pairs.push(
      `${encodeURIComponent(name.toWellFormed())}${suffix}=${random.chance(0.95) ? encodeURIComponent(value.toWellFormed()) : "%zz%"}`,
    );
  }
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

function frame(random: SeededRandom, body: Buffer, hasBody: boolean) {
  const valid = { headers: [`Content-Length: ${body.length}`], body, isBroken: false, isCutShort: false };
  if (!hasBody && random.chance(0.98)) return { ...valid, headers: [] };
  const size = body.length.toString(16);
  const chunked = Buffer.concat(
    body.length === 0 ? [Buffer.from("0\r\n\r\n")] : [Buffer.from(`${size}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")],
  );
  if (random.chance(0.85)) return valid;
  if (random.chance(0.7)) return { ...valid, headers: ["Transfer-Encoding: chunked"], body: chunked };
  const broken = { body, isBroken: true, isCutShort: true };
  return random.pick([
    { ...broken, headers: [`Content-Length: ${body.length + 100}`] },
    { ...broken, headers: [`Content-Length: ${Math.floor(body.length / 2)}`] },
    { ...broken, headers: ["Content-Length: -1"] },
    { ...broken, headers: [...valid.headers, "Content-Length: 3"] },
    { ...broken, headers: [...valid.headers, "Transfer-Encoding: chunked"], body: chunked },
    { ...broken, headers: ["Transfer-Encoding: chunked"], body: Buffer.from("zz\r\nabc") },
    { ...broken, headers: ["Transfer-Encoding: gzip, chunked"], body: chunked },
  ]);
}
