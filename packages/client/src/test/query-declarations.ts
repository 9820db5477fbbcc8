import { deliveryFilters, webhookFilters } from "@reports/core/webhook";
import { domainsCollection, proxiesCollection } from "@reports/core/inventory";
import { reportFilters } from "@reports/core/report";
import { scheduleFilters, scheduleRunFilters } from "@reports/core/schedule";
import type { CollectionDefinition } from "@reports/core/record";
import { withDescription, createObjectPart, anyOfParts, type SchemaPart } from "./convert-schema.ts";
import type { Declaration, JsonSchema } from "./print-types.ts";

type FilterDefinitions = CollectionDefinition["filters"];

const creationFilters: ReadonlySet<string> = new Set(["createdFrom", "createdTo"]);

export function declareQueries(bodies: readonly SchemaPart[]): readonly (Declaration & SchemaPart)[] {
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
  ): Declaration & SchemaPart => {
    const fields = own
      .filter((filter) => !creationFilters.has(filter.name))
      .map(
        (filter) => [filter.name, withDescription(filterValueType(filter, enumerations), filter.description)] as const,
      );
    return {
      name,
      extending,
      ...createObjectPart(`Query parameters of a list of ${of}.`, {}, Object.fromEntries(fields)),
    };
  };
  return [
    query("ReportQuery", "reports", reportFilters),
    query("ReportScheduleQuery", "schedules", scheduleFilters),
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
): SchemaPart {
  const name = enumerations.find(([, schema]) => schema.enum!.join() === values?.join())?.[0];
  const type = value === "integer" || value === "boolean" ? value : "string";
  const kind: JsonSchema = name === undefined ? { type } : { $ref: name };
  const one: SchemaPart = { schema: kind, components: {} };
  const isSingle = operator === "contains" || operator === "from" || operator === "to";
  return isSingle ? one : anyOfParts(one, { schema: { items: kind }, components: {} });
}
