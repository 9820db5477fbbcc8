import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isFullTestRun, signToken } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeProfiles } from "../profiles/profile-file.ts";
import { getSharedCliService, serviceTimeoutMs, type CliService } from "../test/cli-service.ts";
import { createCommandsUnderTest, type CommandsUnderTest } from "../test/commands-under-test.ts";
import { canOpenTerminals, patientNodeOptions, reportsShellCommand } from "../test/run-reports.ts";

let service: CliService;
let commands: CommandsUnderTest;

describe.concurrent("commands of profiles", { timeout: serviceTimeoutMs }, () => {
  beforeAll(async () => {
    service = await getSharedCliService();
    commands = createCommandsUnderTest(service);
  }, serviceTimeoutMs);
  afterAll(() => commands[Symbol.dispose]());

  function newHome(name: string) {
    const XDG_CONFIG_HOME = join(commands.folder, name);
    return { environment: { XDG_CONFIG_HOME }, path: join(XDG_CONFIG_HOME, "reports", "profiles.json") };
  }

  async function login(environment: Readonly<Record<string, string>>, token: string, ...words: string[]) {
    const command = commands.pipe(["login", ...words], environment);
    command.child.stdin!.end(`${token}\n`);
    return command.ended;
  }

  test("login saves the token in a file that only the user can read; logout removes it", async () => {
    const { environment, path } = newHome("private");
    const token = signToken({ secret: service.jwtSecret, subject: "ann" });
    const signedIn = await login(environment, token, service.url);
    expect(signedIn).toMatchObject({ code: 0, out: "" });
    expect(signedIn.err).toMatch(
      /^Signed in to \S+ as \S*ann, in the profile default\. The token expires in \d+ h\.\n$/,
    );
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readdirSync(dirname(path))).toEqual(["profiles.json"]);
    expect((await commands.pipe(["types"], environment).ended).out).toContain("PROXY\t");
    const listed = await commands.pipe(["profiles"], environment).ended;
    expect(listed.out).toMatch(new RegExp(`^default\t${service.url}\t\\d{4}-`));
    expect(listed.out).not.toContain(token);
    expect(await commands.pipe(["logout"], environment).ended).toMatchObject({ code: 0 });
    expect(readFileSync(path, "utf8")).not.toContain(token);
    expect((await commands.pipe(["types"], environment).ended).code).toBe(2);
  });

  test("login does not save a refused token, and reads no token from its arguments", async () => {
    const { environment, path } = newHome("refused");
    const refused = await login(environment, "secret-token", service.url);
    expect(refused).toMatchObject({ code: 3, out: "", err: expect.stringMatching(/^The token is refused: /) });
    expect(await login(environment, "", service.url)).toMatchObject({ code: 2, err: "No token was given.\n" });
    const argument = await login(environment, "", service.url, "secret-token");
    expect(argument.code).toBe(2);
    expect(statSync(path, { throwIfNoEntry: false })).toBe(undefined);
  });

  // In every run, connection.test.ts tests this without a process.
  test.runIf(isFullTestRun)("--profile precedes the environment, which precedes other profiles", async () => {
    const { environment, path } = newHome("order");
    const tokenOf = (subject: string) => signToken({ secret: service.jwtSecret, subject });
    writeProfiles(path, new Map([["default", { url: service.url, token: tokenOf("default") }]]));
    // The file already has a profile, which this command keeps.
    await login(environment, tokenOf("team"), service.url, "--profile", "team");
    const withToken = { ...environment, REPORTS_URL: service.url, REPORTS_TOKEN: tokenOf("variable") };
    const callerOf = async (variables: Readonly<Record<string, string>>, ...words: string[]) => {
      const { out } = await commands.pipe(["start", "PROXY", "--format", "csv", "--json", ...words], variables).ended;
      return (JSON.parse(out) as { requestedBy: string }).requestedBy.replace(/^.*\|/, "");
    };
    expect(
      await Promise.all([
        callerOf(withToken, "--profile", "team"),
        callerOf({ ...withToken, REPORTS_PROFILE: "team" }),
        callerOf({ ...environment, REPORTS_PROFILE: "team" }),
        callerOf(environment),
      ]),
    ).toEqual(["team", "variable", "team", "default"]);
  });

  // In every run, complete-line.test.ts completes the names of profiles, and connection.test.ts reads the token of a given profile.
  test.runIf(isFullTestRun)("completion asks the gateway of the profile that the line names", async () => {
    const { environment } = newHome("completion");
    const token = signToken({ secret: service.jwtSecret, subject: "ann" });
    await login(environment, token, service.url, "--profile", "team");
    // By default, a completion omits values that it has not read within three seconds.
    const patient = { ...environment, NODE_OPTIONS: patientNodeOptions };
    const complete = async (line: string) => (await commands.pipe(["__complete", line], patient).ended).out;
    for (const flag of ["--profile team", "--profile=team"])
      expect(await complete(`reports ${flag} types PROXY_`)).toMatch(/^PROXY_DOMAIN\t/);
    expect(await complete("reports types PROXY_")).toBe("");
    expect(await complete("reports --profile other types PROXY_")).toBe("");
  });

  // In every run, connection.test.ts tests this without a process.
  test.runIf(isFullTestRun)("a profile's token is not sent to another address or after its expiry", async () => {
    const { environment, path } = newHome("ended");
    mkdirSync(dirname(path), { recursive: true });
    const claims = Buffer.from(JSON.stringify({ exp: Date.now() / 1000 - 7200 })).toString("base64url");
    const profile = { url: service.url, token: `e30.${claims}.e30` };
    writeFileSync(path, JSON.stringify({ profiles: { default: profile } }), { mode: 0o600 });
    expect(await commands.pipe(["list"], environment).ended).toEqual({
      code: 3,
      out: "",
      err: "The token of the profile default expired 2 h ago. Sign in again: reports login\n",
    });
    const elsewhere = { ...environment, REPORTS_URL: "http://127.0.0.1:2" };
    expect(await commands.pipe(["list"], elsewhere).ended).toMatchObject({
      code: 2,
      err: expect.stringContaining("REPORTS_URL is not the address of the profile default"),
    });
    chmodSync(path, 0o644);
    expect(await commands.pipe(["list"], environment).ended).toMatchObject({
      code: 2,
      err: expect.stringContaining(`Run: chmod 600 ${path}`),
    });
    writeFileSync(path, "[]");
    chmodSync(path, 0o600);
    expect((await commands.pipe(["list"], environment).ended).err).toContain("does not hold profiles");
  });

  test.skipIf(!canOpenTerminals())("login asks for the token on a terminal, and does not show it", async () => {
    const { environment } = newHome("terminal");
    const token = signToken({ secret: service.jwtSecret, subject: "tess" });
    const command = commands.terminal(`${reportsShellCommand} login ${service.url}`, environment);
    await command.prints("it is not shown");
    command.child.stdin!.write(`${token}\r`);
    const { code, out } = await command.ended;
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining("tess, in the profile default.") });
    expect(out).not.toContain(token.slice(0, 20));
    const interrupted = commands.terminal(`${reportsShellCommand} login ${service.url}`, environment);
    await interrupted.prints("it is not shown");
    interrupted.child.stdin!.write("\u0003");
    expect((await interrupted.ended).code).toBe(130);
  });
});
