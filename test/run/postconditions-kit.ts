import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach } from "vitest"
import { type AgentInput, defineAgent } from "../../src/agent/agent.ts"
import type { Postcondition } from "../../src/agent/postcondition.ts"
import type { Tool } from "../../src/agent/tool.ts"
import { createRuntime, type RuntimeOptions } from "../../src/assembly/create-runtime.ts"
import type { RunResult } from "../../src/run/drive/proof.ts"
import { type ModelScript, scriptedModel } from "../../src/world/models/scripted.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { builtInTools } from "../../src/world/tools/built-in.ts"

export let root: string

beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-post-")))
})

afterEach(() => fs.rmSync(root, { recursive: true, force: true }))

export const inRoot = (name: string) => path.join(root, name)
export const put = (name: string, text = "x") => fs.writeFileSync(inRoot(name), text)

/** A runtime on the real tools, in a folder of its own. */
export function runtimeOf(
  postconditions: readonly Postcondition[],
  parts: {
    script?: ModelScript
    agent?: Partial<AgentInput>
    tools?: readonly Tool[]
    options?: Partial<RuntimeOptions>
  } = {},
) {
  const store = memoryStore()
  const agent = { name: "a", instructions: "x", postconditions, ...parts.agent }
  const runtime = createRuntime({
    store,
    agents: [defineAgent(agent)],
    tools: [...builtInTools({ root }), ...(parts.tools ?? [])],
    models: { script: scriptedModel(parts.script ?? { a: [{ text: "done" }, { text: "done again" }] }) },
    ...parts.options,
  })
  return { runtime, store, run: () => runtime.run("a", "go", { cwd: root }) }
}

/** What a run came to, and what was found of each of its postconditions. */
export const found = ({ outcome, postconditions = [] }: RunResult) => ({
  outcome: outcome?.type,
  found: postconditions.map(({ holds, problem, refused }) =>
    holds ? "holds" : refused ? `refused: ${problem}` : problem,
  ),
})

export const write = (name: string, content: string) => ({
  tool: "Write",
  input: { file_path: inRoot(name), content },
})
