import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { addAllowRules } from "./add-rules.ts"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "cadre-rules-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

const file = () => path.join(folder, "config.yaml")

describe("rules that a person adds", () => {
  test.each<[name: string, before: string | undefined, after: string]>([
    ["to no file", undefined, 'permissions:\n  allow:\n    - Bash(git push)\n    - "Edit(/w/a: b)"\n'],
    [
      "below the others, with comments and order",
      "# mine\nmode: default # keep\npermissions:\n  deny: [Bash]\n  allow:\n    - Read # all\nmodel: x\n",
      '# mine\nmode: default # keep\npermissions:\n  deny: [ Bash ]\n  allow:\n    - Read # all\n    - Bash(git push)\n    - "Edit(/w/a: b)"\nmodel: x\n',
    ],
    [
      "to a list in one line",
      "permissions: { allow: [Read] }\n",
      'permissions: { allow: [ Read, Bash(git push), "Edit(/w/a: b)" ] }\n',
    ],
    [
      "not twice",
      'permissions: {allow: [Bash(git push),   "Edit(/w/a: b)"]}\n',
      'permissions: {allow: [Bash(git push),   "Edit(/w/a: b)"]}\n',
    ],
  ])("%s", async (_, before, after) => {
    if (before !== undefined) writeFileSync(file(), before)
    expect(await addAllowRules(folder, ["Bash(git push)", "Edit(/w/a: b)"])).toBe(file())
    expect(readFileSync(file(), "utf8")).toBe(after)
  })

  test.each([
    ["is no YAML", "permissions: [\n"],
    ["is a list", "- permissions\n"],
    ["has permissions that are no map", "permissions: [Read]\n"],
    ["has a list that is none", "permissions: { allow: Read }\n"],
  ])("leave a file alone that %s", async (_, before) => {
    writeFileSync(file(), before)
    await expect(addAllowRules(folder, ["Bash(git push)"])).rejects.toMatchObject({
      code: "CONFIGURATION_INVALID",
      message: expect.stringContaining("Bash(git push)"),
    })
    expect(readFileSync(file(), "utf8")).toBe(before)
  })
})
