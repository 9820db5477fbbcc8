import { expect, test } from "vitest";
import { createLogger } from "./log/logger.ts";
import { toHttpDestination, warnAboutPlaintext } from "./plain-text.ts";

test("a process warns once per host of unencrypted connections that leave the machine", () => {
  const lines: string[] = [];
  const logger = createLogger({ name: "api", level: "info", destination: { write: (line) => void lines.push(line) } });
  const variable = "DATABASE_URL";
  const here = ["127.0.0.1", "127.8.9.10", "::1", "localhost", "LOCALHOST", "db.localhost", "/run/postgresql"];
  const elsewhere = [
    "10.0.0.5",
    "128.0.0.1",
    "::2",
    "postgres",
    "localhost.example.com",
    "notlocalhost",
    "127.0.0.1.nip.io",
  ];
  warnAboutPlaintext(
    [
      ...[...here, ...elsewhere].map((host) => ({ variable, host, isEncrypted: false })),
      ...elsewhere.map((host) => ({ variable, host, isEncrypted: true })),
      toHttpDestination("MINIO_ENDPOINT", "http://minio:9000"),
      toHttpDestination("MINIO_ENDPOINT", "https://store:9000"),
      toHttpDestination("MINIO_ENDPOINT", "http://[::1]:9000"),
    ],
    logger,
  );
  const warned = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(warned.map(({ host }) => host)).toEqual([...elsewhere, "minio"]);
  expect(new Set(warned.map(({ level, msg }) => `${String(level)}: ${String(msg)}`))).toEqual(
    new Set(["warn: connections are not encrypted: their data can be read and changed in transit"]),
  );
});
