export interface ServerSentEvent {
  /** `message` by default. */
  readonly event: string;
  readonly data: string;
  /** Empty before the first one. */
  readonly lastEventId: string;
}

/** Parses server-sent events piece by piece. HTML Living Standard §9.2.6. */
export interface EventStreamParser {
  push(bytes: Uint8Array): readonly ServerSentEvent[];
}

/** An event without its empty line at the end of the stream is incomplete. */
export function createEventStreamParser(): EventStreamParser {
  // Removes the byte order mark, and keeps the start of a character for the next piece.
  const decoder = new TextDecoder();
  let unread = "";
  let endedWithReturn = false;
  let event = "";
  let data: string[] = [];
  let lastEventId = "";

  /** Returns the event that ends with this line. */
  function readLine(line: string): readonly ServerSentEvent[] {
    if (line === "") {
      const ended = data.length === 0 ? [] : [{ event: event || "message", data: data.join("\n"), lastEventId }];
      event = "";
      data = [];
      return ended;
    }
    const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
    if (field === "event") event = value;
    else if (field === "data") data.push(value);
    else if (field === "id" && !value.includes("\0")) lastEventId = value;
    return [];
  }

  return {
    push(bytes) {
      let text = decoder.decode(bytes, { stream: true });
      if (text === "") return [];
      // The second half of a line's end whose first half ended the last piece.
      if (endedWithReturn && text.startsWith("\n")) text = text.slice(1);
      endedWithReturn = text.endsWith("\r");
      const lines = (unread + text).split(/\r\n|\n|\r/);
      unread = lines.pop()!;
      return lines.flatMap(readLine);
    },
  };
}
