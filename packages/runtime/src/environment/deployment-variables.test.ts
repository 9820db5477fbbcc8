import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { afterAll, describe, expect, test } from "vitest";
import { deploymentVariableRules, deploymentVariables, fileStoreSettingsOf } from "./deployment-variables.ts";
import { readEnvironment } from "./read-environment.ts";

const read = (prefix: string) =>
  readEnvironment(
    deploymentVariables,
    { DATABASE_URL: "postgres://u@h/d", STORAGE_DIR: "/files", STORAGE_PREFIX: prefix },
    deploymentVariableRules,
  ).storagePrefix;

test("a storage prefix with a folder called reports in it is refused", () => {
  for (const prefix of ["reports", "reports/team-b", "team-a/reports/b", "team-a/reports"]) {
    expect(() => read(prefix)).toThrow(/STORAGE_PREFIX[^]*reports/);
  }
  for (const prefix of ["reports-of-b", "team-a/production", "my.reports"]) expect(read(prefix)).toBe(prefix);
});

describe("MINIO_CA_FILE", () => {
  const folder = mkdtempSync(join(tmpdir(), "reports-ca-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (text: string): string => {
    const path = join(folder, `${text.length}.pem`);
    writeFileSync(path, text);
    return path;
  };
  const store = {
    DATABASE_URL: "postgres://u@h/d",
    MINIO_ENDPOINT: "https://store.internal:9000",
    MINIO_ACCESS_KEY: "key",
    MINIO_SECRET_KEY: "secret",
    MINIO_BUCKET: "reports",
  };
  const readStore = (environment: Record<string, string>) =>
    fileStoreSettingsOf(readEnvironment(deploymentVariables, { ...store, ...environment }, deploymentVariableRules));

  test("MINIO_CA_FILE holds one or several certificates of authorities", () => {
    const [first, second] = rootCertificates;
    expect(readStore({ MINIO_CA_FILE: file(`# ours\n${first}\n${second}\n`) })).toMatchObject({
      authorities: [first, second],
    });
    expect(readStore({})).not.toHaveProperty("authorities");
  });

  test.each([
    [() => "/not/there", {}, /MINIO_CA_FILE: must be a file that can be read \(ENOENT\)/],
    [() => file("not a certificate"), {}, /MINIO_CA_FILE: must be a file of certificates in PEM/],
    [
      () => file("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"),
      {},
      /MINIO_CA_FILE: must be a file of certificates in PEM/,
    ],
    [
      () => file(rootCertificates[0]!),
      { MINIO_ENDPOINT: "http://store.internal:9000" },
      /MINIO_CA_FILE: has no effect unless MINIO_ENDPOINT begins with https/,
    ],
  ])("MINIO_CA_FILE is refused if it is not a certificate file or has no effect", (path, environment, expected) => {
    expect(() => readStore({ MINIO_CA_FILE: path(), ...environment })).toThrow(expected);
  });
});
