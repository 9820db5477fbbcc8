import { createChoiceField, nameChoices } from "../../record/choice-field.ts";
import { columnKinds } from "./column.ts";
import { compressions, reportFormats } from "./format.ts";
import { reportLanes, progressPhases, reportStatuses } from "../../base/vocabulary.ts";
import { orientations, papers } from "./page.ts";

export const reportChoices = nameChoices([
  ["ReportStatus", reportStatuses, "Where a report stands in its life."],
  ["ReportFormat", reportFormats, "The format of a report's file."],
  ["Compression", compressions, "How a report's file is compressed."],
  ["Paper", papers, "The paper of a pdf, and on which an xlsx is printed."],
  ["Orientation", orientations, "Which way round the pages of a pdf are; auto is portrait where the columns fit."],
  ["ProgressPhase", progressPhases, "What is being done for a report right now."],
  ["ReportLane", reportLanes, "A lane of the queue: of short reports, of long ones, of those that run alone."],
  ["ColumnKind", columnKinds, "What a column of a report holds."],
]);

export const choiceField = createChoiceField(reportChoices);
