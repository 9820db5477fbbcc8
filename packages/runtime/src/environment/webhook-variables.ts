import { isIP, isIPv4, isIPv6 } from "node:net";
import { z } from "zod";
import { parseAllowlist, type Allowlist } from "../egress/allowlist.ts";
import type { EnvironmentRule } from "./read-environment.ts";
import { integerText, listText } from "./text-schemas.ts";
import { defineEnvironment, type EnvironmentVariable } from "./variable.ts";

const originText = z
  .string()
  .refine(
    (text) => URL.parse(text)?.origin === text && /^https?:/.test(text),
    "must be https:// or http:// and a host, such as https://reports.example.com, without a path or a slash at its end",
  );

/** Maximum length of the path in PUBLIC_URL. Responses repeat that path in headers, whose total size is limited. */
const maxBasePathLength = 200;
const basePathText = z
  .string()
  .max(maxBasePathLength)
  .regex(/^(?:\/[A-Za-z0-9._~-]+)+$/, "must be a path such as /gateway, without a slash at its end");

const keyBytes = 32;
const keysText: z.ZodType<readonly [Uint8Array, ...Uint8Array[]], string> = listText().transform((texts, context) => {
  const [first, ...others] = texts.map((text) => Buffer.from(text, "base64"));
  const areKeys = [first!, ...others].every(
    (key, index) => key.length === keyBytes && key.toString("base64") === texts[index] && new Set(key).size > 8,
  );
  if (areKeys && others.length <= 1) return [first!, ...others];
  context.addIssue(
    "must be one key of 32 random bytes in base64, such as `openssl rand -base64 32` gives, or two of them separated by a comma",
  );
  return z.NEVER;
});

const allowlistText: z.ZodType<Allowlist, string> = listText().transform((entries, context) => {
  const wrong: string[] = [];
  const allowed = parseAllowlist(entries, (entry, why) => wrong.push(`${entry} (${why})`));
  if (wrong.length === 0) return allowed;
  context.addIssue(
    `must be hosts, addresses and ranges such as hooks.internal,http://hooks.internal:8080,10.1.0.0/16:8443,[fd00::/8]:8443, and these are none: ${wrong.join(", ")}`,
  );
  return z.NEVER;
});

const nameServersText = listText().refine(
  (servers) =>
    servers.every((server) => {
      const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(server) ?? [];
      const isAddress = isIP(server) !== 0 || isIPv6(bracketed ?? "") || isIPv4(plain ?? "");
      return isAddress && (port === undefined || (Number(port) > 0 && Number(port) <= 65_535));
    }),
  "must be addresses of name servers, each with an optional port, such as 10.0.0.2,10.0.0.3:5353,[fd00::53]:53",
);

export const publicAddressVariables = defineEnvironment({
  basePath: {
    name: "PUBLIC_BASE_PATH",
    schema: basePathText,
    default: "",
    defaultText: "none",
    description:
      "Path prefix that a proxy in front strips and that links must carry, such as /gateway. At most 200 characters.",
  },
  publicUrl: {
    name: "PUBLIC_URL",
    schema: originText,
    optional: true,
    description:
      "Address at which callers reach the API, such as https://reports.example.com, without a path (PUBLIC_BASE_PATH); download links and links in webhooks begin with it. Without it download links are paths.",
  },
});

export const webhookVariables = defineEnvironment({
  webhookKeys: {
    name: "WEBHOOK_KEY",
    schema: keysText,
    optional: true,
    secret: true,
    description:
      "Key of 32 bytes in base64 under which secrets of webhooks are stored. During a replacement, a second key after a comma opens the secrets that are stored under it (docs/guides/running/rotate-secrets.md). Without it there are no webhooks. The same for API and worker. A worker refuses to start if it shares no key with the running workers.",
  },
  webhookAllow: {
    name: "WEBHOOK_ALLOW",
    schema: allowlistText,
    optional: true,
    description:
      "Hosts, addresses and ranges to which webhooks may be sent although they are not public, each by https on port 443 unless it says otherwise: hooks.internal,http://hooks.internal:8080,10.1.0.0/16:8443,[fd00::/8]:8443. The same for API and worker.",
  },
});

export const webhookSendingVariables = defineEnvironment({
  webhookConcurrency: {
    name: "WEBHOOK_CONCURRENCY",
    schema: integerText(1, 256),
    default: 16,
    description:
      "Deliveries to webhooks that this worker sends at the same time. One owner gets at most half of them, so that slow receivers of one owner delay nobody else.",
  },
  webhookEndpointConcurrency: {
    name: "WEBHOOK_ENDPOINT_CONCURRENCY",
    schema: integerText(1, 64),
    default: 4,
    description:
      "Deliveries of one webhook that all workers together send at the same time. A webhook whose last attempt failed gets one at a time.",
  },
  webhookDnsServers: {
    name: "WEBHOOK_DNS_SERVERS",
    schema: nameServersText,
    optional: true,
    defaultText: "those of /etc/resolv.conf",
    description:
      "Name servers that are asked for the hosts of webhooks, such as 10.0.0.2,[fd00::53]:5353. Hosts that WEBHOOK_ALLOW names are looked up by the system instead.",
  },
});

export const webhookVariableRules: readonly EnvironmentRule<
  typeof webhookVariables & typeof publicAddressVariables & Readonly<Record<string, EnvironmentVariable>>
>[] = [
  ({ isSet, nameOf }) =>
    isSet("webhookKeys") && !isSet("publicUrl")
      ? {
          variable: nameOf("publicUrl"),
          message: "must be set too, because WEBHOOK_KEY is set: links in webhooks begin with it",
        }
      : null,
];
