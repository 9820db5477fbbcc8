import { callerSchema } from "@reports/core/wire";
import { z } from "zod";
import { defineEndpoint, type Endpoint } from "../endpoint/endpoint.ts";
import { openApiTags } from "../endpoint/open-api-tag.ts";

const noStore = { "Cache-Control": "no-store" };

export function readCallerEndpoint(): Endpoint {
  return defineEndpoint({
    method: "GET",
    path: "/v1/callers",
    operationId: "readCaller",
    summary: "Returns the principal and the authorities of the caller",
    description:
      "One record, the caller's own: the principal as records name it, and its authorities, as these credentials have them now.",
    tag: openApiTags.tokens,
    access: { kind: "authenticated" },
    produces: ["application/json"],
    responses: {
      200: {
        kind: "json",
        description: "The caller.",
        schema: z.array(callerSchema),
        headers: { "Cache-Control": "no-store" },
      },
    },
    handle: async ({ principal: { id, authorities } }) => ({
      status: 200,
      headers: noStore,
      body: { kind: "json", value: [{ id, authorities: [...authorities].toSorted() }] },
    }),
  });
}
