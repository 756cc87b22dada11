import os from "node:os"
import path from "node:path"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { type KnownOptions, requireKnownOptions } from "../../ground/options.ts"
import { type Configuration, readConfiguration } from "../configuration/configuration.ts"
import { userConfigurationFolder } from "../configuration/folders.ts"
import { settingAt } from "../configuration/setting-place.ts"
import { diagnose } from "../formats/problem.ts"
import type { ConfiguredDenial } from "../rules/rule.ts"
import { findSkills, type Skill } from "../skills/skills.ts"
import { type HookFile, hookFiles } from "./hook-files.ts"
import { projectRules } from "./project-rules.ts"
import { SubagentRegistry } from "./registry.ts"
import { levelsUp } from "./root.ts"

/** What a working directory has to offer: its agents, its configuration and its skills. */
export interface Workspace {
  readonly registry: SubagentRegistry
  readonly configuration: Configuration
  readonly skills: ReadonlyMap<string, Skill>
  /** Files with rules for agents: `AGENTS.md`, `CLAUDE.md`, `.cadre/rules.md`; those of the nearest folder last. */
  readonly rules: readonly string[]
  /** Files of hooks that there are around it, whether anybody trusts them or not. */
  readonly hookFiles: readonly HookFile[]
  /** The folders of the project, from the working directory up to its own. Empty where it is none. */
  readonly levels: readonly string[]
  /**
   * What is wrong with the configuration, and with skills; the registry has its own. `cadre run` and `codingAgent` start nothing where an
   * error is among those of files that count; a program that hands `configuration` on looks for itself.
   */
  readonly diagnostics: readonly Diagnostic[]
}

export interface WorkspaceOptions {
  readonly cwd?: string
  readonly home?: string
  readonly environment?: NodeJS.ProcessEnv
  /** Whether the agents that ship are there too, but those that the configuration hides. Default: `included`. */
  readonly builtInAgents?: "included" | "none"
}

/** Reads everything around a working directory. Nothing of it is run, connected to or written. */
export function openWorkspace(options: WorkspaceOptions = {}): Workspace {
  requireKnownOptions("openWorkspace", options, workspaceOptions)
  const surroundings = surroundingsOf(options)
  const { cwd, home, levels, userFolder, skills, configuration, diagnostics } = surroundings
  const registry = surroundings.registry()
  const { agentsDir, packages, hideBuiltInAgents } = configuration
  if (options.builtInAgents !== "none") registry.loadBuiltIn({ hide: hideBuiltInAgents })
  registry.autoDiscover({ cwd, home, userFolder, agentsDir, packages })
  return {
    registry,
    configuration,
    skills,
    // Looked for when somebody asks: a list of agents does not.
    get rules() {
      return projectRules(levels)
    },
    get hookFiles() {
      return hookFiles({ levels, userFolder, home })
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

/** A registry that knows a working directory's configuration and skills, and has read no agents. */
export function surroundingsOf({
  cwd = process.cwd(),
  home = os.homedir(),
  environment = process.env,
}: WorkspaceOptions) {
  const levels = levelsUp(cwd, home)
  const root = levels.at(-1)
  const { configuration, diagnostics } = readConfiguration({
    cwd,
    home,
    environment,
    ...(root !== undefined && { root }),
  })
  const userFolder = userConfigurationFolder(environment, home)
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
          written: () => ({ hooks: configuration.hooks, hookFiles: hookFiles({ levels, userFolder, home }) }),
        },
      }),
  }
}

/** Looked up in the files only where one of them is told. */
const denialsIn = ({ permissions, files }: Configuration): readonly ConfiguredDenial[] =>
  permissions.deny.map((rule) => ({
    rule,
    get at() {
      return settingAt(files, ["permissions", "deny"], rule)
    },
  }))

/** The order that the user has chosen: what a project says of it is for its own agents. */
function ownFormats(
  { formats, files }: Configuration,
  { home, environment, userFolder }: { home: string; environment: NodeJS.ProcessEnv; userFolder: string },
): readonly string[] {
  const isOwn = files.every((file) => file === path.join(userFolder, "config.yaml"))
  // The home folder is never a project.
  return isOwn ? formats : readConfiguration({ cwd: home, home, environment }).configuration.formats
}
