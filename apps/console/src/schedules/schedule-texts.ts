import { scheduleFields, type ReportSchedule, type ReportType } from "@reports/client";
import type { LabelledText } from "../parts/changed-fields.ts";
import { selectFieldLabel } from "../parts/field-values.ts";
import { describeFilters } from "../parts/filter-description.ts";
import { deriveFieldLabel, toSentenceCase } from "../parts/text.ts";
import { formatTime } from "../parts/time-text.ts";
import { optionLabel, formatOption } from "../start/options.tsx";
import { describeCron } from "./cron.ts";

export function listScheduleTexts(schedule: ReportSchedule, type: ReportType | undefined): readonly LabelledText[] {
  const { name, cron, timezone, status, searchParam, options } = schedule;
  const plain = (["startsAt", "endsAt", "missed", "missedWithinSeconds", "overlap"] as const).map((field) => {
    const value = schedule[field];
    const text = value === null ? "" : scheduleFieldText(field, String(value));
    return [selectFieldLabel(field, scheduleFields[field]), text] as const;
  });
  return [
    ["Name", name],
    ["State", toSentenceCase(status)],
    ["When", describeCron(cron)],
    ["Time zone", timezone],
    ...describeFilters(searchParam, type, timezone).map(({ label, texts }) => [label, texts.join(" or ")] as const),
    ...Object.entries(options).map(
      ([option, value]) => [optionLabel(option) ?? deriveFieldLabel(option), formatOption(option, value)] as const,
    ),
    ...plain,
  ];
}

function scheduleFieldText(field: "startsAt" | "endsAt" | "missed" | "missedWithinSeconds" | "overlap", value: string) {
  const { kind } = scheduleFields[field];
  if (kind === "time") return formatTime(value);
  return kind === "choice" ? toSentenceCase(value) : value;
}
