import { builtInReportTypes, choicesOfAll, renditionOptionNames, requestOptions } from "@reports/core/report";
import { domainsCollection, proxiesCollection } from "@reports/core/inventory";
import { scheduleRecord } from "@reports/core/schedule";
import type { CollectionDefinition } from "@reports/core/record";
import * as wire from "@reports/core/wire";
import {
  convert,
  described,
  objectOf,
  oneOf,
  orNull,
  partOf,
  text,
  type Part,
  type WireSchema,
} from "./convert-schema.ts";
import { descriptionOf, type Declaration, type JsonSchema } from "./print-types.ts";
import { declareQueries } from "./query-declarations.ts";

/** A type to declare, with the schemas that it refers to. */
export type WireDeclaration = Declaration & Part;

/** Declares the types of all requests and responses, by generated file. A schema that several types refer to is declared in the first file that needs it. */
export function declareWire(): Readonly<Record<string, readonly WireDeclaration[]>> {
  const bodies = {
    problem: [responseType(wire.problemSchema)],
    caller: [responseType(wire.callerSchema), responseType(wire.tokenSchema)],
    report: declareReports(),
    "report-start": declareStarts(),
    "report-type": [
      responseType(wire.reportTypeSchema),
      responseType(wire.reportEstimateSchema),
      responseType(wire.reportRowSchema),
    ],
    "download-link": [
      bodyType("DownloadLinkInput", "The lifetime of a link to create.", wire.downloadLinkInputSchema),
      responseType(wire.createdDownloadLinkSchema),
      responseType(wire.downloadLinkSchema),
    ],
    queue: [responseType(wire.laneSchema), responseType(wire.workerSchema)],
    inventory: [proxiesCollection, domainsCollection].flatMap(declareCollection),
    "report-schedule": [
      responseType(wire.reportScheduleSchema),
      bodyType(
        "ReportScheduleInput",
        "A schedule to create. Omitted fields take their defaults.",
        scheduleRecord.input,
        wire.reportScheduleSchema,
      ),
    ],
    webhook: [
      responseType(wire.webhookSchema),
      extending(responseType(wire.createdWebhookSchema), responseType(wire.webhookSchema)),
      bodyType("WebhookInput", "A webhook to create.", wire.webhookInputSchema),
      bodyType(
        "WebhookPatch",
        "A merge patch of a webhook. Null resets a field to its default.",
        wire.webhookPatchSchema,
      ),
      { ...responseType(wire.rotatedSecretSchema), name: "RotatedSecret" },
      responseType(wire.webhookDeliverySchema),
    ],
  };
  return { ...bodies, queries: declareQueries(Object.values(bodies).flat()) };
}

function declareReports(): readonly WireDeclaration[] {
  const { reportId, attempt } = wire.reportEventSchema.shape;
  const progress = { reportId: partOf(reportId, "output"), attempt: partOf(attempt, "output") };
  return [
    responseType(wire.reportSchema),
    responseType(wire.reportFileRecordSchema),
    extending(responseType(wire.startedReportSchema), responseType(wire.reportSchema)),
    responseType(wire.reportEventSchema),
    {
      name: "ProgressEvent",
      extending: "ReportProgress",
      ...objectOf("The progress of a report, as an event of its stream.", progress),
    },
  ];
}

function declareStarts(): readonly WireDeclaration[] {
  const { reportType, format, searchParam } = wire.reportSchema.shape;
  const filters = described(oneOf(partOf(searchParam, "input"), text), "Filters by name, or a text to search for.");
  const options = optionFields();
  const ofFile = renditionOptionNames
    .filter((name) => name !== "format")
    .map((name) => [name, options[name]!] as const);
  return [
    {
      name: "ReportStart",
      ...objectOf(
        "A report to start. A null option counts as omitted.",
        { reportType: partOf(reportType, "input") },
        { searchParam: orNull(filters), ...options },
      ),
    },
    {
      name: "ReportFileStart",
      ...objectOf(
        "An additional format to make from the row snapshot of a report. Omitted options are those of the report, except `compression`.",
        { format: partOf(format, "input") },
        Object.fromEntries(ofFile),
      ),
    },
  ];
}

/** Declares the options of a start, with the types of stored options and the descriptions of request bodies. */
function optionFields(): Readonly<Record<string, Part>> {
  const choices = choicesOfAll(builtInReportTypes);
  const fields = Object.entries(requestOptions).map(([name, { stored, given }]) => {
    const { schema } = convert(given(choices).json, "input");
    return [name, orNull(described(partOf(stored, "output"), descriptionOf(schema)))] as const;
  });
  return Object.fromEntries(fields);
}

/** Declares a record of the inventory and the body that writes it. The body may repeat fields that the server sets. */
function declareCollection({ schema, rules, singular }: CollectionDefinition): readonly WireDeclaration[] {
  const shown = responseType(schema);
  const about = `A ${singular} to create, or the replacement of one. Omitted fields take their defaults.`;
  const written = bodyType(`${shown.name}Input`, about, rules!.schema, schema);
  const repeated = rules!.serverFields.map((name) => [name, shown.schema.properties![name]!] as const);
  const properties = { ...written.schema.properties, ...Object.fromEntries(repeated) };
  return [shown, { ...written, schema: { ...written.schema, properties } }];
}

/** Declares a type that the service returns. */
function responseType(schema: WireSchema): WireDeclaration {
  return convert(schema, "output");
}

/** Declares a request body. If the description of a field only states its rule, the description comes from the response schema `of`. */
function bodyType(name: string, about: string, schema: WireSchema, of?: WireSchema): WireDeclaration {
  const { schema: own, components } = convert(schema, "input");
  const responseFields = of === undefined ? {} : convert(of, "output").schema.properties!;
  const properties = Object.entries(own.properties!).map(([field, property]): [string, JsonSchema] => {
    const description = descriptionOf(property);
    const meaning = description?.startsWith("Must ") ? descriptionOf(responseFields[field] ?? {}) : description;
    return [field, meaning === undefined ? property : { ...property, description: meaning }];
  });
  return { name, components, schema: { ...own, description: about, properties: Object.fromEntries(properties) } };
}

/** Makes a declaration extend another one, and removes the fields of the other one from it. */
function extending(
  declaration: WireDeclaration,
  { name, schema: { properties = {} } }: WireDeclaration,
): WireDeclaration {
  const own = Object.entries(declaration.schema.properties!).filter(([field]) => !Object.hasOwn(properties, field));
  return { ...declaration, extending: name, schema: { ...declaration.schema, properties: Object.fromEntries(own) } };
}
