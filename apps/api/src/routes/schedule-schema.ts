import { scheduleRecord } from "@reports/core/schedule";
import type { ReportCatalogue } from "@reports/core/report";
import type { z } from "zod";
import { createScheduleFilterSchemas, createScheduleOptionsSchema, reportTypeNameSchema } from "./start-schema.ts";

export interface ScheduleBodySchemas {
  readonly whole: z.ZodType;
  readonly patch: z.ZodType;
}

export function scheduleBodySchemas(catalogue: ReportCatalogue): ScheduleBodySchemas {
  const { reportType, searchParam, options } = scheduleRecord.fields;
  const filters = createScheduleFilterSchemas(catalogue);
  const fields = {
    reportType: reportTypeNameSchema(catalogue).meta({ description: reportType.given.description }),
    searchParam: filters.whole.nullish().meta({ description: searchParam.given.description }),
    options: createScheduleOptionsSchema(catalogue).optional().meta({ description: options.given.description }),
  };
  const patched = {
    reportType: fields.reportType.optional(),
    searchParam: filters.patch.nullish().meta({ description: searchParam.given.description }),
    options: fields.options.nullable(),
  };
  return {
    whole: scheduleRecord.input.extend(fields).meta({ id: "ReportScheduleInput" }),
    patch: scheduleRecord.patch.extend(patched).meta({ id: "ReportSchedulePatch" }),
  };
}
