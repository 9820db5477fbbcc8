import {
  createRecordMethods,
  createGatewayTransport,
  type GatewayOptions,
  type RecordGateway,
} from "./compose-gateway.ts";
import { systemClientTiming } from "./transport/client-timing.ts";

export { severityThresholds } from "./wire/generated/fields.ts";

/**
 * Creates a client that cannot download, for pages that leave downloads to the browser. Calls `onToken` with every token that it gets for
 * credentials. Throws a TypeError if an option is invalid.
 */
export function createRecordGateway(options: GatewayOptions, onToken?: (token: string) => void): RecordGateway {
  return createRecordMethods(createGatewayTransport(options, systemClientTiming, onToken));
}
