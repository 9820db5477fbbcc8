import { deliveryFilters, webhookFilters } from "@reports/core/webhook";
import { domainsCollection, proxiesCollection } from "@reports/core/inventory";
import { reportListFilters } from "@reports/core/report";
import { scheduleListFilters, scheduleRunFilters } from "@reports/core/schedule";
import type { CollectionDefinition } from "@reports/core/record";
import {
  withSchemaDescription,
  createObjectSchema,
  anyOfSchemas,
  type SchemaWithComponents,
} from "./convert-schema.ts";
import type { TypeDeclaration, JsonSchema } from "./print-types.ts";

type FilterDefinitions = CollectionDefinition["filters"];

const creationFilters: ReadonlySet<string> = new Set(["createdFrom", "createdTo"]);

export function createQueryTypeDeclarations(
  bodies: readonly SchemaWithComponents[],
): readonly (TypeDeclaration & SchemaWithComponents)[] {
  const enumerations = bodies
    .flatMap(({ components }) => Object.entries(components))
    .filter(([, { enum: values }]) => values);
  const { filters } = domainsCollection;
  const names = new Set(filters.map(({ name }) => name));
  const acrossProxies = domainsCollection.acrossParents!.filters.filter(({ name }) => !names.has(name));
  const query = (
    name: string,
    of: string,
    own: FilterDefinitions,
    extending = baseQueryName(own),
  ): TypeDeclaration & SchemaWithComponents => {
    const fields = own
      .filter((filter) => !creationFilters.has(filter.name))
      .map(
        (filter) =>
          [filter.name, withSchemaDescription(filterValueType(filter, enumerations), filter.description)] as const,
      );
    return {
      name,
      extending,
      ...createObjectSchema(`Query parameters of a list of ${of}.`, {}, Object.fromEntries(fields)),
    };
  };
  return [
    query("ReportQuery", "reports", reportListFilters),
    query("ReportScheduleQuery", "schedules", scheduleListFilters),
    query("ReportScheduleFireQuery", "the runs of a schedule", scheduleRunFilters),
    query("WebhookQuery", "webhooks", webhookFilters),
    query("DeliveryQuery", "the deliveries of a webhook", deliveryFilters),
    query("ProxyQuery", "proxies", proxiesCollection.filters),
    query("DomainQuery", "the domains of a proxy", filters),
    query("ServedDomainQuery", "the domains of all proxies", acrossProxies, "DomainQuery"),
  ];
}

/** Returns the type that a query extends. Records that have no time of creation cannot be filtered by it. */
function baseQueryName(filters: FilterDefinitions): string {
  const taken = filters.filter(({ name }) => creationFilters.has(name));
  return taken.length === creationFilters.size ? "ListQuery" : 'Omit<ListQuery, "createdFrom" | "createdTo">';
}

function filterValueType(
  { operator, value, values }: FilterDefinitions[number],
  enumerations: readonly (readonly [name: string, schema: JsonSchema])[],
): SchemaWithComponents {
  const name = enumerations.find(([, schema]) => schema.enum!.join() === values?.join())?.[0];
  const type = value === "integer" || value === "boolean" ? value : "string";
  const kind: JsonSchema = name === undefined ? { type } : { $ref: name };
  const one: SchemaWithComponents = { schema: kind, components: {} };
  const isSingle = operator === "contains" || operator === "from" || operator === "to";
  return isSingle ? one : anyOfSchemas(one, { schema: { items: kind }, components: {} });
}
