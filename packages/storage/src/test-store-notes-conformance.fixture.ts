import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { StoreUnavailableError, type FileStore } from "@reports/core/base";
import { listKeys, type TestSpool } from "./test-spool.fixture.ts";
import { maxNoteBytes, type StoreNotes } from "./store-notes.ts";

export function testStoreNotesConformance(store: () => FileStore & StoreNotes, spool: () => TestSpool): void {
  it("check and readNote write nothing", async () => {
    const before = await listKeys(store(), "");
    await store().check();
    expect(await store().readNote("conformance-none")).toBeNull();
    expect(await listKeys(store(), "")).toEqual(before);
  });

  it("writeNote replaces the whole text of a note", async () => {
    await store().writeNote("conformance-note", "the first and longer text");
    await store().writeNote("conformance-note", "the second");
    expect(await store().readNote("conformance-note")).toBe("the second");
    expect(await listKeys(store(), "conformance-note")).toEqual(["conformance-note"]);
    await store().remove("conformance-note");
    expect(await store().readNote("conformance-note")).toBeNull();
  });

  it("readNote returns only the first bytes of a note", async () => {
    const file = await spool().write(`conformance/${randomBytes(8).toString("hex")}/note`, Buffer.alloc(100_000, "a"));
    await store().put(file);
    expect(await store().readNote(file.key)).toBe("a".repeat(maxNoteBytes));
  });

  it("readNote returns a complete text while the note is being written", async () => {
    const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(100));
    await store().writeNote("conformance-contended", texts[0]!);
    const writes = Promise.all(texts.map(async (text) => store().writeNote("conformance-contended", text)));
    const reads = texts.map(async () => store().readNote("conformance-contended"));
    for (const read of reads) expect(texts).toContain(await read);
    await writes;
  });

  it("create changes nothing in a store that exists", async () => {
    await store().writeNote("conformance-kept", "kept");
    await store().create();
    expect(await store().readNote("conformance-kept")).toBe("kept");
  });

  it("readNote and writeNote reject for an aborted signal and for invalid keys", async () => {
    const reason = new Error("no longer wanted");
    const signal = AbortSignal.abort(reason);
    await expect(store().readNote("a", { signal })).rejects.toBe(reason);
    await expect(store().writeNote("a", "text", { signal })).rejects.toBe(reason);
    await expect(store().create({ signal })).rejects.toBe(reason);
    await expect(store().readNote("../a")).rejects.toBeInstanceOf(RangeError);
    await expect(store().writeNote("../a", "text")).rejects.toBeInstanceOf(RangeError);
  });
}

export async function expectNothingCreated(store: FileStore & StoreNotes): Promise<void> {
  for (let round = 1; round <= 2; round += 1) {
    await expect(store.check()).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(store.writeNote("conformance-early", "text")).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(await store.readNote("conformance-early")).toBeNull();
    expect(await store.stat("reports/1/1-a.csv")).toBeNull();
  }
}
