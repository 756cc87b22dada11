import { realpathSync, statSync } from "node:fs"
import os from "node:os"
import path from "node:path"
import { type Agent, type AgentSource, defineAgent } from "../../agent/agent.ts"
import { requireValidConfiguration } from "../../definitions/authority/effective-configuration.ts"
import { explainLostTrust } from "../../definitions/authority/lost-trust.ts"
import type { PermissionMode } from "../../definitions/authority/mode.ts"
import type { WorkspaceOptions } from "../../definitions/registry/workspace.ts"
import { CadreError } from "../../ground/errors.ts"
import { type KnownOptions, requireKnownOptions } from "../../ground/options.ts"
import type { RunHandle } from "../../run/face/handle.ts"
import type { RunOptions, Runtime } from "../../run/face/runtime.ts"
import type { BuiltInToolOptions } from "../../world/tools/built-in.ts"
import { createRuntime, type RuntimeOptions, runtimeOptions } from "../create-runtime.ts"
import { openProject, type Project } from "../project/open-project.ts"

/** The folder to work in, and parts of the runtime that differ from those of the project. */
export interface CodingAgentOptions
  extends Omit<RuntimeOptions, "agents" | "mode" | "configuration" | "around">,
    Omit<WorkspaceOptions, "cwd">,
    Pick<BuiltInToolOptions, "sandbox" | "network"> {
  /** The folder that the agent works in. Nothing outside of it is written. */
  readonly workDir: string
  /** The agents that it may call. Default: the trusted agents of the project around `workDir`, and the user's own. */
  readonly registry?: AgentSource | readonly Agent[]
  /**
   * The agents, settings and skills of the project that take effect. `kept` (default): those that the user trusted with
   * `cadre trust`, if they have not changed since. `workspace`: all, because this program vouches for the folder.
   */
  readonly trust?: "kept" | "workspace"
  /** The levels of agents below it. Default: 3. */
  readonly maxDepth?: number
  /**
   * The mode says which calls need approval. Default: the mode in the configuration, which asks before any change
   * if it names none.
   */
  readonly mode?: PermissionMode
  /** Replaces the usual instructions of a coding agent. */
  readonly instructions?: string
}

/** An agent that is ready to work on the code in a folder. */
export interface CodingAgent {
  /** The definition of the agent, named `coding-agent`. */
  readonly agent: Agent
  /** The runtime of its runs: use it to approve calls, resume runs and read results. */
  readonly runtime: Runtime
  /** Starts a run with this task in the folder. Options are those of `Runtime.run`. */
  run(task: string, options?: RunOptions): RunHandle
  /** Closes the runtime. Runs at work stop and can be resumed later. */
  close(): Promise<void>
}

/**
 * A coding agent for a folder, with the built-in tools and with subagents that it may call.
 *
 * @example
 * ```ts
 * import { codingAgent } from "cadre/files"
 *
 * const coder = codingAgent({ workDir: "/home/ada/app", model: "anthropic:sonnet", mode: "accept-edits" })
 * const { output, approvals } = await coder.run("Fix the failing test.").done
 * console.log(output, approvals)
 * await coder.close()
 * ```
 */
export function codingAgent(options: CodingAgentOptions): CodingAgent {
  const { root, parts } = openCodingProject(options)
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

/** Opens the folder as a project, with the parts that the program adds. Throws if no run may start in it. */
export function openCodingProject(options: CodingAgentOptions): Project & { readonly root: string } {
  requireKnownOptions("codingAgent", options, codingAgentOptions)
  const root = folderAt(options.workDir)
  const { trust = "kept", home = os.homedir(), environment = process.env, mode, ...others } = options
  const { registry, builtInAgents, maxDepth, sandbox, network, ...rest } = others
  const { workDir: _, instructions: __, limits, ...programParts } = rest
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
    programParts: {
      ...programParts,
      ...(registry && { agents: registry }),
      limits: { ...limits, ...(maxDepth !== undefined && { maxDepth }) },
    },
    toolsOption: "codingAgent({ tools })",
  })
  return { ...project, root }
}

/** Throws if trusted settings or hooks have changed: without them, more would be allowed than before. */
function requireStartable(
  project: Pick<Project, "workspace" | "standing" | "diagnostics">,
  root: string,
  trust: "kept" | "workspace",
): void {
  const { workspace, standing } = project
  requireValidConfiguration(project, root)
  const lost = explainLostTrust(workspace, standing, {
    following: trust === "workspace" ? "all" : "kept",
    option: '`trust: "workspace"`',
    displayPath: (file) => path.relative(standing.root, file),
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
    "Give part of the work to a subagent if one fits. Put everything it needs to know into the prompt.",
    "End with a report: what you did, what you checked yourself, and what is still open.",
  ].join("\n")

/** The folder without symbolic links, because tools and rules name it so. */
function folderAt(workDir: string): string {
  const folder = path.resolve(workDir)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return realpathSync(folder)
  throw new CadreError(
    "WORKSPACE_UNKNOWN",
    `codingAgent: workDir is ${JSON.stringify(workDir)}, but there is no folder at ${folder}. Give the path of one that exists.`,
  )
}
