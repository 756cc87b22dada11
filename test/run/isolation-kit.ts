import type { AgentInput } from "../../src/agent/agent.ts"
import type { RuntimeParts } from "../../src/run/face/runtime.ts"
import type { Store } from "../../src/run/log/store.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { createBashTool } from "../../src/world/tools/bash.ts"
import { createFileTools } from "../../src/world/tools/files.ts"
import { createWorktreeIsolation } from "../../src/world/worktree/isolation.ts"
import { temporaryRepository } from "../git-kit.ts"
import { stateOf, world } from "../kit.ts"

export const call = (tool: string, input: object) => ({ tool, input })
export const delegate = (agent: string, more = {}) => call("Agent", { agent, prompt: `as ${agent}`, ...more })
export const write = (file: string, content: string) => call("Write", { file_path: file, content })
export const agent = (name: string, more: Partial<AgentInput> = {}): AgentInput => ({
  name,
  instructions: `You are ${name}.`,
  ...more,
})
export const apart = (name: string, more: Partial<AgentInput> = {}) =>
  agent(name, { isolation: "worktree", ...more })

/** A runtime whose workspace is a repository. */
export function isolated(
  script: ModelScript,
  agents: readonly AgentInput[],
  {
    files,
    root = (top: string) => top,
    runtime = {},
  }: {
    files?: Readonly<Record<string, string>>
    root?: (top: string) => string
    runtime?: Partial<RuntimeParts> | ((top: string) => Partial<RuntimeParts>)
  } = {},
) {
  const { top, worktrees } = temporaryRepository(files)
  const workspace = root(top)
  const opened = world({
    script,
    agents,
    tools: [...createFileTools({ root: workspace }), createBashTool({ root: workspace })],
    runtime: {
      isolation: createWorktreeIsolation(worktrees),
      ...(typeof runtime === "function" ? runtime(top) : runtime),
    },
  })
  return { ...opened, top, worktrees, workspace }
}

/** Where a run has its worktree. */
export const placeOf = async (store: Store, run: string): Promise<string> =>
  (await stateOf(store, run)).start!.isolation!.path

export const typesOf = async (store: Store, run: string): Promise<readonly string[]> => {
  const types: string[] = []
  for await (const event of store.read(run)) types.push(event.type)
  return types
}
