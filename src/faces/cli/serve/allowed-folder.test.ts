import fs from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { temporaryFolder } from "../../../../test/file-kit.ts"
import { openTrustStore } from "../trust/trust.ts"
import { findAllowedFolder } from "./allowed-folder.ts"

function world() {
  const root = temporaryFolder({ "work/src/a": "", "work-2/b": "", "trusted/c": "", "home/d": "" })
  const environment = { HOME: path.join(root, "home"), CADRE_STATE_DIR: path.join(root, "state") }
  const at = (name: string) => path.join(root, name)
  fs.symlinkSync(at("work-2"), at("work/link"))
  openTrustStore({ environment }).grant(at("trusted"), [], at("home"))
  return { at, allowed: (named?: string) => findAllowedFolder(at("work"), named, { environment }) }
}

describe("a host may name", () => {
  const cases: readonly (readonly [string | undefined, string])[] = [
    [undefined, "work"],
    [".", "work"],
    ["src", "work/src"],
    ["../trusted", "trusted"],
  ]
  test.each(cases)("%s", (named, folder) => {
    const { at, allowed } = world()
    expect(allowed(named)).toBe(at(folder))
  })
})

describe("a host may not name", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["the folder above", "..", "TRUST_REFUSED"],
    ["a folder with the same beginning", "../work-2", "TRUST_REFUSED"],
    ["a link that leads out", "link", "TRUST_REFUSED"],
    ["the root", "/", "TRUST_REFUSED"],
    ["a file", "src/a", "WORKSPACE_UNKNOWN"],
    ["nothing", "nowhere", "WORKSPACE_UNKNOWN"],
  ]
  test.each(cases)("%s", (_, named, code) => {
    const { allowed } = world()
    expect(() => allowed(named)).toThrowError(expect.objectContaining({ code }))
  })
})
