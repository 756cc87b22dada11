import { mkdtempSync, rmSync } from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import { createHookSource } from "../../src/definitions/lifecycle/source.ts"
import type { Json } from "../../src/ground/message.ts"
import type { RuntimeParts } from "../../src/run/face/runtime.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { createBashTool } from "../../src/world/tools/bash.ts"
import { collect, stateOf, tool, world } from "../kit.ts"
import { answers, momentEnd } from "./moments-kit.ts"

export let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "cadre-moments-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Options {
  readonly script?: ModelScript
  /** Hooks of the definition of `lead`. */
  readonly own?: Json
  readonly runtime?: Partial<RuntimeParts>
}

/** A run under hooks that are written down. */
export async function run(hooks: Json, { script = { lead: answers(9) }, own, runtime }: Options = {}) {
  const agents = Object.keys(script).map(
    (name): AgentInput => ({ name, instructions: "x", ...(own && name === "lead" && { hooks: own }) }),
  )
  const opened = world({
    agents,
    script,
    tools: [createBashTool({ root: folder, sandbox: "off" }), tool("Note", () => "noted")],
    runtime: { lifecycle: createHookSource([{ name: "project", of: "project", hooks }]), ...runtime },
  })
  const handle = opened.runtime.run("lead", "go", { cwd: folder })
  const events = await collect(handle)
  const result = await handle.done
  const state = await stateOf(opened.store, handle.id)
  return {
    id: handle.id,
    result,
    state,
    told: [...state.messages].flatMap(({ role, text }) => (role === "user" ? [text] : [])),
    ends: events.flatMap(momentEnd),
    agents: events.flatMap((event) => (event.type === "run-start" ? [event.agent] : [])),
  }
}
