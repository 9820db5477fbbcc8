import type { SeededRandom } from "@reports/testing";
import { randomBytes } from "./fuzz-body.ts";
import type { FuzzInputs } from "./fuzz-inputs.ts";

const names = `Accept Accept-Language If-None-Match If-Match If-Modified-Since If-Unmodified-Since Range If-Range
  Last-Event-ID Idempotency-Key traceparent X-Request-Id X-Forwarded-For Forwarded Sec-Purpose Sec-Fetch-Site Origin Cookie
  Content-Encoding Upgrade Connection Expect Via Content-Type Authorization Host TE Trailer X-HTTP-Method-Override
  Prefer`.split(/\s+/);
const values =
  `*/*|application/json|text/event-stream|text/*;q=0|bytes=0-|bytes=-1|bytes=5-1,9-|*|"a"|W/"a", *|gzip|identity
  |websocket|upgrade|100-continue|200-ok|prefetch|cross-site|Thu, 01 Jan 1970 00:00:00 GMT|-1|${"9".repeat(40)}|wait=1|wait=x
  |respond-async, wait=1|1.2.3.4|00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01|a=b; c=d|for=unknown|chunked||;;;,,`
    .split("|")
    .map((value) => value.trim());

export function fuzzHeaders(random: SeededRandom, inputs: FuzzInputs): string[] {
  const { good, bad } = inputs.authorizations;
  const headers = random.chance(0.99) ? ["Host: localhost"] : [];
  if (random.chance(0.93)) headers.push(`Authorization: ${random.chance(0.85) ? good : random.pick(bad)}`);
  while (random.chance(0.3)) {
    const value = random.weighted<() => string>([
      [() => random.pick(values), 12],
      [() => random.pick(inputs.texts).replaceAll(/[^\x20-\x7e]/g, ""), 6],
      [
        () =>
          randomBytes(random, 12)
            .toString("latin1")
            .replaceAll(/\p{Cc}/gu, "\t"),
        1,
      ],
      [() => "z".repeat(random.integer(1_000, 20_000)), 0.3],
    ])();
    headers.push(`${random.pick(names)}: ${value}`);
  }
  return headers;
}
