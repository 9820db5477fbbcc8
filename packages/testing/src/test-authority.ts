import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram, machineHas } from "./machine-has.ts";

export type TestAuthority = Awaited<ReturnType<typeof createTestAuthority>>;

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** Whether authorities can be made here. */
export function hasOpenssl(): boolean {
  return machineHas("openssl (apt-get install openssl)", findProgram("openssl") !== null);
}

/** Makes a certificate authority that nobody trusts, with openssl, in a folder that is removed with it. */
export async function createTestAuthority() {
  const folder = await mkdtemp(join(tmpdir(), "reports-authority-"));
  // A server that runs as another user reaches what is given to it.
  await chmod(folder, 0o711);
  const at = (file: string): string => join(folder, file);
  const openssl = async (...args: string[]): Promise<void> => void (await promisify(execFile)("openssl", args));
  const own = { certificate: at("authority.crt"), key: at("authority.key") };
  const subject = ["-subj", "/CN=Authority of a test"];
  await openssl("req", "-x509", ...newKey, ...subject, "-keyout", own.key, "-out", own.certificate, "-days", "10");
  return {
    /** The authority's own certificate. */
    certificate: own.certificate,
    folder,
    /**
     * Issues a certificate to a server or a client. Returns the paths of PEM files, which have the name.
     * @param options.hosts such as `DNS:localhost` or `IP:127.0.0.1`.
     * @param options.days from now; before now, it has expired.
     */
    async issue(name: string, { hosts, days = 10 }: { readonly hosts: readonly string[]; readonly days?: number }) {
      const issued = { certificate: at(`${name}.crt`), key: at(`${name}.key`) };
      const [request, names] = [
        at(`${name}.csr`),
        hosts.length === 0 ? [] : ["-addext", `subjectAltName=${hosts.join(",")}`],
      ];
      await openssl("req", ...newKey, "-subj", `/CN=${name}`, ...names, "-keyout", issued.key, "-out", request);
      const signing = ["-CA", own.certificate, "-CAkey", own.key, "-CAcreateserial", "-copy_extensions", "copy"];
      await openssl("x509", "-req", "-in", request, ...signing, "-days", String(days), "-out", issued.certificate);
      return issued;
    },
    [Symbol.asyncDispose]: async () => rm(folder, { recursive: true, force: true }),
  };
}
