import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { createNpmStartFixture, runNpmStart } from "./npm-start-process.fixture.ts";

const starts = createNpmStartFixture();

afterAll(async () => starts[Symbol.asyncDispose]());

test("`npm start` on a port in use prints one line that suggests another port", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { command } = await starts.start({ PORT: String(port) });
  expect(await command.ended).toBe(1);
  expect(command.log()).toMatch(
    new RegExp(`^Port ${port} is taken by another program. Choose another: PORT=\\d+ npm start\\n$`),
  );
  server.close();
});

test("`npm start` with NODE_ENV=production lists the missing required variables", async () => {
  const { command } = await starts.start({ NODE_ENV: "production" });
  expect(await command.ended).toBe(78);
  for (const name of ["DATABASE_URL", "STORAGE_DIR or MINIO_ENDPOINT", "AUTH_JWT_SECRET or AUTH_JWKS_URL"]) {
    expect(command.log()).toContain(`- ${name} must be set`);
  }
});

test("`npm start -- --help` lists the options, and so does an unknown option", async () => {
  const [help, unknown] = [runNpmStart(["--help"]), runNpmStart(["--frobnicate"])];
  expect(await help.ended).toBe(0);
  expect(help.stdout()).toContain("npm start -- --data DIR");
  expect(await unknown.ended).toBe(1);
  expect(unknown.log()).toContain(help.stdout().trim());
});
