import os from "node:os"
import { type Executors, executorToolName } from "../../agent/executor.ts"
import type { Tool } from "../../agent/tool.ts"
import type { WorkspaceTrust } from "../../definitions/authority/workspace-trust.ts"
import type { Configuration } from "../../definitions/configuration/configuration.ts"
import { locateUserConfiguration } from "../../definitions/configuration/folders.ts"
import { listAbsentTools } from "../../definitions/configuration/own-tools.ts"
import { listDefinitionFiles } from "../../definitions/registry/definition-files.ts"
import type { Skill } from "../../definitions/skills/skills.ts"
import { createExecutorTools } from "../../world/executors/tool.ts"
import type { ScriptToolOptions } from "../../world/scripts/bound-scripts.ts"
import { builtInTools } from "../../world/tools/built-in.ts"
import { type WebSearchOptions, webSearchTool } from "../../world/tools/web-search.ts"
import { findOwnPlaces } from "./own-places.ts"
import type { ProjectPlace } from "./place.ts"

/** The parts that the tools of a project are made from. */
export interface ToolSources {
  readonly place: ProjectPlace
  readonly standing: WorkspaceTrust
  readonly configuration: Configuration
  readonly skills: ReadonlyMap<string, Skill>
  /** The folder that tools may write to. */
  readonly root: string
  readonly sandbox: Configuration["sandbox"]
  readonly network: Configuration["network"]
  readonly executors: Executors
  /** The option through which a program gives its own tools, for messages. */
  readonly toolsOption?: string | undefined
}

/** The tools of runs in a project, and those that are not available there, with the reason. */
export interface ProjectTools {
  readonly tools: readonly Tool[]
  /** The bounds of scripts, which are those of the tools. */
  readonly bounds: Required<Pick<ScriptToolOptions, "files" | "command">>
  readonly absent: Readonly<Record<string, string>>
  /** The keys of tools, which must not be shown. */
  readonly secrets: readonly string[]
}

export function makeProjectTools(sources: ToolSources): ProjectTools {
  const { place, standing, configuration, skills, root, sandbox, network, executors } = sources
  const search = searchOf(configuration, sources)
  const bounds = {
    root,
    sandbox,
    network,
    definitions: definitionsFor(sources),
    ...findOwnPlaces(place, standing, root),
  }
  return {
    bounds: { files: bounds, command: { ...bounds, environment: place.environment, home: place.home } },
    secrets: "problem" in search || search.apiKey === undefined ? [] : [search.apiKey],
    tools: [
      ...builtInTools({ ...bounds, skills }),
      ...("problem" in search ? [] : [webSearchTool(search)]),
      ...createExecutorTools({
        ...bounds,
        executors,
        hidden: [...bounds.hidden, ...processHome(place)],
        environment: place.environment,
        home: place.home,
      }),
    ],
    absent: {
      ...listAbsentTools(configuration),
      ...("problem" in search && { WebSearch: search.problem }),
      ...(skills.size === 0 && { Skill: "there are no skills that may be loaded" }),
      ...(Object.keys(executors).length === 0 && {
        [executorToolName]:
          "no program is set up to run agents: name one below `executors` in your config.yaml",
      }),
    },
  }
}

/** The sandbox hides the home folder of the place. Where that is another folder, the real home folder is hidden, too. */
const processHome = ({ home }: ProjectPlace): readonly string[] =>
  os.homedir() === home ? [] : [os.homedir()]

/** The definition files around a working directory. Commands must not create any. */
function definitionsFor({ place, configuration }: ToolSources): (cwd: string) => readonly string[] {
  const { home, environment } = place
  const { agentsDir, packages } = configuration
  const userFolder = locateUserConfiguration(environment, home)
  return (cwd) => listDefinitionFiles({ cwd, home, userFolder, agentsDir, packages })
}

function searchOf(
  { search }: Configuration,
  { place: { environment }, toolsOption }: ToolSources,
): WebSearchOptions | { readonly problem: string } {
  const otherwise = toolsOption === undefined ? "" : `, or give a tool of that name to ${toolsOption}`
  const problem = (text: string) => ({ problem: `${text}${otherwise}` })
  if (!search) return problem("no search provider is set up: set `search.provider` in your config.yaml")
  const { provider, url, key } = search
  const apiKey = key === undefined ? undefined : environment[key]?.trim()
  if (provider !== "searxng" && !apiKey)
    return problem(
      `${provider} needs a key: ${key === undefined ? "name its variable with `search.key`" : `set ${key}`}`,
    )
  if (provider === "searxng" && url === undefined)
    return problem("searxng has no address: set `search.url` in your config.yaml")
  return { provider, ...(url !== undefined && { url }), ...(apiKey && { apiKey }) }
}
