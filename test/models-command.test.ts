import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { dispatched } from "./dispatch-kit.ts"

let base = ""
beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-models-")))
  fs.mkdirSync(path.join(base, "work", ".git"), { recursive: true })
})
afterEach(() => fs.rmSync(base, { recursive: true, force: true }))

/** A command on a day, in this process. */
const cadre = (day: string, ...words: readonly string[]) =>
  dispatched(words, {
    directory: path.join(base, "work"),
    environment: { HOME: base, CADRE_CONFIG_DIR: path.join(base, "config"), CADRE_STATE_DIR: base },
    now: () => Date.parse(day),
  })

describe("tables that have grown old", () => {
  const doctorRow = async (day: string) => {
    const { stdout } = await cadre(day, "doctor", "--json")
    const { findings } = JSON.parse(stdout) as { findings: readonly { readonly what: string }[] }
    return findings.find(({ what }) => what === "tables of models")
  }

  test("are told by `models` and `doctor`, with what to do", async () => {
    const found = await doctorRow("2027-06-01")
    expect(found).toEqual({
      part: "Providers",
      what: "tables of models",
      state: "old",
      level: "note",
      reason: expect.stringContaining("models of anthropic (2026-11-16, 197 days ago)"),
      remedy: "Update cadre: npm install cadre@latest.",
    })
    const { reason, remedy } = found as unknown as Record<"reason" | "remedy", string>
    expect((await cadre("2027-06-01", "models", "--offline")).stdout).toContain(`${reason} ${remedy}`)
  })

  test("are not there soon after a release", async () => {
    expect(await doctorRow("2026-11-20")).toEqual({
      part: "Providers",
      what: "tables of models",
      state: "up to date",
      level: "fine",
    })
    expect((await cadre("2026-11-20", "models", "--offline")).stdout).not.toContain("Update cadre")
  })
})
