import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { naming } from "../../../../test/naming.ts"
import { directory, event } from "../../../../test/stores/heads-kit.ts"
import { CadreError } from "../../../ground/errors.ts"
import { createRunId } from "../../../run/log/id.ts"
import type { RunQuery, StoredEvent } from "../../../run/log/store.ts"
import { indexFile } from "./head-index.ts"
import { createUnreadableHead, listRoots } from "./list-roots.ts"
import type { TreePlace } from "./place.ts"
import { TreeIndex } from "./tree-index.ts"
import type { IndexedLog } from "./view.ts"

const roots = [1, 2, 3].map((at) => createRunId(1_700_000_000_000 + at))
const [oldest, middle, newest] = roots as [string, string, string]

function logOf(root: string, ...events: readonly object[]): IndexedLog {
  const index = new TreeIndex(root)
  for (const [seq, more] of [{ type: "run-start", agent: "a" }, ...events].entries())
    index.add({ ...event(root, seq, more) } as StoredEvent, seq, 1)
  return { epoch: 1, index, mark: { epoch: 1, size: 1, modified: 1 } }
}

const ended = { type: "run-end", outcome: "completed" }

/** The listed roots, and those whose log was read. */
async function list(
  query: RunQuery,
  look: (root: string) => IndexedLog | undefined = (root) => logOf(root),
  names: readonly string[] = roots,
) {
  for (const name of names) fs.mkdirSync(path.join(directory, name), { recursive: true })
  const read: string[] = []
  const found: string[] = []
  const heads = listRoots(
    directory,
    query,
    (root) => ({ root }) as TreePlace,
    async ({ root }) => {
      read.push(root)
      return look(root)
    },
  )
  for await (const { run, damage } of heads) found.push(damage === undefined ? run : `${run}: ${damage}`)
  return { found, read }
}

test("roots are listed, newest first, and nothing else in the folder is", async () => {
  const names = [...roots, `${oldest}.1`, "keys", "UPPER"]
  const all = [newest, middle, oldest]
  expect(await list({}, undefined, names)).toEqual({ found: all, read: all })
})

test.each<[number, readonly string[]]>([
  [1, [newest]],
  [2, [newest, middle]],
  [3, [newest, middle, oldest]],
])("a limit of %d reads no more logs than it lists", async (limit, expected) => {
  expect(await list({ limit })).toEqual({ found: expected, read: expected })
})

test("roots that do not match the query do not count for the limit", async () => {
  const look = (root: string) => (root === newest ? logOf(root, ended) : logOf(root))
  expect(await list({ status: "open", limit: 1 }, look)).toEqual({ found: [middle], read: [newest, middle] })
})

test("a log that disappeared is left out, and one without a first event is listed as unreadable", async () => {
  const look = (root: string) => {
    if (root === newest) return undefined
    return root === middle ? { epoch: 1, index: new TreeIndex(root) } : logOf(root)
  }
  expect((await list({}, look)).found).toEqual([naming(`${middle}`, "event", "read"), oldest])
})

test.each<[string, Error, boolean]>([
  ["an error of the store", new CadreError("LOG_VERSION", "too new"), true],
  ["EACCES", Object.assign(new Error("too new"), { code: "EACCES" }), true],
  ["EPERM", Object.assign(new Error("too new"), { code: "EPERM" }), true],
  ["EIO", Object.assign(new Error("too new"), { code: "EIO" }), true],
  ["EISDIR", Object.assign(new Error("too new"), { code: "EISDIR" }), true],
  ["EMFILE", Object.assign(new Error("too new"), { code: "EMFILE" }), false],
  ["another error", new TypeError("too new"), false],
])("a log that cannot be read is listed, other failures are thrown: %s", async (_, error, isListed) => {
  const listed = list({}, (root) => {
    if (root === middle) throw error
    return logOf(root)
  })
  if (isListed) expect((await listed).found).toEqual([newest, `${middle}: too new`, oldest])
  else await expect(listed).rejects.toBe(error)
})

test("heads of ended trees are kept for the next list, if their log did not change", async () => {
  const look = (root: string) => {
    const { mark: _, ...unmarked } = logOf(root, ended)
    if (root === newest) return unmarked
    return root === middle ? logOf(root, ended) : logOf(root)
  }
  await list({}, look)
  const kept = fs.readFileSync(indexFile(directory), "utf8")
  expect(roots.map((root) => kept.includes(root))).toEqual([false, true, false])
})

test("a list that is left early keeps the heads that it has read", async () => {
  await list({ limit: 1 }, (root) => logOf(root, ended))
  const kept = fs.readFileSync(indexFile(directory), "utf8")
  expect(roots.map((root) => kept.includes(root))).toEqual([false, false, true])
})

test("the head of an unreadable log has the time of its id", () => {
  expect(createUnreadableHead(newest)).toEqual({
    run: newest,
    agent: "",
    startedAt: 1_700_000_000_003,
    updatedAt: 1_700_000_000_003,
    status: "open",
    turns: 0,
    children: 0,
    usage: { own: {}, inclusive: {} },
    tree: { runs: 1, open: 1 },
    damage: expect.stringMatching(/event.*read/),
  })
  expect(createUnreadableHead(oldest, "gone").damage).toBe("gone")
})
