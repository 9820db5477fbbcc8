import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, type AddressInfo } from "node:net";
import { createServer } from "node:tls";
import { StoreUnavailableError } from "@reports/core/base";
import { createTestCertificateAuthority, hasOpenssl, startMinio, type MinioServer } from "@reports/testing";
import { afterAll, expect, test } from "vitest";
import { createMinioStore } from "./minio-store.ts";

const minio = await startMinio();
afterAll(async () => minio?.stop());

test.skipIf(minio === null || !hasOpenssl())(
  "the MinIO store refuses a certificate that is untrusted, expired or misnamed",
  async () => {
    await using authority = await createTestCertificateAuthority();
    await using stranger = await createTestCertificateAuthority();
    const { accessKey, secretKey, endpoint } = minio as MinioServer;
    const upstream = new URL(endpoint);
    const serve = async (name: string, hosts: readonly string[], days?: number) => {
      const issued = await authority.issue(name, days === undefined ? { hosts } : { hosts, days });
      const certificate = { cert: await readFile(issued.certificate), key: await readFile(issued.key) };
      const server = createServer(certificate, (client) => {
        const store = connect(Number(upstream.port), upstream.hostname);
        for (const socket of [client, store])
          socket.on("error", () => void [client, store].map((each) => each.destroy()));
        client.pipe(store).pipe(client);
      });
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      return server;
    };
    const servers = [
      await serve("right", ["IP:127.0.0.1"]),
      await serve("other-host", ["DNS:store.internal"]),
      await serve("expired", ["IP:127.0.0.1"], -1),
    ] as const;
    const reach = async (server: (typeof servers)[number], trusted: string | null) => {
      const store = createMinioStore({
        endpoint: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
        accessKey,
        secretKey,
        bucket: `tls-${randomBytes(4).toString("hex")}`,
        // The limit includes the TLS handshake, which can take long on a busy machine.
        connectTimeoutMs: 60_000,
        ...(trusted === null ? {} : { authorities: [await readFile(trusted, "utf8")] }),
      });
      try {
        await store.create();
        return "reached";
      } catch (error) {
        return error instanceof StoreUnavailableError ? error.message : `not a store's error: ${String(error)}`;
      }
    };
    const [right, otherHost, expired] = servers;
    try {
      expect(await reach(right, authority.certificate)).toBe("reached");
      expect(await reach(right, stranger.certificate)).toMatch(/UNABLE_TO_|SELF_SIGNED/);
      expect(await reach(right, null)).toMatch(/UNABLE_TO_|SELF_SIGNED/);
      expect(await reach(otherHost, authority.certificate)).toMatch(/ERR_TLS_CERT_ALTNAME_INVALID/);
      expect(await reach(expired, authority.certificate)).toMatch(/CERT_HAS_EXPIRED/);
    } finally {
      for (const server of servers) server.close();
    }
  },
);
