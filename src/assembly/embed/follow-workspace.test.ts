import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { claimsOf } from "../../definitions/authority/claims.ts"
import { TrustStore } from "../../definitions/authority/trust.ts"
import { openWorkspace } from "../../definitions/registry/workspace.ts"
import { followWorkspace } from "./follow-workspace.ts"

let base: string
let root: string
let home: string

beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-follow-")))
  root = path.join(base, "work")
  home = path.join(base, "home")
  write(
    definition(),
    "---\nname: far\nmodel_config: {model: m, endpoint: 'https://far.example/v1'}\ntools: [read_file]\n---\nDo it.\n",
  )
  write(path.join(root, ".cadre/config.yaml"), "model: theirs\n")
  write(path.join(home, ".config/cadre/config.yaml"), "model: mine\n")
})
afterEach(() => fs.rmSync(base, { recursive: true, force: true }))

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
}

const definition = () => path.join(root, ".codex/agents/far.md")

const environment = (state: string) => ({ HOME: home, CADRE_STATE_DIR: state })

function follow(trust: "kept" | "workspace", state = path.join(base, "state")) {
  const {
    agents,
    configuration,
    prompts: _,
    hookSets: none,
    workflows: noneEither,
    definitions,
    ...rest
  } = followWorkspace({
    root,
    trust,
    home,
    environment: environment(state),
  })
  expect([none, noneEither]).toEqual([[], []])
  expect(definitions(root)).toContain(definition())
  return {
    names: [...agents.names()].filter((name) => agents.find(name)?.origin.scope !== "built-in"),
    model: configuration.model,
    ...rest,
  }
}

test.each([
  ["kept", "nobody", { names: [], model: "mine", endpoints: [], packagesFrom: ".config" }],
  ["kept", "all", { names: ["far"], model: "theirs", endpoints: ["far"], packagesFrom: ".config" }],
  // Vouched for is not seen: no key goes to a host that only a file names.
  ["workspace", "nobody", { names: ["far"], model: "theirs", endpoints: [], packagesFrom: "work" }],
] as const)("with trust %s, and %s trusted by the person", (trust, trusted, expected) => {
  const state = path.join(base, "state")
  const claims = claimsOf(openWorkspace({ cwd: root, home, environment: environment(state) }), root)
  if (trusted === "all") new TrustStore(state).grant(root, claims, home)
  const { reach, ...followed } = follow(trust)
  expect(typeof reach).toBe("function")
  expect(followed).toEqual({
    names: expected.names,
    model: expected.model,
    skills: new Map(),
    endpoints: expected.endpoints.map((host) => `https://${host}.example/v1`),
    packagesFrom: expected.packagesFrom === "work" ? root : path.join(home, ".config/cadre"),
    places: { protect: [definition()], hidden: [path.join(home, ".config/cadre"), state] },
  })
})

test("cadre's own folders are protected where they lie in the folder, behind links, too", () => {
  const state = path.join(root, "state")
  fs.mkdirSync(state)
  const link = path.join(base, "link")
  fs.symlinkSync(state, link)
  for (const named of [state, link])
    expect(follow("kept", named).places).toEqual({
      protect: [state, definition()],
      hidden: [path.join(home, ".config/cadre")],
    })
})
