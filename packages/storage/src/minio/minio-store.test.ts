import { describe, expect, it } from "vitest";
import { createMinioStore } from "./minio-store.ts";

const keys = { accessKey: "key", secretKey: "hunter2" };

describe("createMinioStore", () => {
  it.each([
    "127.0.0.1:9000",
    "minio:9000",
    "ftp://minio",
    "http://minio:9000/path",
    "http://user:hunter2@minio:9000",
    "",
  ])("createMinioStore refuses the endpoint %j without repeating it in the message", (endpoint) => {
    const create = () => createMinioStore({ ...keys, endpoint, bucket: "reports" });
    expect(create).toThrow(RangeError);
    expect(create).toThrow(/must be http:\/\/host:port/);
    expect(create).not.toThrow(/hunter2/);
  });

  it.each(["", "ab", "Reports", "re_ports", "-reports", "a".repeat(64)])(
    "createMinioStore refuses %j as the name of a bucket",
    (bucket) => {
      expect(() => createMinioStore({ ...keys, endpoint: "http://minio:9000", bucket })).toThrow(/bucket's name/);
    },
  );
});
