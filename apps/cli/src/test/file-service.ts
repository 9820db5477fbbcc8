import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Starts a service with one report. Its file is larger than the buffers of pipes and sockets, so that a download can block. */
export async function startLargeFileStub() {
  const [report, file] = ["01970000-0000-7000-8000-000000000001", "01970000-0000-7000-8000-000000000002"];
  const part = Buffer.alloc(2 ** 16, "reports\n");
  const parts = 1024;
  const size = parts * part.length;
  const record = {
    id: report,
    status: "SUCCEEDED",
    finishedAt: "2026-11-22T12:00:00Z",
    rowCount: null,
    warnings: [],
    error: null,
    progress: { phase: "done", rowsDone: 0, rowsTotal: 0, percent: 100 },
    file: { id: file, fileName: "file.csv", extension: "csv", contentType: "text/csv", size, sha256: "", columns: [] },
  };
  let sent = 0;
  function* take(): Generator<Buffer, void> {
    for (; sent < parts; sent++) yield part;
  }
  const server = createServer((request, response) => {
    if (request.url?.endsWith(file) === true)
      pipeline(Readable.from(take()), response.writeHead(200, { ETag: '"v1"', "Content-Type": "text/csv" })).catch(
        () => undefined,
      );
    else response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(record));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  let before = -1;
  return {
    report,
    environment: { REPORTS_URL: `http://127.0.0.1:${port}`, REPORTS_TOKEN: "any" },
    /** Reports whether the download is blocked: a part of the file was sent, and nothing since the previous call. */
    isBlocked() {
      const isStill = sent === before;
      before = sent;
      return isStill && sent > 0 && sent < parts;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
