import { callerSchema } from "@reports/core/wire";
import { z } from "zod";
import { defineEndpoint, replyJson, describeJson, type Endpoint } from "../endpoint/endpoint.ts";
import { openApiTags } from "../endpoint/open-api-tag.ts";

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
    responses: {
      200: describeJson("The caller.", z.array(callerSchema)),
    },
    handle: async ({ principal: { id, authorities } }) => replyJson([{ id, authorities: [...authorities].toSorted() }]),
  });
}
