import { Argument } from "commander";

/** Completion recognizes these arguments by their names. */
export const createReportIdArgument = (): Argument =>
  new Argument("<report>", "id of a report, its last eight characters, or @last: your newest report");
export const createScheduleIdArgument = (): Argument =>
  new Argument("<schedule>", "id of a schedule, or its last eight characters");
export const createWebhookIdArgument = (): Argument =>
  new Argument("<webhook>", "id of a webhook, or its last eight characters");
