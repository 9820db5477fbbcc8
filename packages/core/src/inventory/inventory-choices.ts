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
  ["ProxyKind", proxyKinds, "What a proxy does: takes requests for servers, sends those of clients, or passes on."],
  ["ProxySoftware", proxySoftwares, "What the proxy runs."],
  ["ProxyProtocol", proxyProtocols, "What clients speak to the proxy."],
  ["Environment", environments, "Which environment a proxy belongs to."],
  ["AdminState", adminStates, "What its operators want of a proxy."],
  ["Health", healths, "What probes saw last."],
  ["DomainStatus", domainStatuses, "Where a domain stands in its life."],
  ["UpstreamScheme", upstreamSchemes, "What the proxy speaks to the upstream."],
  [
    "TlsMode",
    tlsModes,
    "Who terminates TLS: nobody, the proxy (with a certificate from ACME or a custom one), or the upstream.",
  ],
  ["TlsMinVersion", tlsMinVersions, "The lowest version of TLS that is accepted."],
  ["CertKeyType", certKeyTypes, "Algorithm and size of a certificate's key."],
  ["Severity", severities, "How soon a certificate expires, worst first."],
  ["DomainIssue", domainIssues, "What is wrong with a domain."],
]);

export const choiceField = createChoiceField(registerChoices);
