import { integerText } from "./text-schemas.ts";
import { defineEnvironment } from "./variable.ts";

/** What API and worker must mean alike by the rights of schedules' owners. */
export const scheduleVariables = defineEnvironment({
  scheduleConfirmDays: {
    name: "SCHEDULE_CONFIRM_DAYS",
    schema: integerText(1, 3650),
    default: 90,
    description:
      "After how many days without a request of its owner a schedule is paused, and cannot be run by hand by anybody else, where the owner's authorities are those of their tokens.",
  },
});
