import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { checkServerIdentity, type ConnectionOptions as TlsOptions } from "node:tls";
import { splitHostUrls } from "./host-urls.ts";

export interface UrlAndTlsOptions {
  /** The URL without TLS parameters. postgres.js would send them to the server as settings, and pg would give them another meaning. */
  readonly url: string;
  readonly ssl: false | TlsOptions;
}

export interface PostgresDestination {
  readonly variable: string;
  readonly host: string;
  readonly isEncrypted: boolean;
}

const sslModes = ["disable", "require", "verify-ca", "verify-full"] as const;
type SslMode = (typeof sslModes)[number];
const tlsParameters = ["sslmode", "sslrootcert", "sslcert", "sslkey"];

/** Parameters that libpq or one driver honours and another driver ignores. That driver would connect to another host, or less securely. */
const refusedParameters =
  /^(ssl|tls|gss)|^(requiressl|channel_binding|require_auth|uselibpqcompat|host|hostaddr|port|user|password|dbname)$/i;

/**
 * Reads the TLS parameters of a URL with one host, with libpq's meaning ("SSL Support" in Postgres's documentation). `require` encrypts, and with
 * `sslrootcert` verifies like `verify-ca`. `verify-ca` verifies who signed the certificate, `verify-full` also its host name or address.
 * `sslrootcert=system` trusts the authorities built into Node, and requires `verify-full`, which it implies. Without `sslmode`, nothing is
 * encrypted. Reads the certificate files at each call. Throws RangeError with the problem.
 */
export function separateTlsOptions(url: string): UrlAndTlsOptions {
  const [base, parameters] = splitParameters(url);
  const tlsValues = new Map<string, string>();
  const rest: string[] = [];
  for (const { name, value, text } of parameters) {
    if (!tlsParameters.includes(name)) {
      if (refusedParameters.test(name))
        throw new AddressError(`has the parameter ${name}, which is not supported here`);
      rest.push(text);
    } else if (tlsValues.has(name)) throw new AddressError(`has ${name} twice`);
    else tlsValues.set(name, value);
  }
  const urlWithoutTls = rest.length === 0 ? base : `${base}?${rest.join("&")}`;
  return { url: urlWithoutTls, ssl: tlsOptions(tlsValues, hostOf(base)) };
}

type UrlsByVariable = Readonly<Record<string, string>>;

/** Checks the URLs of variables without connecting. Each message continues a sentence that starts with the variable: "DATABASE_URL …". */
export function findPostgresUrlProblems(
  urls: UrlsByVariable,
): readonly { readonly variable: string; readonly message: string }[] {
  return Object.entries(urls).flatMap(([variable, url]) => {
    try {
      for (const host of splitHostUrls(url)) separateTlsOptions(host);
      return [];
    } catch (error) {
      if (error instanceof AddressError) return [{ variable, message: error.problem }];
      throw error;
    }
  });
}

export function listPostgresDestinations(urls: UrlsByVariable): readonly PostgresDestination[] {
  return Object.entries(urls).flatMap(([variable, url]) =>
    splitHostUrls(url).map((each) => ({
      variable,
      host: hostOf(splitParameters(each)[0]),
      isEncrypted: separateTlsOptions(each).ssl !== false,
    })),
  );
}

class AddressError extends RangeError {
  readonly problem: string;

  constructor(problem: string, options?: ErrorOptions) {
    super(`The URL of the database ${problem}.`, options);
    this.problem = problem;
  }
}

function tlsOptions(tlsValues: ReadonlyMap<string, string>, host: string): false | TlsOptions {
  const mode = readSslMode(tlsValues);
  if (mode === "disable") return false;
  // Like libpq, the service does not encrypt a Unix socket, because nobody can intercept it.
  if (host.startsWith("/")) return false;
  if (host === "") throw new AddressError(`must name its host, because sslmode is ${mode}`);
  const identity = readIdentity(tlsValues);
  const rootFile = tlsValues.get("sslrootcert");
  if (mode === "require" && rootFile === undefined) return { ...identity, rejectUnauthorized: false };
  return {
    ...identity,
    rejectUnauthorized: true,
    ...readAuthorities(mode, rootFile),
    // The host is passed explicitly. Otherwise one driver would check `localhost` if the URL contains an IP address.
    checkServerIdentity: (_, certificate) =>
      mode === "verify-full" ? checkServerIdentity(host, certificate) : undefined,
  };
}

function readSslMode(tlsValues: ReadonlyMap<string, string>): SslMode {
  const text = tlsValues.get("sslmode");
  const mode = sslModes.find((each) => each === text);
  if (text !== undefined && mode === undefined) {
    const why = ["allow", "prefer"].includes(text)
      ? `; with ${text}, anyone between client and server can disable encryption`
      : "";
    throw new AddressError(`has an sslmode that is none of ${sslModes.join(", ")}${why}`);
  }
  const others = [...tlsValues.keys()].filter((name) => name !== "sslmode");
  if ((mode === undefined || mode === "disable") && others.length > 0)
    throw new AddressError(`has ${others.join(" and ")} without an sslmode of ${sslModes.slice(1).join(", ")}`);
  return mode ?? "disable";
}

function readAuthorities(mode: SslMode, file: string | undefined): Pick<TlsOptions, "ca"> {
  if (file === undefined || file === "system") {
    if (mode === "verify-full") return {};
    throw new AddressError(
      file === undefined
        ? `must have sslrootcert, the file of the certificate authority, because sslmode is ${mode}`
        : `must have sslmode=verify-full if sslrootcert=system is set: every customer of a public authority has a certificate of it`,
    );
  }
  const text = readFile("sslrootcert", file);
  const contents = text.match(/(?<=-----BEGIN CERTIFICATE-----)[^-]+(?=-----END CERTIFICATE-----)/g) ?? [];
  const certificates = contents.map((base64) => `-----BEGIN CERTIFICATE-----${base64}-----END CERTIFICATE-----`);
  if (certificates.length === 0 || !certificates.every(isCertificate))
    throw new AddressError(`names an sslrootcert that holds no certificates in PEM (${file})`);
  return { ca: certificates };
}

function readIdentity(tlsValues: ReadonlyMap<string, string>): Pick<TlsOptions, "cert" | "key"> {
  const [cert, key] = [tlsValues.get("sslcert"), tlsValues.get("sslkey")];
  if (cert === undefined && key === undefined) return {};
  if (cert === undefined || key === undefined) throw new AddressError("must have sslcert and sslkey, or neither");
  return { cert: readFile("sslcert", cert), key: readFile("sslkey", key) };
}

function readFile(parameter: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? "unknown error";
    throw new AddressError(`names an ${parameter} that cannot be read (${path}: ${reason})`, { cause: error });
  }
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.length > 0;
  } catch {
    return false;
  }
}

interface Parameter {
  readonly name: string;
  readonly value: string;
  readonly text: string;
}

function splitParameters(url: string): readonly [base: string, parameters: readonly Parameter[]] {
  const at = url.indexOf("?");
  if (at < 0) return [url, []];
  const texts = url
    .slice(at + 1)
    .split("&")
    .filter((text) => text !== "");
  const parameters = texts.map((text): Parameter => {
    const [name, value] = [...new URLSearchParams(text)][0] ?? ["", ""];
    return { name, value, text };
  });
  return [url.slice(0, at), parameters];
}

function hostOf(url: string): string {
  return decodeURIComponent(URL.parse(url)?.hostname ?? "").replace(/^\[(.*)\]$/, "$1");
}
