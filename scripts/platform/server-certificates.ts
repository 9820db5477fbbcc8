import { once } from "node:events";
import { X509Certificate } from "node:crypto";
import { chown, copyFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";
import { connect, getCACertificates, setDefaultCACertificates } from "node:tls";
import {
  createTestCertificateAuthority,
  findPostgresOsUser,
  isFulfilled,
  waitFor,
  type TestCertificateAuthority,
} from "@reports/testing";
import { runProgram } from "../machine/run-program.ts";

const servers = ["postgres", "minio", "nginx"] as const;
type Server = (typeof servers)[number];
type KeyPair = Readonly<Record<"certificate" | "key", string>>;

/**
 * Creates certificates of the servers, at the paths that the guides name. The certificates name `hosts`, the addresses and names at which callers reach
 * the servers. The trial replaces the first authority by the second, as docs/guides/running/rotate-secrets.md says.
 */
export async function createServerCertificates(folder: string, hosts: readonly string[] = ["127.0.0.1"]) {
  const authorities = [await createTestCertificateAuthority(), await createTestCertificateAuthority()] as const;
  const etc = join(folder, "etc");
  const forMc = join(folder, ".mc/certs/CAs");
  for (const path of [join(etc, "minio"), forMc]) await mkdir(path, { recursive: true });
  const trusted = join(etc, "ca.crt");
  const at = (certificate: string, key: string): KeyPair => ({
    certificate: join(etc, certificate),
    key: join(etc, key),
  });
  const shown: Readonly<Record<Server, KeyPair>> = {
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
    /** Replaces the trusted authorities in the file `trusted` and in the file of mc. This process trusts them in addition to Node's authorities. */
    async trust(...given: readonly TestCertificateAuthority[]): Promise<void> {
      const texts = await Promise.all(given.map(async ({ certificate }) => readFile(certificate, "utf8")));
      for (const path of [trusted, join(forMc, "ca.crt")]) {
        await writeFile(`${path}.new`, texts.join(""));
        await rename(`${path}.new`, path);
      }
      setDefaultCACertificates([...builtIn, ...texts]);
    },
    /** Replaces the certificates of all servers. A running server presents its old certificate until it reads the files again. */
    async issue(authority: TestCertificateAuthority): Promise<void> {
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
        await once(socket, "secureConnect");
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
  const select = ["--dbname", verified.href, "--command", "SELECT"];
  await waitFor(async () => isFulfilled(runProgram({ folder: "." }, "psql", select)), {
    what: "Postgres to show a certificate of the new authority",
  });
}
