import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createRunId } from "../../src/run/log/id.ts"
import { isRefusal, type StoredEvent } from "../../src/run/log/store.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { dispatched } from "../dispatch-kit.ts"
import { runStart } from "../run-start.ts"

let state: string
beforeEach(() => {
  state = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-repair-"))
})
afterEach(() => fs.rmSync(state, { recursive: true, force: true }))

/** A root and a child, both begun and open; each word is a run and the number of its event. */
async function recorded(...words: readonly string[]): Promise<{ root: string; log: string }> {
  const root = createRunId(Date.now())
  const store = jsonlStore({ directory: path.join(state, "runs") })
  const first = (run: string) => ({ run, seq: 0, at: 0, v: 2, ...runStart }) as unknown as StoredEvent
  await store.create(first(root))
  const claim = await store.claim(root)
  if (isRefusal(claim)) throw new Error(claim.type)
  await store.create(first(`${root}.1`))
  for (const word of words) {
    const run = word.startsWith("child") ? `${root}.1` : root
    const seq = Number(/[0-9]+$/.exec(word)![0])
    await store.append(claim, [{ run, seq, at: seq, v: 2, type: "test" } as StoredEvent], { sync: true })
  }
  await store.close()
  return { root, log: path.join(state, "runs", root, "log.2.jsonl") }
}

/** Overwrites forty bytes around the end of a line, which counts from the header on. */
function burst(log: string, line: number): void {
  const bytes = fs.readFileSync(log)
  const ends = [...bytes.keys()].filter((at) => bytes[at] === 10)
  bytes.fill(0, ends[line]! - 20, ends[line]! + 20)
  fs.writeFileSync(log, bytes)
}

/** Makes another run of the one that the last line is of. */
function misname(log: string, from: string, to: string): void {
  const text = fs.readFileSync(log, "utf8")
  const at = text.lastIndexOf(`"run":"${from}"`)
  fs.writeFileSync(log, `${text.slice(0, at)}"run":"${to}"${text.slice(at + `"run":"${from}"`.length)}`)
}

async function mended(root: string): Promise<Record<"root" | "child", readonly unknown[]>> {
  const store = jsonlStore({ directory: path.join(state, "runs") })
  expect(isRefusal(await store.claim(root, { repair: true }))).toBe(false)
  const types = async (run: string) => {
    const found: unknown[] = []
    for await (const event of store.read(run))
      found.push((event as { rest?: true }).rest ? `${event.type} and the rest` : event.type)
    return found
  }
  const result = { root: await types(root), child: await types(`${root}.1`) }
  await store.close()
  return result
}

test("two lines that became one: the end of a run may have been in it, though a gap tells of another", async () => {
  const { root, log } = await recorded("child1", "root1", "child2")
  burst(log, 3)
  expect(await mended(root)).toEqual({
    root: ["run-start", "event-lost and the rest", "log-repair"],
    child: ["run-start", "event-lost", "test"],
  })
})

test.each([
  ["a run that is not there", (root: string) => root.replace(/..$/, "zz")],
  ["another run of the tree", (root: string) => `${root}.1`],
])("a last line that names %s: it may be of any run that is not told of behind it", async (_, to) => {
  const { root, log } = await recorded("child1", "child2", "child3", "root1")
  burst(log, 3)
  misname(log, root, to(root))
  expect(await mended(root)).toEqual({
    root: ["run-start", "event-lost and the rest", "log-repair"],
    child: ["run-start", "event-lost", "event-lost", "test", "event-lost and the rest"],
  })
})

test.each(["", ".1"])("a line that names no run of the tree is shown with every run%s", async (below) => {
  const { root, log } = await recorded("root1", "child1", "root2", "child2")
  const text = fs.readFileSync(log, "utf8").split("\n")
  const line = below === "" ? 3 : 4
  text[line] = text[line]!.replace(
    `"${root}${below}"`,
    `"${below === "" ? root.replace(/..$/, "zz") : `${root}.7`}"`,
  )
  fs.writeFileSync(log, text.join("\n"))
  const shown = await dispatched(["log", `${root}${below}`, "--events"], {
    directory: state,
    environment: { CADRE_STATE_DIR: state, HOME: state },
  })
  expect(shown).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/run-start[\s\S]*DAMAGED[\s\S]*test/),
  })
})
