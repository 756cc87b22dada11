import os from "node:os"
import { type Executors, executorToolName } from "../../agent/executor.ts"
import type { Tool } from "../../agent/tool.ts"
import type { Standing } from "../../definitions/authority/standing.ts"
import type { Configuration } from "../../definitions/configuration/configuration.ts"
import { userConfigurationFolder } from "../../definitions/configuration/folders.ts"
import { ownToolsAbsent } from "../../definitions/configuration/own-tools.ts"
import { definitionFilesAround } from "../../definitions/registry/definition-files.ts"
import type { Skill } from "../../definitions/skills/skills.ts"
import { executorTools } from "../../world/executors/tool.ts"
import { builtInTools } from "../../world/tools/built-in.ts"
import { type WebSearchOptions, webSearchTool } from "../../world/tools/web-search.ts"
import { ownPlaces } from "./own-places.ts"
import type { ProjectPlace } from "./place.ts"

/** What the tools of a project are made of. */
export interface ToolSources {
  readonly place: ProjectPlace
  readonly standing: Standing
  readonly configuration: Configuration
  readonly skills: ReadonlyMap<string, Skill>
  /** The folder that they may write to. */
  readonly root: string
  readonly sandbox: Configuration["sandbox"]
  readonly network: Configuration["network"]
  readonly executors: Executors
  /** How a program gives tools of its own, where one can. */
  readonly toolsOption?: string | undefined
}

/** The tools of runs in a project, and those that are not to be had there, with the reason. */
export interface ProjectTools {
  readonly tools: readonly Tool[]
  readonly absent: Readonly<Record<string, string>>
  /** Keys that tools hold. */
  readonly secrets: readonly string[]
}

export function projectTools(sources: ToolSources): ProjectTools {
  const { place, standing, configuration, skills, root, sandbox, network, executors } = sources
  const search = searchOf(configuration, sources)
  const bounds = {
    root,
    sandbox,
    network,
    definitions: definitionsFor(sources),
    ...ownPlaces(place, standing, root),
  }
  return {
    secrets: "problem" in search || search.apiKey === undefined ? [] : [search.apiKey],
    tools: [
      ...builtInTools({ ...bounds, skills }),
      ...("problem" in search ? [] : [webSearchTool(search)]),
      ...executorTools({
        ...bounds,
        executors,
        hidden: [...bounds.hidden, ...processHome(place)],
        environment: place.environment,
        home: place.home,
      }),
    ],
    absent: {
      ...ownToolsAbsent(configuration),
      ...("problem" in search && { WebSearch: search.problem }),
      ...(skills.size === 0 && { Skill: "there are no skills that may be loaded" }),
      ...(Object.keys(executors).length === 0 && {
        [executorToolName]:
          "no program is set up to run agents: name one below `executors` in your config.yaml",
      }),
    },
  }
}

/** The sandbox hides the home folder that it is told of; whoever hands over another one must not show the real one. */
const processHome = ({ home }: ProjectPlace): readonly string[] =>
  os.homedir() === home ? [] : [os.homedir()]

/** The definitions that are read from a working directory: commands make none. */
function definitionsFor({ place, configuration }: ToolSources): (cwd: string) => readonly string[] {
  const { home, environment } = place
  const { agentsDir, packages } = configuration
  const userFolder = userConfigurationFolder(environment, home)
  return (cwd) => definitionFilesAround({ cwd, home, userFolder, agentsDir, packages })
}

function searchOf(
  { search }: Configuration,
  { place: { environment }, toolsOption }: ToolSources,
): WebSearchOptions | { readonly problem: string } {
  const otherwise = toolsOption === undefined ? "" : `, or give a tool of that name to ${toolsOption}`
  const problem = (text: string) => ({ problem: `${text}${otherwise}` })
  if (!search) return problem("nobody is set up to search: set `search.provider` in your config.yaml")
  const { provider, url, key } = search
  const apiKey = key === undefined ? undefined : environment[key]?.trim()
  if (provider !== "searxng" && !apiKey)
    return problem(
      `${provider} wants a key: ${key === undefined ? "name its variable with `search.key`" : `set ${key}`}`,
    )
  if (provider === "searxng" && url === undefined)
    return problem("searxng has no address: set `search.url` in your config.yaml")
  return { provider, ...(url !== undefined && { url }), ...(apiKey && { apiKey }) }
}
