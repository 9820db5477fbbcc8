import { createChoiceField, nameChoices } from "../record/choice-field.ts";
import {
  certKeyTypes,
  domainIssues,
  domainStatuses,
  severities,
  tlsMinVersions,
  tlsModes,
  upstreamSchemes,
} from "./domain.ts";
import { adminStates, environments, healths, proxyKinds, proxyProtocols, proxySoftwares } from "./proxy.ts";

export const registerChoices = nameChoices([
  [
    "ProxyKind",
    proxyKinds,
    "Role of a proxy: it accepts requests for servers, sends requests of clients, or forwards connections.",
  ],
  ["ProxySoftware", proxySoftwares, "Software of the proxy."],
  ["ProxyProtocol", proxyProtocols, "Protocol between clients and the proxy."],
  ["Environment", environments, "Which environment a proxy belongs to."],
  ["AdminState", adminStates, "State that the operators set for a proxy."],
  ["Health", healths, "Result of the latest probe."],
  ["DomainStatus", domainStatuses, "State of a domain."],
  ["UpstreamScheme", upstreamSchemes, "Protocol between the proxy and the upstream."],
  [
    "TlsMode",
    tlsModes,
    "Where TLS ends: not used, at the proxy (with a certificate from ACME or a custom one), or at the upstream.",
  ],
  ["TlsMinVersion", tlsMinVersions, "The lowest version of TLS that is accepted."],
  ["CertKeyType", certKeyTypes, "Algorithm and size of a certificate's key."],
  ["Severity", severities, "How soon a certificate expires, worst first."],
  ["DomainIssue", domainIssues, "Problems of a domain."],
]);

export const choiceField = createChoiceField(registerChoices);
