import { createdFilters } from "../query/created-filters.ts";
import type { Filter } from "../query/filters.ts";
import { markPlainTexts } from "../query/plain-texts.ts";
import { adminStates, environments, healths, proxyKinds, proxySoftwares } from "./proxy.ts";
import { countryCodeForm, proxyNameForm } from "./text-forms.ts";

/** The filters of `/v1/proxies` and of the report type PROXY. docs/reference/http.md#filters. */
export const proxyFilters: readonly Filter[] = markPlainTexts([
  {
    name: "q",
    operator: "contains",
    value: "text",
    columns: ["name", "description"],
    maxLength: 200,
    description: "Text that the name or the description contains, in any case.",
  },
  {
    name: "name",
    operator: "in",
    value: "text",
    columns: ["name"],
    form: proxyNameForm,
    description: "Names of proxies.",
  },
  {
    name: "kind",
    operator: "in",
    value: "enum",
    columns: ["kind"],
    values: proxyKinds,
    description: "Kinds of proxies.",
  },
  {
    name: "software",
    operator: "in",
    value: "enum",
    columns: ["software"],
    values: proxySoftwares,
    description: "Software that the proxy runs.",
  },
  {
    name: "region",
    operator: "in",
    value: "text",
    columns: ["region"],
    maxLength: 63,
    description: "Regions.",
  },
  {
    name: "countryCode",
    operator: "in",
    value: "text",
    columns: ["countryCode"],
    form: countryCodeForm,
    description: "Countries, as ISO 3166-1 alpha-2 codes in upper case.",
  },
  {
    name: "environment",
    operator: "in",
    value: "enum",
    columns: ["environment"],
    values: environments,
    description: "Environments.",
  },
  {
    name: "adminState",
    operator: "in",
    value: "enum",
    columns: ["adminState"],
    values: adminStates,
    description: "State that the operators set for the proxy.",
  },
  {
    name: "health",
    operator: "in",
    value: "enum",
    columns: ["health"],
    values: healths,
    description: "Result of the latest probe.",
  },
  {
    name: "ownerTeam",
    operator: "in",
    value: "text",
    columns: ["ownerTeam"],
    maxLength: 100,
    description: "Owning teams.",
  },
  {
    name: "tag",
    operator: "has",
    value: "text",
    columns: ["tags"],
    maxLength: 63,
    description: "Tags. A proxy matches if it has any of them.",
  },
  {
    name: "port",
    operator: "in",
    value: "integer",
    columns: ["port"],
    min: 1,
    max: 65_535,
    description: "Ports.",
  },
  ...createdFilters,
]);
