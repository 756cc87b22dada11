/** Loaded before each test file: switches the one fault on, or keeps what the file reached. */
import { createHash } from "node:crypto"
import fs from "node:fs"
import path from "node:path"
import { afterAll, expect, inject } from "vitest"

declare module "vitest" {
  export interface ProvidedContext {
    /** The number of the fault that is on. */
    fault: number
    /** Where to write what is reached; empty where that is not asked for. */
    reached: string
  }
}

/** So often no test comes to one place, unless the fault has it turn in a circle. */
const mostPasses = 20_000_000

const on = inject("fault")
const folder = inject("reached")
let passes = 0

Object.assign(globalThis, {
  __fault: (number: number): boolean => {
    if (number !== on) return false
    if (++passes > mostPasses) throw new Error("The fault was passed too often: it turns in a circle.")
    return true
  },
})

if (folder !== "")
  afterAll(() => {
    const reached = (globalThis as { __reached?: Readonly<Record<string, Uint8Array>> }).__reached ?? {}
    const file = expect.getState().testPath!
    const marks = Object.fromEntries(
      Object.entries(reached).map(([name, bytes]) => [name, [...bytes.keys()].filter((key) => bytes[key])]),
    )
    const name = `${createHash("sha1").update(file).digest("hex")}.json`
    fs.writeFileSync(path.join(folder, name), JSON.stringify({ file, marks }))
  })
