import { createChoiceField, nameChoices } from "../../record/choice-field.ts";
import { columnKinds } from "./column.ts";
import { compressions, reportFormats } from "./format.ts";
import { reportLanes, progressPhases, reportStatuses } from "../../base/vocabulary.ts";
import { orientations, papers } from "./page.ts";

export const reportChoices = nameChoices([
  ["ReportStatus", reportStatuses, "State of a report."],
  ["ReportFormat", reportFormats, "The format of a report's file."],
  ["Compression", compressions, "How a report's file is compressed."],
  ["Paper", papers, "The paper of a pdf, and on which an xlsx is printed."],
  ["Orientation", orientations, "Which way round the pages of a pdf are; auto is portrait where the columns fit."],
  ["ProgressPhase", progressPhases, "Current step of a running report."],
  ["ReportLane", reportLanes, "A lane of the queue: of short reports, of long ones, of those that run alone."],
  ["ColumnKind", columnKinds, "Kind of the values of a column."],
]);

export const choiceField = createChoiceField(reportChoices);
