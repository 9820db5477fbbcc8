export type TransferDirection = "to-upstream" | "to-client";

/**
 * A fault that a fault proxy applies to its connections.
 *
 * TCP faults also affect connections that are already open:
 * - `none`: forwards all data.
 * - `refuse`: stops listening and resets open connections.
 * - `black-hole`: keeps connections open but forwards no data in either direction. Forwards the held data when the fault ends.
 * - `reset`: resets a connection after it has forwarded `afterBytes` in `direction` since the fault began.
 * - `throttle`: forwards at most `bytesPerSecond` in each direction.
 * - `delay`: holds each chunk of data back for `ms`.
 *
 * HTTP faults reset all open connections when they begin and end:
 * - `answer`: answers requests without contacting the upstream server.
 * - `truncate`: forwards the headers of the upstream response, and closes the connection cleanly after `afterBytes` of its body.
 */
export type ProxyFault =
  | { readonly kind: "none" }
  | { readonly kind: "refuse" }
  | { readonly kind: "black-hole" }
  | { readonly kind: "reset"; readonly direction: TransferDirection; readonly afterBytes: number }
  | { readonly kind: "throttle"; readonly bytesPerSecond: number }
  | { readonly kind: "delay"; readonly ms: number }
  | ({
      readonly kind: "answer";
      readonly status: number;
      readonly body?: string;
      readonly contentType?: string;
    } & FaultedRequestSelection)
  | ({ readonly kind: "truncate"; readonly afterBytes: number } & FaultedRequestSelection);

export interface FaultedRequestSelection {
  readonly matches?: (request: { readonly method: string; readonly path: string }) => boolean;
}

export const storageFullFault: ProxyFault = {
  kind: "answer",
  status: 507,
  contentType: "application/xml",
  body: '<?xml version="1.0" encoding="UTF-8"?><Error><Code>XMinioStorageFull</Code><Message>Storage backend has reached its minimum free drive threshold.</Message></Error>',
};

export function isHttpFault(fault: ProxyFault): fault is Extract<ProxyFault, { kind: "answer" | "truncate" }> {
  return fault.kind === "answer" || fault.kind === "truncate";
}
