import { readThrownMessage, sanitiseUntrustedText } from "@reports/core/base";
import type { PreviewReply } from "./object-preview-request.ts";

export type ParsedPreviewReply = PreviewReply | { readonly kind: "invalid"; readonly problem: string };

const maxRows = 1_000;
const lineFeed = 0x0a;

/**
 * Creates a reader of the reply of a preview's process, which is one line of JSON. The reader gets chunks, and returns null until the reply is
 * complete or too long. It never throws, because report types can write to the channel too.
 */
export function createPreviewReplyReader(maxBytes: number): (chunk: Buffer) => ParsedPreviewReply | null {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return (chunk) => {
    const end = chunk.indexOf(lineFeed);
    const part = end === -1 ? chunk : chunk.subarray(0, end);
    bytes += part.length;
    if (bytes > maxBytes) {
      chunks.length = 0;
      return { kind: "invalid", problem: `The process sent a reply of more than ${maxBytes} bytes.` };
    }
    chunks.push(part);
    return end === -1 ? null : parseReply(Buffer.concat(chunks.splice(0)).toString());
  };
}

function parseReply(line: string): ParsedPreviewReply {
  let reply: unknown;
  try {
    reply = JSON.parse(line);
  } catch {
    return { kind: "invalid", problem: "The process sent a reply that is not JSON." };
  }
  const { kind, rows, failure, message } = (reply ?? {}) as Readonly<Record<string, unknown>>;
  if (kind === "rows" && isTable(rows)) return { kind, rows };
  if (kind !== "failed") return { kind: "invalid", problem: "The process sent a reply of an unknown form." };
  return {
    kind,
    failure: failure === "permanent" || failure === "unavailable" ? failure : "broken",
    message: typeof message === "string" ? sanitiseUntrustedText(message) : readThrownMessage({}),
  };
}

function isTable(rows: unknown): rows is (string | null)[][] {
  return (
    Array.isArray(rows) &&
    rows.length <= maxRows &&
    rows.every((row) => Array.isArray(row) && row.every((cell: unknown) => cell === null || typeof cell === "string"))
  );
}
