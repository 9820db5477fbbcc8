import { REPORTS_ADMIN } from "@reports/auth";
import type { LaneLoad, RunningWorker } from "@reports/core/report";
import { laneSchema, workerSchema } from "@reports/core/wire";
import { z } from "zod";
import { defineEndpoint, replyJson, describeJson, type Endpoint } from "../endpoint/endpoint.ts";
import { openApiTags } from "../endpoint/open-api-tag.ts";

/** Queries about the queue of reports. Each rejects with StoreUnavailableError while Postgres is unavailable. */
export interface QueueDeps {
  readonly readLanes: () => Promise<readonly LaneLoad[]>;
  readonly readWorkers: () => Promise<readonly RunningWorker[]>;
}

const adminAccess = { kind: "authority", authority: REPORTS_ADMIN } as const;

export function queueEndpoints(deps: QueueDeps): readonly Endpoint[] {
  return [lanesEndpoint(deps), workersEndpoint(deps)];
}

function lanesEndpoint(deps: QueueDeps): Endpoint {
  return defineEndpoint({
    method: "GET",
    path: "/v1/lanes",
    operationId: "listLanes",
    summary: "Lists the lanes of the queue",
    description: "Waiting and running reports of each lane, and the number of workers that serve it.",
    tag: openApiTags.queue,
    access: adminAccess,
    responses: { 200: describeJson("The lanes.", z.array(laneSchema)) },
    async handle() {
      return replyJson(
        (await deps.readLanes()).map(({ lane, waiting, running, oldestWaitMs, workers }) => ({
          id: lane,
          waiting,
          running,
          oldestWaitSeconds: oldestWaitMs === null ? null : oldestWaitMs / 1000,
          workers,
        })),
      );
    },
  });
}

function workersEndpoint(deps: QueueDeps): Endpoint {
  return defineEndpoint({
    method: "GET",
    path: "/v1/workers",
    operationId: "listWorkers",
    summary: "Lists the running workers",
    description: "The oldest first, at most 1,000, including those that are stopping.",
    tag: openApiTags.queue,
    access: adminAccess,
    responses: { 200: describeJson("The workers.", z.array(workerSchema)) },
    async handle() {
      return replyJson(
        (await deps.readWorkers()).map(({ servedTypes, startedAt, lastSeenAt, ...worker }) => ({
          ...worker,
          reportTypes: servedTypes === null ? null : Object.keys(servedTypes).toSorted(),
          startedAt: startedAt.toISOString(),
          lastSeenAt: lastSeenAt.toISOString(),
        })),
      );
    },
  });
}
