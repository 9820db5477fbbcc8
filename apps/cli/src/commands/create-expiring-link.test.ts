import { GatewayError } from "@reports/client";
import { expect, test } from "vitest";
import { createExpiringLink } from "./create-expiring-link.ts";

const refusing = (pointer: string, message: string) => ({
  create: async () => {
    const issues = [{ pointer, code: "invalid_value", message }];
    return Promise.reject(new GatewayError({ status: 422, code: "invalid-record", detail: "No.", issues }));
  },
});
const { signal } = new AbortController();

test.each([
  ["expiresInSeconds must be a whole number from 1 to 900.", "--expires: The gateway's links live for 15m at most."],
  ["expiresInSeconds must be a whole number from 1 to 7200.", "--expires: The gateway's links live for 2h at most."],
  ["expiresInSeconds must be a whole number from 1 to 90.", "--expires: The gateway's links live for 90s at most."],
  ["Words of a later version.", "--expires: The gateway's links live for less than that."],
])("if a link's lifetime is too long, the error names the flag --expires: %s", async (message, line) => {
  const links = refusing("/expiresInSeconds", message);
  await expect(createExpiringLink(links, 10_800_000, signal)).rejects.toMatchObject({ exitCode: 2, message: line });
});

test("makeLink rethrows gateway errors that are not about the lifetime of the link", async () => {
  await expect(createExpiringLink(refusing("/other", "No."), 1_000, signal)).rejects.toBeInstanceOf(GatewayError);
});
