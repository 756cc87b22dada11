import os from "node:os"
import path from "node:path"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { type KnownOptions, requireKnownOptions } from "../../ground/options.ts"
import { type Configuration, readConfiguration } from "../configuration/configuration.ts"
import { locateUserConfiguration } from "../configuration/folders.ts"
import { findSettingLine } from "../configuration/setting-place.ts"
import { diagnose } from "../formats/problem.ts"
import type { ConfiguredDenial } from "../rules/rule.ts"
import { readServerFiles, type ServerFile } from "../servers/server-files.ts"
import { findSkills, type Skill } from "../skills/skills.ts"
import { findHookFiles, type HookFile } from "./hook-files.ts"
import { findProjectRules } from "./project-rules.ts"
import { SubagentRegistry } from "./registry.ts"
import { projectLevels } from "./root.ts"

/** The agents, configuration and skills of a working directory. */
export interface Workspace {
  /** All agents of the working directory, trusted or not. */
  readonly registry: SubagentRegistry
  /** The effective settings of the user and the project, trusted or not. */
  readonly configuration: Configuration
  /** The skills by name, those of the project before the user's. */
  readonly skills: ReadonlyMap<string, Skill>
  /** Files with rules for agents (`AGENTS.md`, `CLAUDE.md`, `.cadre/rules.md`), those of the nearest folder last. */
  readonly rules: readonly string[]
  /** The hook files of the working directory, trusted or not. */
  readonly hookFiles: readonly HookFile[]
  /** Files of other hosts that name MCP servers of the project, or switch some off, trusted or not. */
  readonly serverFiles: readonly ServerFile[]
  /** The folders of the project, from the working directory up to its top. Empty if there is no project. */
  readonly levels: readonly string[]
  /**
   * Findings about the configuration and skills; the registry has its own. `cadre run` and `codingAgent` start nothing
   * if a file that takes effect has an error. A program that passes `configuration` on has to check this itself.
   */
  readonly diagnostics: readonly Diagnostic[]
}

/** The folder to read, and the user to read it for. */
export interface WorkspaceOptions {
  /** The working directory. Default: the process's. */
  readonly cwd?: string
  /** The home folder of the user. Default: the process's. */
  readonly home?: string
  /** The environment variables that settings are read from. Default: those of the process. */
  readonly environment?: NodeJS.ProcessEnv
  /** Whether the built-in agents are included, except those that the configuration hides. Default: `included`. */
  readonly builtInAgents?: "included" | "none"
}

/**
 * Reads everything that belongs to a working directory. Nothing is run, connected to or written.
 *
 * @example
 * ```ts
 * import { createRuntime } from "cadre"
 * import { openWorkspace } from "cadre/files"
 *
 * const { registry, configuration, skills, diagnostics } = openWorkspace({ cwd: "/home/ada/project" })
 * if (diagnostics.some(({ severity }) => severity === "error")) throw new Error("Invalid configuration")
 * const runtime = createRuntime({ agents: registry, configuration, skills })
 * ```
 */
export function openWorkspace(options: WorkspaceOptions = {}): Workspace {
  requireKnownOptions("openWorkspace", options, workspaceOptions)
  const surroundings = readSurroundings(options)
  const { cwd, home, levels, userFolder, skills, configuration, diagnostics } = surroundings
  const registry = surroundings.registry()
  const { agentsDir, packages, hideBuiltInAgents } = configuration
  if (options.builtInAgents !== "none") registry.loadBuiltIn({ hide: hideBuiltInAgents })
  registry.autoDiscover({ cwd, home, userFolder, agentsDir, packages })
  let serverFiles: readonly ServerFile[] | undefined
  return {
    registry,
    configuration,
    skills,
    // Searched at first use, because a list of agents does not need them.
    get rules() {
      return findProjectRules(levels)
    },
    get hookFiles() {
      return findHookFiles({ levels, userFolder, home })
    },
    get serverFiles() {
      serverFiles ??= readServerFiles({ levels, home })
      return serverFiles
    },
    levels,
    diagnostics,
  }
}

const workspaceOptions: KnownOptions<WorkspaceOptions> = {
  cwd: "known",
  home: "known",
  environment: "known",
  builtInAgents: "known",
}

/** Reads the configuration and skills of a working directory, and makes a registry that has read no agents yet. */
export function readSurroundings({
  cwd = process.cwd(),
  home = os.homedir(),
  environment = process.env,
}: WorkspaceOptions) {
  const levels = projectLevels(cwd, home)
  const root = levels.at(-1)
  const { configuration, diagnostics } = readConfiguration({
    cwd,
    home,
    environment,
    ...(root !== undefined && { root }),
  })
  const userFolder = locateUserConfiguration(environment, home)
  const outside: Diagnostic[] = []
  const skills = findSkills({
    levels,
    home,
    userFolder,
    more: configuration.skills,
    onOutside: (file, problem) =>
      outside.push(...diagnose(file, "", () => undefined, [{ ...problem, severity: "warning" }])),
  })
  return {
    cwd,
    home,
    levels,
    userFolder,
    configuration,
    diagnostics: [...diagnostics, ...outside],
    skills,
    registry: (onRead?: (file: string) => void) =>
      new SubagentRegistry({
        ...(onRead && { onRead }),
        tools: configuration.tools,
        formats: configuration.formats,
        userFormats: ownFormats(configuration, { home, environment, userFolder }),
        levels: configuration.rules,
        surroundings: {
          skills: new Set(skills.keys()),
          lockedVariables: configuration.lockedVariables,
          denials: denialsIn(configuration),
          delegation: configuration.delegation,
          written: () => ({
            hooks: configuration.hooks,
            hookFiles: findHookFiles({ levels, userFolder, home }),
          }),
        },
      }),
  }
}

/** The places are looked up only when a finding shows them. */
const denialsIn = ({ permissions, files }: Configuration): readonly ConfiguredDenial[] =>
  permissions.deny.map((rule) => ({
    rule,
    get at() {
      return findSettingLine(files, ["permissions", "deny"], rule)
    },
  }))

/** The order of formats that the user chose. The order of a project applies to its own agents only. */
function ownFormats(
  { formats, files }: Configuration,
  { home, environment, userFolder }: { home: string; environment: NodeJS.ProcessEnv; userFolder: string },
): readonly string[] {
  const isUserFileOnly = files.every((file) => file === path.join(userFolder, "config.yaml"))
  // The home folder is never a project.
  return isUserFileOnly ? formats : readConfiguration({ cwd: home, home, environment }).configuration.formats
}
