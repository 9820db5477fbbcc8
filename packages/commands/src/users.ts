import { parseArgs } from "node:util";
import {
  hashPassword,
  REGISTRY_READ,
  REGISTRY_WRITE,
  REPORTS_ADMIN,
  builtInTypeAuthorities,
  WEBHOOKS_WRITE,
} from "@reports/auth";
import type { UserStore } from "@reports/db";
import { CommandExitError, readDatabaseUrl, runCommand, type CommandContext } from "./command-line.ts";
import { readPassword } from "./read-password.ts";

const known = [...Object.values(builtInTypeAuthorities), REGISTRY_READ, REGISTRY_WRITE, REPORTS_ADMIN, WEBHOOKS_WRITE];
const authorityPattern = /^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]{1,100}$/;

const help = `Usage: users create NAME [--authorities A,B] [--generate] [--if-missing]
       users list
       users set-authorities NAME A,B        (or "" for none)
       users rotate-password NAME [--generate]
       users disable NAME
       users enable NAME

Users sign in with a name and a password; they live in the database that DATABASE_URL (or the file in DATABASE_URL_FILE) names.
The password is asked for on the terminal, or read from the first line of standard input; --generate makes one and prints it.
It is never a command-line argument, so that it does not end up in the shell history. With --if-missing a user who is there already is
left as they are, which is not an error. Use this in installations that may run again.

Authorities of this program: ${known.join(", ")}

Exit codes: 0 done, 1 nothing was changed, 2 wrong usage, 130 interrupted.
`;

interface UserRequest extends CommandContext {
  readonly users: UserStore;
  readonly name: string;
  readonly parameters: readonly string[];
  readonly authorities: string | undefined;
  readonly generate: boolean;
  readonly ifMissing: boolean;
}

interface UserAction {
  readonly parameterCount: number;
  readonly isSecret?: boolean;
  run(request: UserRequest): Promise<string>;
}

const userActions: Readonly<Record<string, UserAction>> = {
  create: {
    parameterCount: 1,
    isSecret: true,
    async run(request) {
      const { users, name } = request;
      const authorities = readAuthorities(request.authorities ?? "");
      const isThere = (await users.find(name)) !== null;
      if (isThere && request.ifMissing) return `There is already a user called ${name}; nothing was changed.`;
      if (isThere)
        throw new CommandExitError(`There is already a user called ${name}; choose another name, or rotate-password.`);
      const password = await askPassword(request);
      await users.create({ name, passwordHash: await hashPassword(password), authorities });
      return `Created ${name} with ${formatAuthorities(authorities)}.${formatGeneratedPassword(request, password)}`;
    },
  },
  list: {
    parameterCount: 0,
    async run({ users }) {
      const lines = (await users.list()).map(({ name, authorities, createdAt, disabledAt }) => {
        const state = disabledAt === null ? "active" : "disabled";
        return [name, state, createdAt.toISOString().slice(0, 10), formatAuthorities(authorities)].join("\t");
      });
      return lines.length === 0 ? "There are no users." : lines.join("\n");
    },
  },
  "set-authorities": {
    parameterCount: 2,
    async run({ users, name, parameters }) {
      const authorities = readAuthorities(parameters[1] ?? "");
      requireFound(name, await users.setAuthorities(name, authorities));
      return `${name} now has ${formatAuthorities(authorities)}.`;
    },
  },
  "rotate-password": {
    parameterCount: 1,
    isSecret: true,
    async run(request) {
      const { users, name } = request;
      requireFound(name, (await users.find(name)) !== null);
      const password = await askPassword(request);
      requireFound(name, await users.setPasswordHash(name, await hashPassword(password)));
      return `Changed the password of ${name}.${formatGeneratedPassword(request, password)}`;
    },
  },
  disable: {
    parameterCount: 1,
    async run({ users, name }) {
      requireFound(name, await users.setDisabled(name, true));
      return `${name} can no longer sign in.`;
    },
  },
  enable: {
    parameterCount: 1,
    async run({ users, name }) {
      requireFound(name, await users.setDisabled(name, false));
      return `${name} can sign in again.`;
    },
  },
};

await runCommand(async (context) => {
  const { values, positionals } = parseArgs({
    args: [...context.args],
    allowPositionals: true,
    options: {
      authorities: { type: "string" },
      generate: { type: "boolean" },
      "if-missing": { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) return void process.stdout.write(help);
  const [verb, ...parameters] = positionals;
  const action = verb !== undefined && Object.hasOwn(userActions, verb) ? userActions[verb] : undefined;
  if (action === undefined)
    throw new CommandExitError(
      `${verb === undefined ? "Say what to do." : `There is no command ${JSON.stringify(verb)}.`}\n\n${help}`,
      2,
    );
  if (parameters.length !== action.parameterCount)
    throw new CommandExitError(
      `${verb} takes ${action.parameterCount} parameters, and ${parameters.length} were given.\n\n${help}`,
      2,
    );
  if (values.generate === true && action.isSecret !== true)
    throw new CommandExitError(`${verb} sets no password; leave out --generate.`, 2);
  if (values.authorities !== undefined && verb !== "create")
    throw new CommandExitError("--authorities belongs to create; see set-authorities.", 2);
  if (values["if-missing"] === true && verb !== "create")
    throw new CommandExitError("--if-missing belongs to create.", 2);
  const url = await readDatabaseUrl(context.environment);
  // @reports/db is imported only here, because --help and wrong usage do not need it, and loading it takes longest.
  const { createDatabase, createUserStore } = await import("@reports/db");
  const database = createDatabase({ url, max: 1, applicationName: "users" });
  try {
    const users = createUserStore(database);
    const request = {
      ...context,
      users,
      name: parameters[0] ?? "",
      parameters,
      authorities: values.authorities,
      generate: values.generate === true,
      ifMissing: values["if-missing"] === true,
    };
    process.stdout.write(`${await action.run(request)}\n`);
  } finally {
    await database.close();
  }
});

function askPassword({ generate, signal }: UserRequest): Promise<string> {
  return readPassword({ input: process.stdin, output: process.stderr, generate, signal });
}

function readAuthorities(text: string): string[] {
  const parts = text.split(",").map((part) => part.trim());
  const authorities = [...new Set(parts.filter((part) => part !== ""))];
  const bad = authorities.find((part) => !authorityPattern.test(part));
  if (bad !== undefined)
    throw new CommandExitError(
      `${JSON.stringify(bad)} is not an authority: 1 to 100 visible characters without quotes, commas and backslashes.`,
      2,
    );
  const unknown = authorities.filter((part) => !known.includes(part));
  if (unknown.length > 0)
    process.stderr.write(
      `Note: this program knows no authority ${unknown.join(", ")}; it counts only where the deployment configures it.\n`,
    );
  return authorities;
}

function requireFound(name: string, isFound: boolean): void {
  if (!isFound) throw new CommandExitError(`There is no user called ${name}. See: users list`);
}

function formatAuthorities(authorities: readonly string[]): string {
  return authorities.length === 0 ? "no authorities" : authorities.join(", ");
}

function formatGeneratedPassword({ generate }: UserRequest, password: string): string {
  return generate ? `\nPassword, shown this once: ${password}` : "";
}
