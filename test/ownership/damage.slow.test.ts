import fs from "node:fs"
import path from "node:path"
import { afterAll, expect, test } from "vitest"
import { isRefusal, type Store, type StoredEvent } from "../../src/run/log/store.ts"
import { writeHeaderLine } from "../../src/world/stores/jsonl/folder.ts"
import { seal } from "../../src/world/stores/jsonl/line.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { all, event, newRun, owned, readable, temporaryFolder } from "./harness.ts"

const base = temporaryFolder()
afterAll(() => fs.rmSync(base, { recursive: true, force: true }))

test("18: a log cut anywhere in its last three appends goes on from the last whole one", async () => {
  const { directory, root } = await recordedTree()
  const log = newestLog(directory, root)
  const bytes = fs.readFileSync(log)
  const starts = lineStarts(bytes)
  // The third from the end is an append of two events, the last line is the mark of the release.
  const first = starts[starts.length - 5]!
  let torn = 0
  for (let cut = first; cut < bytes.length; cut++) {
    fs.writeFileSync(log, bytes.subarray(0, cut))
    const damage: string[] = []
    const store = jsonlStore({ directory, onDamage: ({ message }) => damage.push(message) })
    const whole = appendsIn(bytes.subarray(0, cut), root)
    expect((await readable(store, root)).seqs).toEqual(whole)
    const claim = await owned(store, root)
    expect((await readable(store, root)).seqs, `cut at ${cut}`).toEqual(whole)
    expect(await store.append(claim, [event(root, whole.length)])).toBe("ok")
    expect((await readable(store, root)).seqs.length).toBe(whole.length + 1)
    torn += damage.length
    await store.close()
    for (const name of fs.readdirSync(path.dirname(log)))
      if (name.startsWith("log.")) fs.rmSync(path.join(path.dirname(log), name))
  }
  expect(torn).toBeGreaterThan(100)
})

test("19: a flipped bit damages its run alone, and repair restores it and keeps the log as it was", async () => {
  const { directory, root } = await recordedTree()
  const other = await recordedTree(directory)
  const log = newestLog(directory, root)
  const bytes = fs.readFileSync(log)
  const lines = lineStarts(bytes)
  for (const [index, start] of lines.entries()) {
    if (index < 4 || index > 8) continue
    const line = bytes.subarray(start, lines[index + 1]! - 1)
    const { run, seq } = JSON.parse(line.toString()) as StoredEvent
    for (const at of [0, 9, 18, 25, Math.floor(line.length / 2), line.length - 1]) {
      const copy = fs.mkdtempSync(path.join(base, "flipped-"))
      fs.cpSync(directory, copy, { recursive: true })
      const changed = Buffer.from(bytes)
      changed[start + at]! ^= 1
      fs.writeFileSync(newestLog(copy, root), changed)
      const store = jsonlStore({ directory: copy })
      expect(await store.claim(root)).toMatchObject({
        type: "damaged",
        message: expect.stringContaining(root),
      })
      expect(await store.claim(root)).toMatchObject({ type: "damaged" })
      expect(await readable(store, run)).toEqual({ seqs: upTo(seq), code: "LOG_DAMAGED" })
      const unaffected = run === root ? `${root}.1` : root
      expect(await readable(store, unaffected)).toEqual({ seqs: upTo(11) })
      await owned(store, other.root)
      expect((await all(store.list())).length).toBe(2)
      const claim = await owned(store, root, { repair: true })
      const seqs = { [root]: upTo(12), [`${root}.1`]: upTo(11) }
      for (const one of [root, `${root}.1`]) expect(await readable(store, one)).toEqual({ seqs: seqs[one]! })
      expect((await all(store.read(root))).at(-1)).toMatchObject({
        type: "log-repair",
        restored: 1,
        lost: 0,
        reasons: [],
        kept: "damaged.2.jsonl",
      })
      expect(await store.append(claim, [event(run, seqs[run]!.length)])).toBe("ok")
      expect(fs.readFileSync(path.join(copy, root, "damaged.2.jsonl")).equals(changed)).toBe(true)
      await store.close()
    }
  }
})

test("a line that cannot be restored leaves a mark in its place, and everything after it is kept", async () => {
  const { directory, root } = await recordedTree()
  const log = newestLog(directory, root)
  const lines = fs.readFileSync(log, "utf8").split("\n")
  const lost = lines.findIndex((line) => line.includes(`"run":"${root}.1"`) && line.includes('"seq":5,'))
  lines[lost] = lines[lost]!.replace(/"type":"test"/, '"type":"best?"')
  fs.writeFileSync(log, lines.join("\n"))
  const store = jsonlStore({ directory })
  expect(await readable(store, `${root}.1`)).toEqual({ seqs: upTo(5), code: "LOG_DAMAGED" })
  expect((await all(store.list({ root }))).map(({ run, damage }) => [run, damage !== undefined])).toEqual([
    [root, false],
    [`${root}.1`, true],
  ])
  const pieces = await all(store.examine!(root))
  expect(pieces.filter(({ type }) => type === "event").length).toBe(21)
  expect(pieces.filter(({ type }) => type === "damage")).toEqual([
    { type: "damage", reason: expect.stringContaining("checksum"), run: `${root}.1`, seq: 5 },
  ])
  await owned(store, root, { repair: true })
  const types = (await all(store.read(`${root}.1`))).map(({ type }) => type)
  expect(types).toEqual(upTo(11).map((seq) => (seq === 5 ? "event-lost" : "test")))
  await store.close()
})

test("a log that was cut after the disk had it is damaged, and its open runs do not know what they lost", async () => {
  const { directory, root } = await recordedTree()
  const log = newestLog(directory, root)
  const whole = fs.readFileSync(log)
  const store = jsonlStore({ directory })
  const claim = await owned(store, root)
  await store.append(claim, [event(root, 11), event(root, 12)], { sync: true })
  await store.close()
  const next = newestLog(directory, root)
  const bytes = fs.readFileSync(next)
  for (const cut of [bytes.length - 200, whole.length, 1500]) {
    fs.writeFileSync(next, bytes.subarray(0, cut))
    const reader = jsonlStore({ directory })
    expect(await reader.claim(root)).toMatchObject({
      type: "damaged",
      message: expect.stringMatching(/\d+ bytes of the log /),
    })
    expect((await readable(reader, root)).code).toBe("LOG_DAMAGED")
    await reader.close()
  }
  const repairing = jsonlStore({ directory })
  await owned(repairing, root, { repair: true })
  const [, ...last] = (await all(repairing.read(root))).slice(-3)
  expect(last).toMatchObject([
    { type: "event-lost", rest: true },
    { type: "log-repair", lost: 2 },
  ])
  await repairing.close()
})

test("19: a whole line that is gone is seen by the gap it leaves", async () => {
  const { directory, root } = await recordedTree()
  const log = newestLog(directory, root)
  const lines = fs.readFileSync(log, "utf8").split("\n")
  const lost = lines.findIndex((line) => line.includes(`"run":"${root}.1"`) && line.includes('"seq":5,'))
  fs.writeFileSync(log, lines.toSpliced(lost, 1).join("\n"))
  const store = jsonlStore({ directory })
  expect(await store.claim(root)).toMatchObject({
    type: "damaged",
    message: expect.stringContaining("event 5 is missing"),
  })
  expect(await readable(store, `${root}.1`)).toEqual({ seqs: upTo(5), code: "LOG_DAMAGED" })
  expect(await readable(store, root)).toEqual({ seqs: upTo(11) })
  const followed: StoredEvent[] = []
  await expect(
    each(store.follow(root, {}, new AbortController().signal), (item) => followed.push(item)),
  ).rejects.toMatchObject({ code: "LOG_DAMAGED" })
  expect(followed.length).toBe(11 + 5)
  await store.close()
})

test("19: a damaged first line, a lost root and a missing blob are refused, never a crash", async () => {
  const { directory, root } = await recordedTree()
  const log = newestLog(directory, root)
  const text = fs.readFileSync(log, "utf8")
  const store = jsonlStore({ directory })
  fs.writeFileSync(log, text.replace('"pid"', '"paw"'))
  expect(await store.claim(root)).toMatchObject({ type: "damaged" })
  expect(await store.claim(root, { repair: true })).toMatchObject({ type: "owned" })
  expect((await readable(store, root)).seqs).toEqual(upTo(11))
  fs.writeFileSync(log, text.split("\n").toSpliced(1, 1).join("\n"))
  expect(await store.claim(root)).toMatchObject({ type: "damaged" })
  expect(await store.claim(root, { repair: true })).toMatchObject({ type: "damaged" })
  fs.writeFileSync(log, "")
  expect(await store.claim(root)).toMatchObject({ type: "damaged" })
  expect((await all(store.list())).map(({ run }) => run)).toEqual([root])
  fs.writeFileSync(log, text)
  const claim = await owned(store, root, { force: true })
  await store.append(claim, [event(root, 11, { text: "long ".repeat(20_000) }), event(root, 12)])
  await store.release(claim)
  const blobs = path.join(directory, root, "blobs")
  const [blob] = fs.readdirSync(blobs)
  fs.appendFileSync(path.join(blobs, blob!), "x")
  expect(await readable(store, root)).toEqual({ seqs: upTo(11), code: "LOG_DAMAGED" })
  fs.rmSync(path.join(blobs, blob!))
  expect(await store.claim(root)).toMatchObject({ type: "damaged" })
  await owned(store, root, { repair: true })
  expect((await all(store.read(root))).map(({ type }) => type)).toEqual([
    ...upTo(11).map(() => "test"),
    "event-lost",
    "test",
    "log-repair",
  ])
  await store.close()
})

test("26: a log of a newer format is refused by its version, and unknown fields of this one are kept", async () => {
  const directory = fs.mkdtempSync(path.join(base, "version-"))
  const root = writeLog(directory, [JSON.stringify({ cadre: 7, form: "another" }), '{"anything":"else"}'])
  const store = jsonlStore({ directory })
  for (const refused of [() => store.claim(root), () => all(store.read(root)), () => store.remove(root)])
    await expect(refused()).rejects.toMatchObject({
      code: "LOG_VERSION",
      message: expect.stringContaining("version 7"),
    })
  expect((await all(store.list())).map(({ run }) => run)).toEqual([root])
  const known = newRun()
  writeLog(
    directory,
    [
      writeHeaderLine({ cadre: 1, epoch: 1, owner: null, ...{ added: "later" } }),
      seal(JSON.stringify(event(known, 0, { unknown: { kept: true } }))),
    ],
    known,
  )
  await owned(store, known)
  expect(fs.readFileSync(newestLog(directory, known), "utf8")).toContain('"added":"later"')
  expect(await all(store.read(known))).toEqual([event(known, 0, { unknown: { kept: true } })])
  await store.close()
})

test("29: a crafted log is data, within limits", async () => {
  const directory = fs.mkdtempSync(path.join(base, "crafted-"))
  const header = writeHeaderLine({ cadre: 1, epoch: 1, owner: null })
  const root = newRun()
  const first = seal(JSON.stringify(event(root, 0)))
  const hash = await jsonlStore({ directory }).putBlob(root, "polluted")
  const crafted: Record<string, string> = {
    constructor: seal('{"lc":2,"type":"constructor","id":["os","system"]}'),
    "another tree": seal(JSON.stringify(event(newRun(), 1))),
    "a path": seal(JSON.stringify(event("../../x", 1))),
    "a number that is none": seal(`{"run":"${root}","seq":1e999,"at":1,"v":1,"type":"x"}`),
    "a list": seal("[1,2,3]"),
    "a blob at a prototype": seal(
      `{"packed":[[["__proto__","polluted"],"${hash}"]],"value":${JSON.stringify(event(root, 1))}}`,
    ),
    "a blob outside": seal(
      `{"packed":[[["text"],"../../../etc/passwd"]],"value":${JSON.stringify(event(root, 1))}}`,
    ),
  }
  for (const [name, line] of Object.entries(crafted)) {
    writeLog(directory, [header, first, line, seal(JSON.stringify(event(root, 1)))], root)
    const store = jsonlStore({ directory })
    const claim = await store.claim(root)
    if (isRefusal(claim)) expect(claim, name).toMatchObject({ type: "damaged" })
    const { seqs, code } = await readable(store, root)
    expect([seqs[0], code], name).toEqual([0, "LOG_DAMAGED"])
    await store.close()
    fs.rmSync(path.join(directory, root), { recursive: true })
    await jsonlStore({ directory }).putBlob(root, "polluted")
  }
  expect(({} as { polluted?: unknown }).polluted).toBe(undefined)
  const owner = {
    pid: -1,
    start: "1",
    boot: "b",
    machine: "m",
    namespace: "n",
    host: "h",
    socket: "s",
    place: "p",
    nonce: "n",
  }
  writeLog(directory, [writeHeaderLine({ cadre: 1, epoch: 1, owner }), first], root)
  const store = jsonlStore({ directory })
  expect(await store.claim(root, { force: true })).toMatchObject({ type: "damaged" })
  await store.close()
})

test("29: a line of a hundred megabytes does not fill the memory", async () => {
  const directory = fs.mkdtempSync(path.join(base, "huge-"))
  const root = newRun()
  writeLog(
    directory,
    [writeHeaderLine({ cadre: 1, epoch: 1, owner: null }), seal(JSON.stringify(event(root, 0)))],
    root,
  )
  const log = newestLog(directory, root)
  fs.truncateSync(log, fs.statSync(log).size + 100_000_000)
  fs.appendFileSync(log, `\n${seal(JSON.stringify(event(root, 1)))}`)
  const before = process.memoryUsage.rss()
  const store = jsonlStore({ directory })
  expect(await store.claim(root)).toMatchObject({
    type: "damaged",
    message: expect.stringContaining("too long"),
  })
  expect(process.memoryUsage.rss() - before).toBeLessThan(50_000_000)
  await owned(store, root, { repair: true })
  await store.close()
})

test("229: whatever a crash left half done is put right by the next claim", async () => {
  const { directory, root } = await recordedTree()
  const folder = path.join(directory, root)
  const log = newestLog(directory, root)
  const epoch = Number(/\d+/.exec(path.basename(log))![0])
  fs.writeFileSync(path.join(folder, `temporary.${epoch}.left`), "half a head")
  fs.writeFileSync(path.join(folder, `temporary.${epoch + 1}.left`), "half a head")
  fs.copyFileSync(log, path.join(folder, `log.${epoch - 1}.jsonl`))
  fs.mkdirSync(path.join(directory, newRun()))
  const store = jsonlStore({ directory })
  expect((await all(store.list())).map(({ run }) => run)).toEqual([root])
  await owned(store, root)
  expect((await readable(store, root)).seqs).toEqual(upTo(11))
  const sizes = fs.readdirSync(folder).map((name) => [name, fs.statSync(path.join(folder, name)).size > 0])
  expect(Object.fromEntries(sizes)).toEqual({
    extent: true,
    "inbox.jsonl": false,
    ...Object.fromEntries(upTo(epoch).map((index) => [`log.${index + 1}.jsonl`, false])),
    [`log.${epoch + 1}.jsonl`]: true,
  })
  await store.close()
})

test("227: a removal that a crash cut short is finished by the next one", async () => {
  const { directory, root } = await recordedTree()
  const epoch = Number(/\d+/.exec(path.basename(newestLog(directory, root)))![0])
  const removed = writeHeaderLine({ cadre: 1, epoch: epoch + 1, owner: null, removed: true })
  fs.writeFileSync(path.join(directory, root, `log.${epoch + 1}.jsonl`), removed)
  const store = jsonlStore({ directory })
  expect([await all(store.list()), await all(store.read(root))]).toEqual([[], []])
  expect(await store.claim(root)).toEqual({ type: "unknown-run" })
  expect(await store.remove(root)).toBe("removed")
  expect(fs.readdirSync(directory)).toEqual([])
  await store.close()
})

/** A released tree: its root and one child with events 0 to 10 each, the last four in two appends. */
async function recordedTree(
  directory = fs.mkdtempSync(path.join(base, "tree-")),
): Promise<{ directory: string; root: string }> {
  const store: Store = jsonlStore({ directory })
  const root = newRun()
  await store.create(event(root, 0))
  const claim = await owned(store, root)
  await store.create(event(`${root}.1`, 0))
  for (let seq = 1; seq <= 8; seq++) {
    await store.append(claim, [event(root, seq, { text: `${seq}` })])
    await store.append(claim, [event(`${root}.1`, seq)])
  }
  await store.append(claim, [event(`${root}.1`, 9), event(`${root}.1`, 10)])
  await store.append(claim, [event(root, 9), event(root, 10)])
  await store.close()
  return { directory, root }
}

const upTo = (end: number): number[] => Array.from({ length: end }, (_, index) => index)

function newestLog(directory: string, root: string): string {
  const folder = path.join(directory, root)
  const epochs = fs.readdirSync(folder).flatMap((name) => /^log\.(\d+)\.jsonl$/.exec(name)?.[1] ?? [])
  return path.join(folder, `log.${Math.max(...epochs.map(Number))}.jsonl`)
}

function writeLog(directory: string, lines: readonly string[], root = newRun()): string {
  fs.mkdirSync(path.join(directory, root), { recursive: true })
  const text = lines.map((line) => (line.endsWith("\n") ? line : `${line}\n`)).join("")
  fs.writeFileSync(path.join(directory, root, "log.1.jsonl"), text)
  return root
}

function lineStarts(bytes: Buffer): number[] {
  const starts = [0]
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) starts.push(at + 1)
  return starts.slice(0, -1)
}

/** The seqs of a run in the whole appends of a cut log: `+` after the sum says that an append goes on. */
function appendsIn(bytes: Buffer, run: string): number[] {
  const lines = bytes.toString().split("\n").slice(1, -1)
  const seqs: number[] = []
  let open: number[] = []
  for (const line of lines) {
    const value = JSON.parse(line) as StoredEvent & { crc: string }
    if (value.run === run) open.push(value.seq)
    if (value.crc.endsWith("+")) continue
    seqs.push(...open)
    open = []
  }
  return seqs
}

async function each<Item>(items: AsyncIterable<Item>, visit: (item: Item) => void): Promise<void> {
  for await (const item of items) visit(item)
}
