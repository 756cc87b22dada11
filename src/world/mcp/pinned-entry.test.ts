import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { McpServerSettings } from "../../agent/mcp-server.ts"
import { identifyEntry, makePinnedEntry, type PinPlaces } from "./pinned-entry.ts"

let one = ""
let other = ""
beforeAll(() => {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-pinned-")))
  one = path.join(base, "one")
  other = path.join(base, "other")
  for (const folder of [one, other]) {
    fs.mkdirSync(path.join(folder, "tools"), { recursive: true })
    fs.writeFileSync(path.join(folder, "server.mjs"), "")
  }
})
afterAll(() => fs.rmSync(path.dirname(one), { recursive: true, force: true }))

const script: McpServerSettings = { command: "node", args: ["server.mjs"] }
const package_: McpServerSettings = { command: "npx", args: ["-y", "some-server"] }
const address: McpServerSettings = { url: "https://mcp.example.com/mcp" }

interface Case {
  readonly settings: McpServerSettings
  readonly owner: "user" | "project"
  /** The folder of the file that has the entry, below the project. */
  readonly below?: string
}

const identity = (project: string, { settings, owner, below }: Case, places?: PinPlaces) =>
  identifyEntry(
    makePinnedEntry(
      { settings, owner, ...(below !== undefined && { folder: path.join(project, below) }) },
      places ?? { root: project, trusted: { root: project } },
    ),
  )

test.each<[string, Case, "one server" | "two servers"]>([
  ["a script of the project, in a project's file", { settings: script, owner: "project" }, "two servers"],
  ["a script of the workspace, in the user's file", { settings: script, owner: "user" }, "two servers"],
  ["a program that a project's file names", { settings: package_, owner: "project" }, "two servers"],
  ["a program without files of the workspace", { settings: package_, owner: "user" }, "one server"],
  ["an address in the user's file", { settings: address, owner: "user" }, "one server"],
  ["an address in a project's file", { settings: address, owner: "project" }, "one server"],
])("the same entry in two projects, %s, counts as %s", (_, entry, expected) => {
  const identities = new Set([one, other].map((project) => JSON.stringify(identity(project, entry))))
  expect(identities.size === 1 ? "one server" : "two servers").toBe(expected)
})

test("the same entry in two folders of one project is two servers", () => {
  const entry: Case = { settings: script, owner: "project" }
  expect(identity(one, { ...entry, below: "tools" })).not.toEqual(identity(one, { ...entry, below: "." }))
})

test("a runtime that knows no folder keeps one record for an entry", () => {
  expect(identity(one, { settings: script, owner: "user" }, {})).toEqual({
    command: "node",
    args: ["server.mjs"],
  })
})

test("settings that do not change the server do not change its identity", () => {
  const more: McpServerSettings = { ...package_, timeout: 5, env: { KEY: "$" + "{KEY}" }, tools: ["a"] }
  expect(identity(one, { settings: more, owner: "user" })).toEqual(
    identity(one, { settings: package_, owner: "user" }),
  )
})
