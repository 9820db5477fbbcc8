const timeoutMs = 5_000;
/** Maximum size of an issuer's response. Real key sets and discovery documents have a few kilobytes. */
const maxResponseBytes = 1024 * 1024;

/** Fetches a JSON document of an issuer. Rejects unless the response is a 200 within 5 s, is not too large, and is JSON. */
export async function fetchIssuerJson(
  url: URL,
  options: { readonly what: string; readonly accept: string; readonly fetch: typeof fetch },
): Promise<unknown> {
  // Redirects are not followed, because they would let another server choose the keys that we trust.
  const response = await options.fetch(url, {
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
    headers: { Accept: options.accept },
  });
  try {
    if (response.status !== 200)
      throw new Error(`${options.what} was answered with ${response.status} instead of 200.`);
    return JSON.parse(await readBoundedText(response, options.what));
  } finally {
    await response.body?.cancel().catch(() => undefined);
  }
}

async function readBoundedText(response: Response, what: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  for await (const chunk of body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxResponseBytes) throw new Error(`${what} has more than ${maxResponseBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
