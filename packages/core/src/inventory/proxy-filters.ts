import type { Filter } from "../query/filters.ts";
import { columnFilter, creationTimeFilters, toPlainTextFilters } from "../query/filter-definitions.ts";
import { adminStates, environments, healths, proxyKinds, proxySoftwares } from "./proxy.ts";
import { countryCodeTextForm, proxyNameTextForm } from "./text-forms.ts";

export const proxyFilters: readonly Filter[] = toPlainTextFilters([
  columnFilter("q", "text", "Text that the name or the description contains, in any case.", {
    operator: "contains",
    columns: ["name", "description"],
    maxLength: 200,
  }),
  columnFilter("name", "text", "Names of proxies.", { form: proxyNameTextForm }),
  columnFilter("kind", "enum", "Kinds of proxies.", { values: proxyKinds }),
  columnFilter("software", "enum", "Software that the proxy runs.", { values: proxySoftwares }),
  columnFilter("region", "text", "Regions.", { maxLength: 63 }),
  columnFilter("countryCode", "text", "Countries, as ISO 3166-1 alpha-2 codes in upper case.", {
    form: countryCodeTextForm,
  }),
  columnFilter("environment", "enum", "Environments.", { values: environments }),
  columnFilter("adminState", "enum", "State that the operators set for the proxy.", { values: adminStates }),
  columnFilter("health", "enum", "Result of the latest probe.", { values: healths }),
  columnFilter("ownerTeam", "text", "Owning teams.", { maxLength: 100 }),
  columnFilter("tag", "text", "Tags. A proxy matches if it has any of them.", {
    operator: "has",
    columns: ["tags"],
    maxLength: 63,
  }),
  columnFilter("port", "integer", "Ports.", { min: 1, max: 65_535 }),
  ...creationTimeFilters,
]);
