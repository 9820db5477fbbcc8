import { execFile } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { chown, copyFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";
import { connect, getCACertificates, setDefaultCACertificates } from "node:tls";
import { promisify } from "node:util";
import {
  createTestCertificateAuthority,
  findPostgresOsUser,
  waitFor,
  type TestCertificateAuthority,
} from "@reports/testing";

const servers = ["postgres", "minio", "nginx"] as const;
type Server = (typeof servers)[number];
type KeyPair = Readonly<Record<"certificate" | "key", string>>;

/**
 * Certificates of the servers, at the paths that the guides name. The trial replaces the first authority by the second, as
 * docs/guides/running/rotate-secrets.md says.
 */
export interface ServerCertificates extends AsyncDisposable {
  readonly authorities: readonly [TestCertificateAuthority, TestCertificateAuthority];
  readonly trusted: string;
  readonly shown: Readonly<Record<Server, KeyPair>>;
  /** Replaces the trusted authorities in the file `trusted` and in the file of mc. This process trusts them in addition to Node's authorities. */
  trust(...authorities: readonly TestCertificateAuthority[]): Promise<void>;
  /** Replaces the certificates of all servers. A running server presents its old certificate until it reads the files again. */
  issue(authority: TestCertificateAuthority): Promise<void>;
}

/** The certificates name `hosts`, the addresses and names at which callers reach the servers. */
export async function createServerCertificates(
  folder: string,
  hosts: readonly string[] = ["127.0.0.1"],
): Promise<ServerCertificates> {
  const authorities = [await createTestCertificateAuthority(), await createTestCertificateAuthority()] as const;
  const etc = join(folder, "etc");
  const forMc = join(folder, ".mc/certs/CAs");
  for (const path of [join(etc, "minio"), forMc]) await mkdir(path, { recursive: true });
  const trusted = join(etc, "ca.crt");
  const at = (certificate: string, key: string): KeyPair => ({
    certificate: join(etc, certificate),
    key: join(etc, key),
  });
  const shown = {
    postgres: at("postgres.crt", "postgres.key"),
    minio: at("minio/public.crt", "minio/private.key"),
    nginx: at("nginx.crt", "nginx.key"),
  };
  const owner = findPostgresOsUser();
  const builtIn = getCACertificates("default");
  return {
    authorities,
    trusted,
    shown,
    async trust(...given) {
      const texts = await Promise.all(given.map(async ({ certificate }) => readFile(certificate, "utf8")));
      for (const path of [trusted, join(forMc, "ca.crt")]) {
        await writeFile(`${path}.new`, texts.join(""));
        await rename(`${path}.new`, path);
      }
      setDefaultCACertificates([...builtIn, ...texts]);
    },
    async issue(authority) {
      for (const server of servers) {
        const issued = await authority.issue(server, {
          hosts: hosts.map((host) => `${isIP(host) === 0 ? "DNS" : "IP"}:${host}`),
        });
        // MinIO reads certificate and key whenever one of the files changes. Writing the key first keeps it from reading a new certificate with the
        // old key.
        for (const part of ["key", "certificate"] as const) {
          await copyFile(issued[part], shown[server][part]);
          if (server === "postgres" && owner !== null) await chown(shown[server][part], owner.uid, owner.gid);
        }
      }
    },
    async [Symbol.asyncDispose]() {
      for (const authority of authorities) await authority[Symbol.asyncDispose]();
    },
  };
}

export async function waitForCertificateIssuer(
  what: string,
  url: string,
  authority: TestCertificateAuthority,
): Promise<void> {
  const root = new X509Certificate(await readFile(authority.certificate));
  const { hostname, port } = new URL(url);
  await waitFor(
    async () => {
      const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
      try {
        await new Promise<void>((resolve, reject) => socket.once("secureConnect", resolve).once("error", reject));
        return socket.getPeerX509Certificate()?.verify(root.publicKey) === true;
      } finally {
        socket.destroy();
      }
    },
    { what: `${what} to show a certificate of the new authority` },
  );
}

export async function waitForPostgresCertIssuer(url: string, { certificate }: TestCertificateAuthority): Promise<void> {
  const verified = new URL(url);
  verified.search = `sslmode=verify-full&sslrootcert=${certificate}`;
  const connects = async (): Promise<boolean> =>
    promisify(execFile)("psql", ["--dbname", verified.href, "--command", "SELECT"]).then(
      () => true,
      () => false,
    );
  await waitFor(connects, { what: "Postgres to show a certificate of the new authority" });
}
