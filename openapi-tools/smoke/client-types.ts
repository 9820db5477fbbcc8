// Only compiled: the types that openapi-typescript generates must be assignable to the types of @reports/client.
import type * as Client from "../../packages/client/src/index";
import type { components } from "../generated/openapi-typescript/schema";

type Schemas = components["schemas"];
type Assignable<Generated extends Published, Published> = Generated;

export type Responses = [
  Assignable<Schemas["Report"], Client.Report>,
  Assignable<Schemas["StartedReport"], Client.StartedReport>,
  Assignable<Schemas["ReportFile"], Client.ReportFile>,
  Assignable<Schemas["ReportEvent"], Client.ReportEvent>,
  Assignable<Schemas["ReportType"], Client.ReportType>,
  Assignable<Schemas["Problem"], Client.Problem>,
  Assignable<Schemas["Proxy"], Client.Proxy>,
  Assignable<Schemas["Domain"], Client.Domain>,
];

export type Inputs = [
  Assignable<Schemas["ReportStart"], Client.ReportStart>,
  Assignable<Schemas["ProxyInput"], Client.ProxyInput>,
  Assignable<Schemas["ProxyPatch"], Client.Patch<Client.Proxy>>,
  Assignable<Schemas["DomainInput"], Client.DomainInput>,
  Assignable<Schemas["DomainPatch"], Client.Patch<Client.Domain>>,
];
