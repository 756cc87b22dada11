import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import type { StoredEvent } from "../../src/run/log/store.ts"
import { storeWith } from "../crash/store-with.ts"
import { executing } from "./kit.ts"

test("cut after every event, a run that a program does comes to its right end, and the program never runs twice", async () => {
  const whole = executing({ once: {} })
  const { run } = await whole.start("once", "Go.").done
  const log: StoredEvent[] = []
  for await (const event of whole.store.read(run)) log.push(event)
  const ends: string[] = []
  for (let length = 1; length < log.length; length++) {
    const store = await storeWith(log.slice(0, length), whole.store)
    const ran = path.join(whole.folder, "ran.txt")
    fs.rmSync(ran, { force: true })
    const { outcome, output } = await executing(
      { once: { command: [process.execPath, path.join(whole.folder, "stand-in.mjs"), "once"] } },
      undefined,
      { store },
    ).runtime.resume(run).done
    const times = fs.existsSync(ran) ? fs.readFileSync(ran, "utf8").trim().split("\n").length : 0
    ends.push(`${log[length - 1]!.type}: ${outcome!.type} ${JSON.stringify(output)}, ran ${times} times`)
  }
  expect(ends).toEqual([
    'run-start: completed "ran", ran 1 times',
    'plan-end: completed "ran", ran 1 times',
    'tool-start: uncertain "", ran 0 times',
    'changes-seen: uncertain "", ran 0 times',
    'tool-end: completed "ran", ran 0 times',
    'plan-end: completed "ran", ran 0 times',
  ])
})
