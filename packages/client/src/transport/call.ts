import type { CallOptions } from "../call-options.ts";
import { discard, jsonOf } from "./answer.ts";
import type { GatewayRequest, Transport } from "./send.ts";

/** Sends a request and reads its answer as JSON. */
export async function call<Answer>(
  transport: Transport,
  method: GatewayRequest["method"],
  path: readonly string[],
  { signal }: CallOptions = {},
  more: Pick<GatewayRequest, "body" | "headers" | "query"> = {},
): Promise<Answer> {
  return transport.send({ method, path, signal, ...more }, jsonOf<Answer>);
}

/** Deletes what is under the path. */
export async function remove(
  transport: Transport,
  path: readonly string[],
  { signal }: CallOptions = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  await transport.send({ method: "DELETE", path, headers, signal }, discard);
}
