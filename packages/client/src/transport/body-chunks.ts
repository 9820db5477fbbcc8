import { unreachable } from "../errors.ts";

/** The body of an response as it comes; ends it where its reader leaves early. A body that breaks off is a GatewayError. */
export async function* bodyChunks(response: Response): AsyncGenerator<Uint8Array, void, void> {
  const body: ReadableStream<Uint8Array> | null = response.body;
  const reader = body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (cause) {
    throw unreachable("The response broke off.", cause);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
