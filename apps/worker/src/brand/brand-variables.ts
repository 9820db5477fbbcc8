import { brandVariables, defineEnvironment, oneLineText } from "@reports/runtime";
import { z } from "zod";

export const documentBrandVariables = defineEnvironment({
  ...brandVariables,
  brandLogo: {
    name: "REPORT_BRAND_LOGO",
    schema: z.string(),
    optional: true,
    defaultText: "none",
    description:
      "Logo on reports: path of a PNG or SVG of at most 1 MiB, read at the start. Text in an SVG must have been converted to paths, and an SVG must not refer to other image files.",
  },
  brandFooter: {
    name: "REPORT_BRAND_FOOTER",
    schema: oneLineText(120),
    optional: true,
    defaultText: "none",
    description:
      "One line for the foot of every page of reports, such as a confidentiality note, at most 120 characters.",
  },
});
