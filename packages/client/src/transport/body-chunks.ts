import { unreachableError } from "../errors.ts";

/** Yields the body of a response as it arrives, and cancels the rest if the reader stops early. Throws a GatewayError if the body breaks off. */
export async function* readBodyChunks(response: Response): AsyncGenerator<Uint8Array, void, void> {
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
    throw unreachableError("The response broke off.", cause);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
