/** Faults that these cases have found. */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest"
import { naming } from "../naming.ts"
import { type SleepingMachine, sleepingMachine } from "./sleeping-machine.ts"
import { closeServers } from "./support.ts"

afterEach(closeServers)
let machine: SleepingMachine
beforeEach(() => {
  machine = sleepingMachine()
})
afterEach(() => machine.restore())

describe("what a run is made of costs it a result, and not the process or the tree", () => {
  const floating = ["tool", "hook", "tool-layer", "model-layer"].flatMap((where) => [
    `${where}:floats`,
    `${where}:floats-late`,
  ])
  test.each(floating)("105: a rejection nobody waits for: %s", async (what) => {
    expect(await inOwnProcess(what, "contained")).toEqual({
      // Node tells of it when the run may have ended already.
      faulty: what.startsWith("tool:")
        ? { type: "completed" }
        : { type: "failed", reason: naming("not awaited", ": nobody waits for this") },
      steady: { type: "completed" },
      seen: [],
    })
  })

  const gifts = ["tool:gives-unreadable", "tool:gives-big-number", "tool:gives-itself"]
  test.each([...gifts, "hook:gives-big-number"])(
    "98, 105: what cannot be read or recorded: %s",
    async (what) => {
      const directory = mkdtempSync(path.join(tmpdir(), "cadre-open-"))
      onTestFinished(() => rmSync(directory, { recursive: true }))
      expect(await inOwnProcess(what, "deaf", directory)).toMatchObject({
        faulty: { type: expect.stringMatching(/completed|denied|failed/) },
        steady: { type: "completed" },
      })
    },
  )
})

const worker = fileURLToPath(new URL("floating-worker.ts", import.meta.url))

async function inOwnProcess(...words: readonly string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", worker, ...words], {
    timeout: 25_000,
  })
  return JSON.parse(stdout)
}
