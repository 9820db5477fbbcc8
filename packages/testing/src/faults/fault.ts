export type Direction = "to-upstream" | "to-client";

/**
 * What a fault proxy does to the connections through it.
 *
 * On TCP, for anything (running connections included):
 * - `none`: passes everything on.
 * - `refuse`: nothing listens; running connections are reset.
 * - `black-hole`: connections stand, no byte moves in either direction; goes on when the fault is lifted.
 * - `reset`: each connection is reset once so many bytes went in the direction since the fault began.
 * - `throttle`: so many bytes a second in each direction.
 * - `delay`: every piece of data is held back for so long.
 *
 * On HTTP (running connections are reset when one of these begins or ends):
 * - `answer`: requests are answered without asking upstream.
 * - `truncate`: upstream's answer is passed on with its head, and the connection ends cleanly after so many bytes of its body.
 */
export type Fault =
  | { readonly kind: "none" }
  | { readonly kind: "refuse" }
  | { readonly kind: "black-hole" }
  | { readonly kind: "reset"; readonly direction: Direction; readonly afterBytes: number }
  | { readonly kind: "throttle"; readonly bytesPerSecond: number }
  | { readonly kind: "delay"; readonly ms: number }
  | ({
      readonly kind: "answer";
      readonly status: number;
      readonly body?: string;
      readonly contentType?: string;
    } & Selection)
  | ({ readonly kind: "truncate"; readonly afterBytes: number } & Selection);

/** Which requests an HTTP fault affects; all by default. */
export interface Selection {
  readonly matches?: (request: { readonly method: string; readonly path: string }) => boolean;
}

/** The response of an S3-compatible store whose disk is full. */
export const storageFull: Fault = {
  kind: "answer",
  status: 507,
  contentType: "application/xml",
  body: '<?xml version="1.0" encoding="UTF-8"?><Error><Code>XMinioStorageFull</Code><Message>Storage backend has reached its minimum free drive threshold.</Message></Error>',
};

export function isHttpFault(fault: Fault): fault is Extract<Fault, { kind: "answer" | "truncate" }> {
  return fault.kind === "answer" || fault.kind === "truncate";
}
