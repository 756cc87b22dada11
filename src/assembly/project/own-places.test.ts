import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openWorkspace } from "../../definitions/registry/workspace.ts"
import { findOwnPlaces } from "./own-places.ts"
import { readStanding } from "./place.ts"

let base: string
let root: string
let home: string

beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-places-")))
  root = path.join(base, "work")
  home = path.join(base, "home")
  fs.mkdirSync(path.dirname(definition()), { recursive: true })
  fs.writeFileSync(definition(), "---\nname: far\ndescription: Far.\n---\nDo it.\n")
  fs.mkdirSync(path.join(home, ".config/cadre"), { recursive: true })
})
afterEach(() => fs.rmSync(base, { recursive: true, force: true }))

const definition = () => path.join(root, ".codex/agents/far.md")
const settings = () => path.join(home, ".config/cadre")

function placesFor(state: string, directory = root) {
  const place = { directory, home, environment: { HOME: home, CADRE_STATE_DIR: state } }
  const workspace = openWorkspace({ cwd: directory, home, environment: place.environment })
  const standing = readStanding(place, workspace)
  return findOwnPlaces(place, standing, standing.root)
}

test("cadre's own folders are hidden where they lie outside", () => {
  const state = path.join(base, "state")
  expect(placesFor(state)).toEqual({ protect: [definition()], hidden: [settings(), state] })
})

test("they are protected where they lie in the project, behind links, too", () => {
  const state = path.join(root, "state")
  fs.mkdirSync(state)
  const link = path.join(base, "link")
  fs.symlinkSync(state, link)
  for (const named of [state, link])
    expect(placesFor(named)).toEqual({ protect: [state, definition()], hidden: [settings()] })
})

test("so they are before they are made, behind a link to the folder that they will lie in", () => {
  fs.symlinkSync(root, path.join(base, "link"))
  expect(placesFor(path.join(base, "link/state/cadre"))).toEqual({
    protect: [path.join(root, "state/cadre"), definition()],
    hidden: [settings()],
  })
})

test("definitions are protected where the project itself is reached by a link", () => {
  const link = path.join(base, "project")
  fs.symlinkSync(root, link)
  const state = path.join(base, "state")
  expect(placesFor(state, link)).toEqual({ protect: [definition()], hidden: [settings(), state] })
})
