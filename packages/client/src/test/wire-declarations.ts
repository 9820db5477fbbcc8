import {
  builtInReportTypes,
  optionChoicesOfAll,
  renditionOptionNames,
  startOptionDeclarations,
} from "@reports/core/report";
import { domainsCollection, proxiesCollection } from "@reports/core/inventory";
import { scheduleRecord } from "@reports/core/schedule";
import type { CollectionDefinition } from "@reports/core/record";
import * as wire from "@reports/core/wire";
import {
  toNamedSchema,
  withSchemaDescription,
  createObjectSchema,
  anyOfSchemas,
  makeSchemaNullable,
  toSchemaWithComponents,
  stringSchema,
  type SchemaWithComponents,
  type ZodSchemaLike,
} from "./convert-schema.ts";
import { findSchemaDescription, type TypeDeclaration, type JsonSchema } from "./print-types.ts";
import { createQueryTypeDeclarations } from "./query-declarations.ts";

export type WireTypeDeclaration = TypeDeclaration & SchemaWithComponents;

export function createWireTypeDeclarations(): Readonly<Record<string, readonly WireTypeDeclaration[]>> {
  const bodies = {
    problem: [declareResponse(wire.problemSchema)],
    caller: [declareResponse(wire.callerSchema), declareResponse(wire.tokenSchema)],
    report: declareReports(),
    "report-start": declareStarts(),
    "report-type": [
      declareResponse(wire.reportTypeSchema),
      declareResponse(wire.reportEstimateSchema),
      declareResponse(wire.filterChoiceSchema),
      declareResponse(wire.reportRowSchema),
    ],
    "download-link": [
      declareBody("DownloadLinkInput", "The lifetime of a link to create.", wire.downloadLinkInputSchema),
      declareResponse(wire.createdDownloadLinkSchema),
      declareResponse(wire.downloadLinkSchema),
    ],
    queue: [declareResponse(wire.laneSchema), declareResponse(wire.workerSchema)],
    inventory: [proxiesCollection, domainsCollection].flatMap(declareCollection),
    "report-schedule": [
      declareResponse(wire.reportScheduleSchema),
      declareBody(
        "ReportScheduleInput",
        "A schedule to create. Omitted fields take their defaults.",
        scheduleRecord.input,
        wire.reportScheduleSchema,
      ),
    ],
    webhook: [
      declareResponse(wire.webhookSchema),
      extendDeclaration(declareResponse(wire.createdWebhookSchema), declareResponse(wire.webhookSchema)),
      declareBody("WebhookInput", "A webhook to create.", wire.webhookInputSchema),
      declareBody(
        "WebhookPatch",
        "A merge patch of a webhook. Null resets a field to its default.",
        wire.webhookPatchSchema,
      ),
      { ...declareResponse(wire.rotatedSecretSchema), name: "RotatedSecret" },
      declareResponse(wire.webhookDeliverySchema),
    ],
  };
  return { ...bodies, queries: createQueryTypeDeclarations(Object.values(bodies).flat()) };
}

function declareReports(): readonly WireTypeDeclaration[] {
  const { reportId, attempt } = wire.reportEventSchema.shape;
  const progress = {
    reportId: toSchemaWithComponents(reportId, "output"),
    attempt: toSchemaWithComponents(attempt, "output"),
  };
  return [
    declareResponse(wire.reportSchema),
    declareResponse(wire.reportFileRecordSchema),
    extendDeclaration(declareResponse(wire.startedReportSchema), declareResponse(wire.reportSchema)),
    declareResponse(wire.reportEventSchema),
    {
      name: "ProgressEvent",
      extending: "ReportProgress",
      ...createObjectSchema("The progress of a report, as an event of its stream.", progress),
    },
  ];
}

function declareStarts(): readonly WireTypeDeclaration[] {
  const { reportType, format, searchParam } = wire.reportSchema.shape;
  const filters = withSchemaDescription(
    anyOfSchemas(toSchemaWithComponents(searchParam, "input"), stringSchema),
    "Filters by name, or a text to search for.",
  );
  const options = declareOptionFields();
  const ofFile = renditionOptionNames
    .filter((name) => name !== "format")
    .map((name) => [name, options[name]!] as const);
  return [
    {
      name: "ReportStart",
      ...createObjectSchema(
        "A report to start. A null option counts as omitted.",
        { reportType: toSchemaWithComponents(reportType, "input") },
        { searchParam: makeSchemaNullable(filters), ...options },
      ),
    },
    {
      name: "ReportFileStart",
      ...createObjectSchema(
        "An additional format to make from the row snapshot of a report. Omitted options are those of the report, except `compression`.",
        { format: toSchemaWithComponents(format, "input") },
        Object.fromEntries(ofFile),
      ),
    },
  ];
}

function declareOptionFields(): Readonly<Record<string, SchemaWithComponents>> {
  const choices = optionChoicesOfAll(builtInReportTypes);
  const fields = Object.entries(startOptionDeclarations).map(([name, { stored, given }]) => {
    const { schema } = toNamedSchema(given(choices).json, "input");
    return [
      name,
      makeSchemaNullable(
        withSchemaDescription(toSchemaWithComponents(stored, "output"), findSchemaDescription(schema)),
      ),
    ] as const;
  });
  return Object.fromEntries(fields);
}

function declareCollection({ schema, rules, singular }: CollectionDefinition): readonly WireTypeDeclaration[] {
  const shown = declareResponse(schema);
  const about = `A ${singular} to create, or the replacement of one. Omitted fields take their defaults.`;
  const written = declareBody(`${shown.name}Input`, about, rules!.schema, schema);
  const repeated = rules!.serverFields.map((name) => [name, shown.schema.properties![name]!] as const);
  const properties = { ...written.schema.properties, ...Object.fromEntries(repeated) };
  return [shown, { ...written, schema: { ...written.schema, properties } }];
}

function declareResponse(schema: ZodSchemaLike): WireTypeDeclaration {
  return toNamedSchema(schema, "output");
}

/** Declares a request body. If the description of a field only states its rule, the description comes from the response schema `of`. */
function declareBody(name: string, about: string, schema: ZodSchemaLike, of?: ZodSchemaLike): WireTypeDeclaration {
  const { schema: own, components } = toNamedSchema(schema, "input");
  const responseFieldNames = of === undefined ? {} : toNamedSchema(of, "output").schema.properties!;
  const properties = Object.entries(own.properties!).map(([field, property]): [string, JsonSchema] => {
    const description = findSchemaDescription(property);
    const meaning = description?.startsWith("Must ")
      ? findSchemaDescription(responseFieldNames[field] ?? {})
      : description;
    return [field, meaning === undefined ? property : { ...property, description: meaning }];
  });
  return { name, components, schema: { ...own, description: about, properties: Object.fromEntries(properties) } };
}

function extendDeclaration(
  declaration: WireTypeDeclaration,
  { name, schema: { properties = {} } }: WireTypeDeclaration,
): WireTypeDeclaration {
  const own = Object.entries(declaration.schema.properties!).filter(([field]) => !Object.hasOwn(properties, field));
  return { ...declaration, extending: name, schema: { ...declaration.schema, properties: Object.fromEntries(own) } };
}
