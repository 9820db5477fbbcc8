import { whole } from "./answer.ts";

/** The body of an answer as it comes; ends it where its reader leaves early. A body that breaks off is a GatewayError. */
export async function* bodyChunks(answer: Response): AsyncGenerator<Uint8Array, void, void> {
  const body: ReadableStream<Uint8Array> | null = answer.body;
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await whole(reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
