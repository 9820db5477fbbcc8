import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgramPath, isAvailableOrThrowInCi } from "./is-available-or-throw-in-ci.ts";

export type TestCertificateAuthority = Awaited<ReturnType<typeof createTestCertificateAuthority>>;

const keyArgs = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

export function hasOpenssl(): boolean {
  return isAvailableOrThrowInCi("openssl (apt-get install openssl)", findProgramPath("openssl") !== null);
}

export async function createTestCertificateAuthority() {
  const folder = await mkdtemp(join(tmpdir(), "reports-authority-"));
  // A server that runs as another user must be able to read its certificate.
  await chmod(folder, 0o711);
  const at = (file: string): string => join(folder, file);
  const openssl = async (...args: string[]): Promise<void> => void (await promisify(execFile)("openssl", args));
  const own = { certificate: at("authority.crt"), key: at("authority.key") };
  const subject = ["-subj", "/CN=Authority of a test"];
  await openssl("req", "-x509", ...keyArgs, ...subject, "-keyout", own.key, "-out", own.certificate, "-days", "10");
  return {
    certificate: own.certificate,
    folder,
    /**
     * Issues a certificate for a server or a client. Returns the paths of its PEM files, whose names begin with `name`.
     * @param options.hosts subject alternative names, such as `DNS:localhost` or `IP:127.0.0.1`.
     * @param options.subject distinguished name. Default: the common name `name`.
     * @param options.days lifetime from now. A negative number makes an expired certificate.
     */
    async issue(
      name: string,
      options: { readonly hosts: readonly string[]; readonly subject?: string; readonly days?: number },
    ) {
      const { hosts, subject = `/CN=${name}`, days = 10 } = options;
      const issued = { certificate: at(`${name}.crt`), key: at(`${name}.key`) };
      const [request, names] = [
        at(`${name}.csr`),
        hosts.length === 0 ? [] : ["-addext", `subjectAltName=${hosts.join(",")}`],
      ];
      await openssl("req", ...keyArgs, "-subj", subject, ...names, "-keyout", issued.key, "-out", request);
      const signing = ["-CA", own.certificate, "-CAkey", own.key, "-CAcreateserial", "-copy_extensions", "copy"];
      await openssl("x509", "-req", "-in", request, ...signing, "-days", String(days), "-out", issued.certificate);
      return issued;
    },
    [Symbol.asyncDispose]: async () => rm(folder, { recursive: true, force: true }),
  };
}
