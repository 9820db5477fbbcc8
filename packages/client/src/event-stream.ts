export interface ServerSentEvent {
  /** The type of the event, `message` by default. */
  readonly event: string;
  readonly data: string;
  /** The last ID in the stream so far, or an empty text. */
  readonly lastEventId: string;
}

/** Parses server-sent events piece by piece. WHATWG HTML §9.2.6. */
export interface EventStreamParser {
  push(bytes: Uint8Array): readonly ServerSentEvent[];
}

/** Creates a parser. It does not return an event at the end of the stream that has no closing empty line. */
export function createEventStreamParser(): EventStreamParser {
  // The decoder removes a byte order mark, and keeps the bytes of an incomplete character until the next piece.
  const decoder = new TextDecoder();
  let unread = "";
  let endedWithReturn = false;
  let event = "";
  let data: string[] = [];
  let lastEventId = "";

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
      // This LF completes a CRLF whose CR ended the previous piece.
      if (endedWithReturn && text.startsWith("\n")) text = text.slice(1);
      endedWithReturn = text.endsWith("\r");
      const lines = (unread + text).split(/\r\n|\n|\r/);
      unread = lines.pop()!;
      return lines.flatMap(readLine);
    },
  };
}
