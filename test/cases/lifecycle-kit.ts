import { mkdtempSync, rmSync } from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, expect } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import { createHookSource } from "../../src/definitions/lifecycle/source.ts"
import type { Json } from "../../src/ground/message.ts"
import type { RuntimeParts } from "../../src/run/face/runtime.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { createBashTool } from "../../src/world/tools/bash.ts"
import { collect, results, stateOf, tool, world } from "../kit.ts"

export let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "cadre-hooks-"))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
  expect(Object.keys(Object.prototype)).toEqual([])
})

export const note = (text: string) => ({ calls: [{ tool: "Note", input: { text } }] })

/** A run under hooks whose only tool notes what it is told, beside the one for commands. */
export async function run(
  hooks: Json,
  {
    script = { lead: [note("hello"), { text: "done" }] },
    agents = [{ name: "lead", instructions: "x" }],
    variables = {},
    runtime = {},
  }: {
    script?: ModelScript
    agents?: readonly AgentInput[]
    variables?: { readonly [name: string]: Json }
    runtime?: Partial<RuntimeParts>
  } = {},
) {
  const noted: string[] = []
  const { runtime: opened, store } = world({
    agents,
    script,
    tools: [
      createBashTool({ root: folder, sandbox: "off" }),
      tool("Note", (input, { agent }) => {
        noted.push(`${agent}: ${input.text}`)
        return "noted"
      }),
    ],
    runtime: { lifecycle: createHookSource([{ name: "project", of: "project", hooks }]), ...runtime },
  })
  const handle = opened.run("lead", "go", { cwd: folder, variables })
  const events = await collect(handle)
  return { noted, events, results: await results(store, handle.id), state: await stateOf(store, handle.id) }
}
