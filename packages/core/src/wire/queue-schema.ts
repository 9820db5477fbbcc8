import { z } from "zod";
import { choiceField } from "./named-choices.ts";
import { reportLanes } from "../base/vocabulary.ts";

/** Waiting and running reports of one lane. docs/reference/resources/lanes-and-workers.md#endpoints. */
export const laneSchema = z
  .strictObject({
    id: choiceField(reportLanes),
    waiting: z.int().min(0).meta({ description: "Jobs that could run now, counted up to 2,000." }),
    running: z.int().min(0).meta({ description: "Jobs that workers hold, counted up to 2,000." }),
    oldestWaitSeconds: z
      .number()
      .min(0)
      .nullable()
      .meta({ description: "Since the oldest waiting job could run; null where none waits." }),
    workers: z.int().min(0).meta({ description: "Running workers that serve the lane and are not stopping." }),
  })
  .meta({ id: "Lane", description: "A lane of the queue." });

/** Waiting and running reports of one lane. docs/reference/resources/lanes-and-workers.md#endpoints. */
export type Lane = z.output<typeof laneSchema>;

/** A living worker. docs/reference/resources/lanes-and-workers.md#endpoints. */
export const workerSchema = z
  .strictObject({
    id: z.string().meta({ description: "ID of its process; a restart changes it." }),
    host: z.string().meta({ description: "The name of its host." }),
    version: z.string().meta({ description: "The version of the service that it runs." }),
    lanes: z.array(choiceField(reportLanes)).meta({ description: "From which it takes reports." }),
    reportTypes: z
      .array(z.string())
      .nullable()
      .meta({ description: "Those that it can run now; null of a worker that is too old to say." }),
    running: z.int().min(0).meta({ description: "Reports that it is making." }),
    startedAt: z.iso.datetime().meta({ description: "When it started." }),
    lastSeenAt: z.iso.datetime().meta({ description: "When it last said that it lives." }),
  })
  .meta({ id: "Worker", description: "A worker that lives." });

/** A living worker. docs/reference/resources/lanes-and-workers.md#endpoints. */
export type Worker = z.output<typeof workerSchema>;
