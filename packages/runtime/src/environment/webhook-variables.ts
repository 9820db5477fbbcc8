import { z } from "zod";
import { readAllowance, type Allowance } from "../egress/allowance.ts";
import type { EnvironmentRule } from "./read-environment.ts";
import { listText } from "./text-schemas.ts";
import { defineEnvironment, type EnvironmentVariable } from "./variable.ts";

const origin = z
  .string()
  .refine(
    (text) => URL.parse(text)?.origin === text && /^https?:/.test(text),
    "must be https:// or http:// and a host, such as https://reports.example.com, without a path or a slash at its end",
  );

const basePath = z
  .string()
  .regex(/^(?:\/[A-Za-z0-9._~-]+)+$/, "must be a path such as /gateway, without a slash at its end");

const keyBytes = 32;
const keys: z.ZodType<readonly [Uint8Array, ...Uint8Array[]], string> = listText().transform((texts, context) => {
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

const allowance: z.ZodType<Allowance, string> = listText().transform((entries, context) => {
  const wrong: string[] = [];
  const allowed = readAllowance(entries, (entry) => wrong.push(entry));
  if (wrong.length === 0) return allowed;
  context.addIssue(
    `must be hosts, addresses and ranges such as hooks.internal,10.1.0.0/16, and these are none: ${wrong.join(", ")}`,
  );
  return z.NEVER;
});

/** How the gateway is reached from outside: what links begin with that leave it. */
export const publicAddressVariables = defineEnvironment({
  basePath: {
    name: "PUBLIC_BASE_PATH",
    schema: basePath,
    default: "",
    defaultText: "none",
    description: "Path prefix that a proxy in front strips and that links must carry, such as /gateway.",
  },
  publicUrl: {
    name: "PUBLIC_URL",
    schema: origin,
    optional: true,
    description:
      "Address at which callers reach the API, such as https://reports.example.com, without a path (PUBLIC_BASE_PATH); download links and links in webhooks begin with it. Without it download links are paths.",
  },
});

/** Webhooks: API and worker read them under the same names. */
export const webhookVariables = defineEnvironment({
  webhookKeys: {
    name: "WEBHOOK_KEY",
    schema: keys,
    optional: true,
    secret: true,
    description:
      "Key of 32 bytes in base64 under which secrets of webhooks are stored; a second one after a comma while it is rotated. Without it there are no webhooks. The same for API and worker.",
  },
  webhookAllow: {
    name: "WEBHOOK_ALLOW",
    schema: allowance,
    optional: true,
    description:
      "Hosts, addresses and ranges to which webhooks may be sent although they are not public, such as hooks.internal,10.1.0.0/16; there alone also by http and to other ports than 443. The same for API and worker.",
  },
});

/** The rules that those variables obey together. */
export const webhookRules: readonly EnvironmentRule<
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
