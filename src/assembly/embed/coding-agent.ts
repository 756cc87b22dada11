import { realpathSync, statSync } from "node:fs"
import os from "node:os"
import path from "node:path"
import { type Agent, type AgentSource, defineAgent } from "../../agent/agent.ts"
import { requireSound } from "../../definitions/authority/followed-configuration.ts"
import { lostTrust } from "../../definitions/authority/lost-trust.ts"
import type { Mode } from "../../definitions/authority/mode.ts"
import type { WorkspaceOptions } from "../../definitions/registry/workspace.ts"
import { CadreError } from "../../ground/errors.ts"
import { type KnownOptions, requireKnownOptions } from "../../ground/options.ts"
import type { RunHandle } from "../../run/face/handle.ts"
import type { RunOptions, Runtime } from "../../run/face/runtime.ts"
import type { BuiltInToolOptions } from "../../world/tools/built-in.ts"
import { createRuntime, type RuntimeOptions, runtimeOptions } from "../create-runtime.ts"
import { openProject, type Project } from "../project/open-project.ts"

export interface CodingAgentOptions
  extends Omit<RuntimeOptions, "agents" | "mode" | "configuration" | "around">,
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
  const { root, parts } = codingProject(options)
  const { instructions = instructionsFor(root) } = options
  const agent = defineAgent({ name: "coding-agent", instructions })
  const runtime = createRuntime(parts)
  return {
    agent,
    runtime,
    run: (task, run) => runtime.run(agent, task, { cwd: root, ...run }),
    close: () => runtime.close(),
  }
}

/** The folder as a project, with what the program gives of its own. Throws where nothing may be started in it. */
export function codingProject(options: CodingAgentOptions): Project & { readonly root: string } {
  requireKnownOptions("codingAgent", options, codingAgentOptions)
  const root = folderAt(options.workDir)
  const { trust = "kept", home = os.homedir(), environment = process.env, mode, ...others } = options
  const { registry, builtInAgents, maxDepth, sandbox, network, ...rest } = others
  const { workDir: _, instructions: __, limits, ...given } = rest
  const project = openProject({
    directory: root,
    root,
    home,
    environment,
    trust: trust === "workspace" ? "all" : "kept",
    runs: "new",
    mode,
    sandbox,
    network,
    ...(builtInAgents && { builtInAgents }),
    refuse: (read) => requireStartable(read, root, trust),
    given: {
      ...given,
      ...(registry && { agents: registry }),
      limits: { ...limits, ...(maxDepth !== undefined && { maxDepth }) },
    },
    toolsOption: "codingAgent({ tools })",
  })
  return { ...project, root }
}

/** Without settings or hooks that a person trusted more would be allowed than before. */
function requireStartable(
  project: Pick<Project, "workspace" | "standing" | "diagnostics">,
  root: string,
  trust: "kept" | "workspace",
): void {
  const { workspace, standing } = project
  requireSound(project, root)
  const lost = lostTrust(workspace, standing, {
    following: trust === "workspace" ? "all" : "kept",
    option: '`trust: "workspace"`',
    shown: (file) => path.relative(standing.root, file),
  })
  if (lost !== undefined) throw new CadreError("TRUST_CHANGED", `${standing.root}: ${lost}`)
}

const { agents: _, configuration: __, around: ___, ...ofRuntimes } = runtimeOptions
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
