import { webhookPayloads } from "@reports/core/wire";
import { toJsonSchema, type OpenApiComponents } from "./json-schema.ts";

const webhookHeaders = {
  "webhook-id": "Id of the event, the same in every attempt. Ignore an event that you have already received.",
  "webhook-timestamp": "Time of sending in seconds since 1970. Refuse a request that is older than five minutes.",
  "webhook-signature":
    "One or two signatures, separated by a space: v1, and the base64 of HMAC-SHA256 over id.timestamp.body (Standard Webhooks).",
};

export function buildOpenApiWebhooks(components: OpenApiComponents): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(webhookPayloads).map(([type, schema]) => [
      type,
      {
        post: {
          operationId: `on-${type}`.replace(/[-.](\w)/g, (_, letter: string) => letter.toUpperCase()),
          summary: `Event ${type}`,
          description: "Sent by the gateway, at least once and in no promised order.",
          tags: ["Webhooks"],
          security: [],
          parameters: Object.entries(webhookHeaders).map(([name, description]) => ({
            name,
            in: "header",
            required: true,
            description,
            schema: { type: "string" },
          })),
          requestBody: {
            required: true,
            content: { "application/json": { schema: toJsonSchema(schema, "output", components) } },
          },
          responses: { "2XX": { description: "It was received. Anything else is a failure, and it is sent again." } },
        },
      },
    ]),
  );
}
