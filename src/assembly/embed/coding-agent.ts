import { realpathSync, statSync } from "node:fs"
import path from "node:path"
import { type Agent, type AgentSource, defineAgent } from "../../agent/agent.ts"
import type { Mode } from "../../definitions/authority/mode.ts"
import { ownToolsAbsent } from "../../definitions/configuration/own-tools.ts"
import { settingPlace } from "../../definitions/configuration/setting-place.ts"
import type { WorkspaceOptions } from "../../definitions/registry/workspace.ts"
import { CadreError } from "../../ground/errors.ts"
import { type KnownOptions, requireKnownOptions } from "../../ground/options.ts"
import type { RunHandle } from "../../run/face/handle.ts"
import type { RunOptions, Runtime } from "../../run/face/runtime.ts"
import { executorTools } from "../../world/executors/tool.ts"
import { type BuiltInToolOptions, builtInTools } from "../../world/tools/built-in.ts"
import { createRuntime, type RuntimeOptions, runtimeOptions } from "../create-runtime.ts"
import { followWorkspace } from "./follow-workspace.ts"

export interface CodingAgentOptions
  extends Omit<RuntimeOptions, "agents" | "mode" | "configuration">,
    Omit<WorkspaceOptions, "cwd">,
    Pick<BuiltInToolOptions, "sandbox" | "network"> {
  /** The folder it works in: nothing outside of it is written. */
  readonly workDir: string
  /** Whom it may hand work to. Default: what files around `workDir` and of the person define, as far as `trust` goes. */
  readonly registry?: AgentSource | readonly Agent[]
  /**
   * Which of the project's own agents, settings and skills are followed. `kept` (default): those that the person trusted
   * with `cadre trust`, as they were then. `workspace`: all, because this program vouches for the folder.
   */
  readonly trust?: "kept" | "workspace"
  /** Levels of agents below it. Default: 3. */
  readonly maxDepth?: number
  /** How much is asked before something is done. Default: as the configuration has it, and that asks before it changes anything. */
  readonly mode?: Mode
  /** In place of what a coding agent is usually told. */
  readonly instructions?: string
}

/** An agent that is ready to work on the code in a folder. */
export interface CodingAgent {
  readonly agent: Agent
  readonly runtime: Runtime
  run(task: string, options?: RunOptions): RunHandle
  close(): Promise<void>
}

/** A coding agent for a folder, with the built-in tools and with subagents to hand work to. */
export function codingAgent(options: CodingAgentOptions): CodingAgent {
  requireKnownOptions("codingAgent", options, codingAgentOptions)
  const root = folderAt(options.workDir)
  const { trust = "kept", instructions = instructionsFor(root), home, environment, ...others } = options
  const { registry, builtInAgents, maxDepth, sandbox, network, workDir: _, ...given } = others
  const tools = (given.tools ?? []).map(({ name }) => name)
  const followed = followWorkspace({ root, trust, home, environment, builtInAgents, tools })
  const { configuration } = followed
  const agent = defineAgent({ name: "coding-agent", instructions })
  const runtime = createRuntime({
    packagesFrom: followed.packagesFrom,
    prompts: followed.prompts,
    reach: followed.reach,
    ...given,
    agents: registry ?? followed.agents,
    configuration,
    endpoints: [...followed.endpoints, ...(given.endpoints ?? [])],
    hookSets: [...followed.hookSets, ...(given.hookSets ?? [])],
    workflows: [...followed.workflows, ...(given.workflows ?? [])],
    limits: { ...given.limits, ...(maxDepth !== undefined && { maxDepth }) },
    mode: { type: given.mode ?? configuration.mode, root },
    tools: [
      ...builtInTools({
        root,
        ...followed.places,
        definitions: followed.definitions,
        skills: followed.skills,
        sandbox: sandbox ?? configuration.sandbox,
        network: network ?? configuration.network,
      }),
      ...executorTools({
        executors: { ...configuration.executors, ...given.executors },
        root,
        ...followed.places,
        definitions: followed.definitions,
        sandbox: sandbox ?? configuration.sandbox,
        network: network ?? configuration.network,
      }),
      ...(given.tools ?? []),
    ],
    absentTools: withoutGiven(
      { ...ownToolsAbsent(configuration), ...absent, ...given.absentTools },
      given.tools ?? [],
    ),
    settingPlace: ({ setting }) => (setting === undefined ? undefined : settingPlace(configuration, setting)),
  })
  return {
    agent,
    runtime,
    run: (task, run) => runtime.run(agent, task, { cwd: root, ...run }),
    close: () => runtime.close(),
  }
}

const { agents: _, configuration: __, ...ofRuntimes } = runtimeOptions
const codingAgentOptions: KnownOptions<CodingAgentOptions> = {
  ...ofRuntimes,
  workDir: "known",
  registry: "known",
  trust: "known",
  maxDepth: "known",
  instructions: "known",
  home: "known",
  environment: "known",
  builtInAgents: "known",
  sandbox: "known",
  network: "known",
}

const withoutGiven = (
  absent: Readonly<Record<string, string>>,
  tools: readonly { readonly name: string }[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(absent).filter(([name]) => !tools.some((tool) => tool.name === name)))

/** Many definitions name these; without them they still run, and their results say so. */
const absent = {
  WebSearch: "no tool of that name was given to codingAgent({ tools })",
  Skill: "there are no skills that may be loaded",
}

const instructionsFor = (root: string): string =>
  [
    `You work on the code in ${root}.`,
    "Look before you change anything, change no more than the task asks for, and check what you changed.",
    "Hand a part of the work to a subagent where one is made for it, with everything it needs to know in the prompt.",
    "End with what you did, what you saw for yourself, and what is left open.",
  ].join("\n")

/** Without links, as tools and rules name it. */
function folderAt(workDir: string): string {
  const folder = path.resolve(workDir)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return realpathSync(folder)
  throw new CadreError(
    "WORKSPACE_UNKNOWN",
    `codingAgent: workDir is ${JSON.stringify(workDir)}, but there is no folder at ${folder}. Give the path of one that exists.`,
  )
}
