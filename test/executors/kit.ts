import fs from "node:fs"
import path from "node:path"
import { type AgentInput, defineAgent } from "../../src/agent/agent.ts"
import type { ExecutorSettings, Executors } from "../../src/agent/executor.ts"
import { createRuntime, type RuntimeOptions } from "../../src/assembly/create-runtime.ts"
import type { RunOptions } from "../../src/run/face/runtime.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { markerName } from "../../src/world/sandbox/child-environment.ts"
import { findMarkedProcesses } from "../../src/world/sandbox/processes.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { temporaryFolder } from "../file-kit.ts"

/** A workspace with the stand-in in it, and a runtime whose executors are named by what they do. */
export function executing(
  executors: Readonly<Record<string, Partial<ExecutorSettings> & { words?: readonly string[] }>>,
  agents: readonly AgentInput[] = Object.keys(executors).map((name) => by(name)),
  options: Partial<RuntimeOptions> & { script?: ModelScript } = {},
) {
  const { script = {}, ...more } = options
  const folder = temporaryFolder({
    "stand-in.mjs": fs.readFileSync(path.join(import.meta.dirname, "stand-in.mjs")),
  })
  const store = memoryStore()
  const settings: Executors = Object.fromEntries(
    Object.entries(executors).map(([name, { words = [name], ...rest }]) => [
      name,
      { command: [process.execPath, path.join(folder, "stand-in.mjs"), ...words], sandbox: "off", ...rest },
    ]),
  )
  const runtime = createRuntime({
    // Where a caller's list binds those below: what a program must be told is most there.
    delegation: "narrow",
    store,
    agents: agents.map((agent) => defineAgent(agent)),
    executors: settings,
    models: { script: scriptedModel(script) },
    ...more,
  })
  return {
    folder,
    store,
    runtime,
    start: (agent: string, task: string, run: RunOptions = {}) =>
      runtime.run(agent, task, { cwd: folder, ...run }),
    /** What a run came to, without what it took. */
    async run(agent: string, task = "Go.", run: RunOptions = {}) {
      const { outcome, output, ...rest } = await runtime.run(agent, task, { cwd: folder, ...run }).done
      return { outcome, output, ...("value" in rest && { value: rest.value }) }
    },
  }
}

/** An agent that is run by the executor of its name. */
export const by = (executor: string, more: Partial<AgentInput> = {}): AgentInput => ({
  name: executor,
  instructions: "Be brief.",
  executor,
  ...more,
})

/** Processes that a run started and that are still there. */
export const leftBy = (run: string): readonly number[] => findMarkedProcesses(markerName, `${run}:c1`)
