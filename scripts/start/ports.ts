import { createServer } from "node:net";
import { findFreePort } from "@reports/testing";
import { NpmStartError } from "./npm-start-error.ts";

export async function assertPortFree(host: string, port: number, variable: string): Promise<void> {
  const code = await tryPort(host, port);
  if (code === null) return;
  const reason: Readonly<Record<string, string>> = {
    EADDRINUSE: "is taken by another program",
    EACCES: "needs more rights than this user has",
    EADDRNOTAVAIL: `cannot be used, because ${host} is not an address of this machine`,
    ENOTFOUND: `cannot be used, because ${host} is not an address of this machine`,
  };
  const example = `${variable}=${port < 65_000 ? Math.max(port + 10, 3010) : 3010} npm start`;
  throw new NpmStartError(`Port ${port} ${reason[code] ?? `cannot be used (${code})`}. Choose another: ${example}`);
}

export async function choosePort(host: string, wanted: number): Promise<number> {
  return (await tryPort(host, wanted)) === null ? wanted : await findFreePort();
}

function tryPort(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}
