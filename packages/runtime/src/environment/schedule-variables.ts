import { integerText } from "./text-schemas.ts";
import { defineEnvironment } from "./variable.ts";

export const scheduleVariables = defineEnvironment({
  scheduleConfirmDays: {
    name: "SCHEDULE_CONFIRM_DAYS",
    schema: integerText(1, 3650),
    default: 90,
    description:
      "Days without a request of its owner after which a schedule or webhook is paused, if the owner signs in with tokens of an issuer. Other callers can then not run the schedule by hand.",
  },
});
