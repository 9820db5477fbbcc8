import { idField } from "@reports/core/query";
import { z } from "zod";
import { describeProblems, type Endpoint } from "./endpoint.ts";

export function addRecordAccessDeclarations(endpoint: Endpoint): Endpoint {
  const { access, audit } = endpoint;
  if (access.kind !== "record") return endpoint;
  const { singular } = access.of;
  return {
    ...endpoint,
    params: z.object({ id: idField(`Id of the ${singular}.`), ...endpoint.params?.shape }),
    responses: {
      ...describeProblems({
        404: `There is no such ${singular}, or the caller may not see it.`,
        ...(access.acceptsDeleted === true ? {} : { 410: `The ${singular} was deleted.` }),
      }),
      ...endpoint.responses,
    },
    ...(audit === undefined ? {} : { audit: { idParam: "id", ...audit } }),
  };
}
