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
import { collect, results, stateOf, tool, world } from "../kit.ts"

export let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "cadre-cases-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

export const bash = (command: string) => ({ tool: "Bash", input: { command } })
export const note = (text = "hello") => ({ tool: "Note", input: { text } })
export const delegate = (agent: string, more = {}) => ({
  tool: "Agent",
  input: { agent, prompt: agent, ...more },
})
export const answers = Array.from({ length: 9 }, (_, index) => ({ text: `answer ${index + 1}` }))

export async function run(
  hooks: Json,
  script: ModelScript,
  more: { readonly agents?: readonly AgentInput[]; readonly runtime?: Partial<RuntimeParts> } = {},
) {
  const noted: unknown[] = []
  const opened = world({
    script,
    ...(more.agents && { agents: more.agents }),
    tools: [
      createBashTool({ root: folder, sandbox: "off" }),
      tool("Note", ({ text }, { agent }) => {
        noted.push(`${agent}: ${text}`)
        return "noted"
      }),
    ],
    runtime: { lifecycle: createHookSource([{ name: "project", of: "project", hooks }]), ...more.runtime },
  })
  const handle = opened.runtime.run("lead", "go", { cwd: folder })
  const events = await collect(handle)
  return {
    id: handle.id,
    noted,
    events,
    result: await handle.done,
    results: await results(opened.store, handle.id),
    state: await stateOf(opened.store, handle.id),
  }
}

export const once: ModelScript = { lead: [{ calls: [note()] }, { text: "done" }] }
