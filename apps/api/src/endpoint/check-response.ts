import type { Endpoint, Reply } from "./endpoint.ts";

/** For tests: throws if a reply has a status, kind of body, media type, field or header that its endpoint does not declare. */
export function assertDeclaredReply(endpoint: Endpoint, method: string, reply: Reply): void {
  const spec = endpoint.responses[reply.status];
  const where = `${endpoint.operationId} answers ${reply.status}`;
  if (spec === undefined) throw new Error(`${where}, which it does not declare.`);
  const isBodiless = method === "HEAD" && reply.body.kind === "empty";
  const isStream = spec.kind === "json" && spec.streams === true && reply.body.kind === "events";
  if (spec.kind !== reply.body.kind && !isBodiless && !isStream)
    throw new Error(`${where} with a body of kind ${reply.body.kind} and declares ${spec.kind}.`);
  if (spec.kind === "json" && reply.body.kind === "json") {
    const result = spec.schema.safeParse(reply.body.value);
    if (!result.success)
      throw new Error(`${where} with a body that its schema does not allow: ${result.error.message}`);
  }
  if ((spec.kind === "bytes" || spec.kind === "text") && (reply.body.kind === "bytes" || reply.body.kind === "text")) {
    const [mediaType = ""] = reply.body.contentType.split(";");
    if (!spec.mediaTypes.includes(mediaType))
      throw new Error(`${where} with the media type ${mediaType}, which it does not declare.`);
  }
  const declared = new Set(Object.keys(spec.headers ?? {}).map((name) => name.toLowerCase()));
  for (const name of Object.keys(reply.headers ?? {})) {
    if (!declared.has(name.toLowerCase()))
      throw new Error(`${where} with the header ${name}, which it does not declare.`);
  }
}

/** For tests: throws if an endpoint does not declare problems of this status. Every endpoint may answer 500. */
export function assertDeclaredProblem(endpoint: Endpoint, status: number, cause: unknown): void {
  if (status === 500 || endpoint.responses[status]?.kind === "problem") return;
  throw new Error(`${endpoint.operationId} answers the problem ${status}, which it does not declare.`, { cause });
}
