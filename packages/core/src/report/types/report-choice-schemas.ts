import { createChoiceFieldFactory, createNamedChoiceSchemas } from "../../record/choice-field.ts";
import { columnAlignments, columnKinds, columnTones } from "./column.ts";
import { compressions, reportFormats } from "./format.ts";
import { reportLanes, progressPhases, reportStatuses } from "../../base/vocabulary.ts";
import { languages } from "./language.ts";
import { orientations, papers } from "./page.ts";

export const reportChoiceSchemas = createNamedChoiceSchemas([
  ["ReportStatus", reportStatuses, "State of a report."],
  ["ReportFormat", reportFormats, "Format of the file."],
  ["Compression", compressions, "Compression of the file."],
  ["Paper", papers, "Paper size of a pdf, and of a printed xlsx."],
  [
    "Orientation",
    orientations,
    "Orientation of the pages of a pdf. auto: portrait if the columns fit, else landscape.",
  ],
  ["Language", languages, "Language of the words in pdf and xlsx (BCP 47)."],
  ["ProgressPhase", progressPhases, "Current step of the report."],
  [
    "ReportLane",
    reportLanes,
    "Lane of the queue. quick: short reports. bulk: long reports. suspect: quarantined reports, each of which runs alone on its worker.",
  ],
  ["ColumnKind", columnKinds, "Kind of the values of a column."],
  ["ColumnTone", columnTones, "Meaning of a value, which pdf and xlsx show as a colour."],
  ["ColumnAlignment", columnAlignments, "Alignment of a column in pdf and xlsx."],
]);

export const choiceField = createChoiceFieldFactory(reportChoiceSchemas);
