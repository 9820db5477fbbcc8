/** One server-sent event. */
export interface ServerSentEvent {
  /** `message` unless the stream says another. */
  readonly event: string;
  readonly data: string;
  /** The last that the stream has said; empty before it said one. */
  readonly lastEventId: string;
}

/** What a stream of server-sent events holds, read piece by piece. HTML Living Standard §9.2.6. */
export interface EventStreamParser {
  /** The events that end within this piece of the stream. */
  push(bytes: Uint8Array): readonly ServerSentEvent[];
}

/** Parses one stream. What stands behind the last empty line when it ends is no event. */
export function createEventStreamParser(): EventStreamParser {
  // Takes the byte order mark away, and keeps the beginning of a character for the next piece.
  const decoder = new TextDecoder();
  let unread = "";
  let endedWithReturn = false;
  let event = "";
  let data: string[] = [];
  let lastEventId = "";

  /** The event that ends with this line, if one does. */
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
      // The second half of a line's end whose first half closed the piece before.
      if (endedWithReturn && text.startsWith("\n")) text = text.slice(1);
      endedWithReturn = text.endsWith("\r");
      const lines = (unread + text).split(/\r\n|\n|\r/);
      unread = lines.pop()!;
      return lines.flatMap(readLine);
    },
  };
}
