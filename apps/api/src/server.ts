import type { RequestListener, Server } from "node:http";
import { createGuardedServer, type GuardedServerDeps } from "@reports/runtime";
import { securityHeaders } from "./middleware/security-headers.ts";
import { HttpProblem, createProblemDocument, toProblemReply } from "./problem.ts";

/** Creates the HTTP server. Requests that Node.js or the connection guard refuse also get a problem document. */
export function createHttpServer(
  listener: RequestListener,
  deps: Omit<GuardedServerDeps, "describeRefusal"> & { readonly newId: () => string; readonly basePath: string },
): Server {
  const { newId, basePath, ...others } = deps;
  return createGuardedServer(listener, {
    ...others,
    describeRefusal({ status, code, message }) {
      const requestId = newId();
      const problem = toProblemReply(new HttpProblem(status, code, message));
      return {
        headers: { ...securityHeaders, "Content-Type": "application/problem+json", "X-Request-Id": requestId },
        body: JSON.stringify(createProblemDocument(problem, { instance: "", requestId, basePath })),
      };
    },
  });
}
