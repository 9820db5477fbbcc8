// A program that downloads one file and prints its own peak resident memory in kB. Arguments: URL, size in bytes, SHA-256, path.
import { createGateway, type Report } from "@reports/client";

const [baseUrl = "", size, sha256 = "", path = ""] = process.argv.slice(2);
const gateway = createGateway({ baseUrl, token: () => "token" });
const file: Partial<Report["file"]> = { id: "file", size: Number(size), sha256 };
await gateway.reports.download({ id: "report", file } as Report, path);
process.stdout.write(`${process.resourceUsage().maxRSS}\n`);
