import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { z } from "zod";

const contentPattern = /(?<=-----BEGIN CERTIFICATE-----)[^-]+(?=-----END CERTIFICATE-----)/g;

export function certificateFileSchema(): z.ZodType<readonly string[], string> {
  return z.string().transform((path, context) => {
    const text = readFileText(path);
    if ("problem" in text) {
      context.addIssue(`must be a file that can be read (${text.problem})`);
      return z.NEVER;
    }
    const contents = text.read.match(contentPattern) ?? [];
    const found = contents.map((base64) => `-----BEGIN CERTIFICATE-----${base64}-----END CERTIFICATE-----`);
    if (found.length > 0 && found.every(isCertificate)) return found;
    context.addIssue("must be a file of certificates in PEM, which begin with -----BEGIN CERTIFICATE-----");
    return z.NEVER;
  });
}

function readFileText(path: string): { readonly read: string } | { readonly problem: string } {
  try {
    return { read: readFileSync(path, "utf8") };
  } catch (error) {
    return { problem: (error as NodeJS.ErrnoException).code ?? "unknown error" };
  }
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.length > 0;
  } catch {
    return false;
  }
}
