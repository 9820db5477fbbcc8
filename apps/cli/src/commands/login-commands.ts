import { GatewayError, type Caller, type Gateway } from "@reports/client";
import type { Command } from "commander";
import { hasJsonFlag, readOutputFormat, type CommandContext } from "../command-context.ts";
import { CommandError, usageError } from "../command-error.ts";
import { requireGatewayUrlOrThrow, type Environment } from "../connection.ts";
import { formatTimeFromNow } from "../output/format-amount.ts";
import type { TableColumn } from "../output/format-table.ts";
import { toSafeJson, toSafeText } from "../output/to-safe-text.ts";
import { askSecret } from "../profiles/ask-secret.ts";
import {
  requireProfileNameOrThrow,
  defaultProfileName,
  getProfileFilePath,
  readProfiles,
  writeProfiles,
  type Profile,
} from "../profiles/profile-file.ts";
import { readTokenExpiryMs } from "../profiles/token-expiry.ts";

interface ShownProfile {
  readonly profile: string;
  readonly url: string;
  readonly expiresAt: string | null;
}

const profileColumns: readonly TableColumn<ShownProfile>[] = [
  { heading: "PROFILE", text: ({ profile }) => profile },
  { heading: "URL", text: ({ url }) => url, wrapsTo: 20 },
  { heading: "TOKEN EXPIRES", text: ({ expiresAt }) => expiresAt ?? "", kind: "age" },
];

export function addLoginCommands(program: Command, context: CommandContext): void {
  const { output, environment, signal } = context;
  const path = getProfileFilePath(environment);

  program
    .command("login")
    .description("keep a gateway's address and a token, which is asked for or read from standard input")
    .argument("[url]", "address of the gateway; by default that of the profile, or REPORTS_URL")
    .action(async (given: string | undefined, _: unknown, command: Command) => {
      const name = profileNameOf(command, environment);
      const profiles = readProfiles(path);
      const url = requireGatewayUrlOrThrow(
        given ?? profiles.get(name)?.url ?? environment["REPORTS_URL"],
        "The address",
      );
      const token = await askSecret(process.stdin, {
        prompt: `Token for ${url} (it is not shown):`,
        say: output.say,
        signal,
      });
      if (token === "") throw usageError("No token was given.");
      const { id } = await readCaller(context.connect(url, token), signal);
      writeProfiles(path, new Map([...profiles, [name, { url, token }]]));
      const shown = showProfile(name, { url, token });
      if (hasJsonFlag(command)) output.write(toSafeJson({ ...shown, caller: id }));
      const end = shown.expiresAt === null ? "" : ` The token expires ${ageOf(shown.expiresAt)}.`;
      output.say(`Signed in to ${toSafeText(url)} as ${toSafeText(id)}, in the profile ${toSafeText(name)}.${end}`);
    });

  program
    .command("logout")
    .description("remove a profile with its token from this machine; the token itself stays valid")
    .action(async (_: unknown, command: Command) => {
      const name = profileNameOf(command, environment);
      const profiles = readProfiles(path);
      const others = [...profiles].filter(([each]) => each !== name);
      const isKnown = others.length < profiles.size;
      if (isKnown) writeProfiles(path, new Map(others));
      output.say(!isKnown ? `There is no profile ${toSafeText(name)}.` : `The profile ${toSafeText(name)} is removed.`);
    });

  program
    .command("profiles")
    .description("list the profiles that `login` has saved")
    .action(async (_: unknown, command: Command) => {
      const shown = [...readProfiles(path)].map(([name, profile]) => showProfile(name, profile));
      await output.writeRows(shown, { columns: profileColumns, ...readOutputFormat(command) });
      if (shown.length === 0 && output.isTerminal)
        output.say("There are no profiles. Sign in: reports login https://reports.example.com");
    });
}

/** Returns the caller to whom the token belongs. Throws a CommandError if the gateway refuses the token. */
async function readCaller(gateway: Gateway, signal: AbortSignal): Promise<Caller> {
  try {
    return await gateway.caller({ signal });
  } catch (error) {
    if (!(error instanceof GatewayError) || error.status !== 401) throw error;
    throw new CommandError("notAllowed", `The token is refused: ${toSafeText(error.detail)}`);
  }
}

function profileNameOf(command: Command, environment: Environment): string {
  const { profile } = command.optsWithGlobals<{ readonly profile?: string }>();
  return requireProfileNameOrThrow(profile ?? (environment["REPORTS_PROFILE"] || defaultProfileName));
}

function showProfile(profile: string, { url, token }: Profile): ShownProfile {
  const expiry = readTokenExpiryMs(token);
  return { profile, url, expiresAt: expiry === null ? null : new Date(expiry).toISOString() };
}

function ageOf(time: string): string {
  return formatTimeFromNow(Date.parse(time) - Date.now()) ?? time;
}
