import { z } from "zod";
import { choiceField } from "./named-choices.ts";
import { countSchema } from "./report-schema.ts";
import { reportLanes } from "../base/vocabulary.ts";

/** Waiting and running reports of one lane. docs/reference/resources/lanes-and-workers.md#endpoints. */
export const laneSchema = z
  .strictObject({
    id: choiceField(reportLanes),
    waiting: countSchema("Number of jobs that could run now and wait for a worker, counted up to 2,000."),
    running: countSchema("Number of jobs that workers run now, counted up to 2,000."),
    oldestWaitSeconds: z.number().min(0).nullable().meta({
      description: "For how many seconds the oldest waiting job could already have run; null if no job waits.",
    }),
    workers: countSchema("Number of running workers that take reports from the lane and are not stopping."),
  })
  .meta({ id: "Lane", description: "A lane of the queue." });

/** Waiting and running reports of one lane. docs/reference/resources/lanes-and-workers.md#endpoints. */
export type Lane = z.output<typeof laneSchema>;

/** A running worker. docs/reference/resources/lanes-and-workers.md#endpoints. */
export const workerSchema = z
  .strictObject({
    id: z.string().meta({ description: "ID of the worker's process. A restart changes it." }),
    host: z.string().meta({ description: "Name of the host on which the worker runs." }),
    version: z.string().meta({ description: "Version of the service that the worker runs." }),
    lanes: z.array(choiceField(reportLanes)).meta({ description: "Lanes from which the worker takes reports." }),
    reportTypes: z.array(z.string()).nullable().meta({
      description: "Report types that the worker can run now. Null if the worker's version does not report them.",
    }),
    running: countSchema("Number of reports that the worker runs now."),
    startedAt: z.iso.datetime().meta({ description: "When the worker started." }),
    lastSeenAt: z.iso.datetime().meta({ description: "Time of the worker's last heartbeat." }),
  })
  .meta({ id: "Worker", description: "A running worker." });

/** A running worker. docs/reference/resources/lanes-and-workers.md#endpoints. */
export type Worker = z.output<typeof workerSchema>;
