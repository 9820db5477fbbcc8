import { z } from "zod";

export function integerText(min: number, max: number): z.ZodType<number, string> {
  const allowed = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^-?\d{1,15}$/, allowed)
    .transform(Number)
    .refine((value) => value >= min && value <= max, allowed);
}

/** Creates a schema that reads a TCP port. With 0, the system chooses one. */
export function portText(): z.ZodType<number, string> {
  return integerText(0, 65_535);
}

/** Creates a schema that reads a boolean: true, 1, on, yes, or false, 0, off, no, in any case. */
export function booleanText(): z.ZodType<boolean, string> {
  return z.stringbool({
    truthy: ["true", "1", "on", "yes"],
    falsy: ["false", "0", "off", "no"],
    error: "must be true or false (also 1, on, yes, 0, off, no)",
  });
}

/** Creates a schema that reads one of the words, in exactly this spelling. */
export function oneOfText<const Word extends string>(words: readonly Word[]): z.ZodType<Word, string> {
  return z
    .string()
    .refine((text) => words.some((word) => word === text), `must be one of ${words.join(", ")}`)
    .transform((text) => text as Word);
}

/** Creates a schema that reads an identifier of Postgres that needs no quotes and does not begin with `pg_`. */
export function postgresIdentifierText(maxLength: number): z.ZodType<string, string> {
  const allowed = `must be at most ${maxLength} characters of a-z, 0-9 and _, and must not begin with a digit or with pg_`;
  return z
    .string()
    .regex(/^(?!pg_)[a-z_][a-z0-9_]*$/, allowed)
    .max(maxLength, allowed);
}

/** Creates a schema that reads words separated by commas. It ignores blanks around words, and empty words. At least one word must remain. */
export function listText(): z.ZodType<readonly string[], string> {
  return z
    .string()
    .transform((text) =>
      text
        .split(",")
        .map((word) => word.trim())
        .filter((word) => word !== ""),
    )
    .refine((words) => words.length > 0, "must be one or more words, separated by commas");
}

/**
 * Creates a schema that reads an absolute URL. It refuses http URLs with backslashes, blanks or control characters, which parsers read
 * differently.
 */
export function urlText(schemes: readonly string[]): z.ZodType<string, string> {
  const allowed = `must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`;
  const begins = (text: string): boolean => schemes.some((scheme) => text.startsWith(`${scheme}://`));
  const isPlain = (text: string): boolean => !/^https?:.*[\\\s\p{Cc}]/su.test(text);
  return z.string().refine((text) => begins(text) && isPlain(text) && URL.canParse(text), allowed);
}

/**
 * Creates a schema that reads the URL of a database with one host. With several hosts, one database driver would look for the primary, and the
 * other would stay with a standby.
 */
export function postgresUrlText(): z.ZodType<string, string> {
  const oneHost =
    "must name one host: an address that leads to the primary after a failover too, such as a DNS name, a virtual address or a pooler";
  return z
    .string()
    .refine((text) => !namesSeveralHosts(text), { error: oneHost, abort: true })
    .refine(hasEncodedLogin, { error: encodedLogin, abort: true })
    .pipe(urlText(postgresSchemes));
}

/** Creates a schema that reads the URL of a read-only database with one or several hosts: `postgres://user:password@a:5432,b:5432/database`. */
export function postgresUrlsText(): z.ZodType<string, string> {
  return z.string().refine(
    (text) => {
      const [, scheme, credentials = "", hosts, rest] = /^([a-z]+:\/\/)([^/?#]*@)?([^/?#]*)([^]*)$/.exec(text) ?? [];
      const each = hosts?.split(",").map((host) => `${scheme}${credentials}${host}${rest}`) ?? [];
      return each.length > 0 && each.every((url) => postgresUrlText().safeParse(url).success);
    },
    `must be a URL that begins with ${postgresSchemes.map((scheme) => `${scheme}://`).join(" or ")}, of one host or of several separated by commas`,
  );
}

const postgresSchemes = ["postgres", "postgresql"];

const encodedLogin = "must have a percent-encoded user and password: write % as %25, # as %23, / as %2F and ? as %3F";

/** Reports whether user and password of a URL can be decoded. A `#`, `/` or `?` in a password that is not encoded ends the host before the `@`. */
function hasEncodedLogin(text: string): boolean {
  const [, authority = "", rest = ""] = /^[a-z]+:\/\/([^/?#]*)(.*)$/s.exec(text) ?? [];
  if (!authority.includes("@")) return !/^[^?]*@|^\?.*@/s.test(rest);
  try {
    decodeURIComponent(authority);
    return true;
  } catch {
    return false;
  }
}

function namesSeveralHosts(text: string): boolean {
  const [beforeQuery = "", query = ""] = text.split("?", 2);
  const authority = beforeQuery.split("/")[2] ?? "";
  const hosts = [authority.slice(authority.lastIndexOf("@") + 1), ...new URLSearchParams(query).getAll("host")];
  return hosts.some((host) => host.includes(","));
}

const byteUnits = new Map([
  ["", 1],
  ["b", 1],
  ["kib", 1024],
  ["mib", 1024 ** 2],
  ["gib", 1024 ** 3],
  ["tib", 1024 ** 4],
]);

/** Creates a schema that reads a number of bytes, with or without a unit: `2147483648`, `512MiB`, `2 GiB`. */
export function byteSizeText(minBytes: number, maxBytes: number): z.ZodType<number, string> {
  const allowed = `must be a size from ${minBytes} to ${maxBytes} bytes, such as 1048576, 512MiB or 2GiB`;
  return z
    .string()
    .transform((text) => {
      const [, digits, unit = ""] = /^(\d{1,15}) ?([a-z]{0,3})$/i.exec(text) ?? [];
      return Number(digits) * (byteUnits.get(unit.toLowerCase()) ?? Number.NaN);
    })
    .refine((bytes) => bytes >= minBytes && bytes <= maxBytes, allowed);
}

/** Creates a schema that reads one line of text. It refuses control characters, and removes spaces at the ends. */
export function oneLineText(maxLength: number): z.ZodType<string, string> {
  const allowed = `must be one line of at most ${maxLength} characters`;
  return z
    .string()
    .refine(
      (text) => [...text].length <= maxLength && text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text),
      allowed,
    )
    .refine((text) => text.trim() !== "", allowed)
    .transform((text) => text.trim());
}
