import { existsSync, realpathSync } from "node:fs"
import path from "node:path"
import { executorToolName } from "../../../agent/executor.ts"
import type { Tool } from "../../../agent/tool.ts"
import { definitionFiles, type Standing } from "../../../definitions/authority/standing.ts"
import { isTrusted, pinned, type Trusting } from "../../../definitions/authority/trusted-agents.ts"
import type { Configuration } from "../../../definitions/configuration/configuration.ts"
import { userConfigurationFolder } from "../../../definitions/configuration/folders.ts"
import { ownToolsAbsent } from "../../../definitions/configuration/own-tools.ts"
import { definitionFilesAround } from "../../../definitions/registry/definition-files.ts"
import type { Workspace } from "../../../definitions/registry/workspace.ts"
import { findSkills, type Skill } from "../../../definitions/skills/skills.ts"
import { executorTools } from "../../../world/executors/tool.ts"
import { builtInTools } from "../../../world/tools/built-in.ts"
import { type WebSearchOptions, webSearchTool } from "../../../world/tools/web-search.ts"
import type { Surroundings } from "../command.ts"
import { homeOf, ownConfiguration } from "../settings.ts"
import { stateFolder } from "../trust/trust.ts"

type Around = Pick<Surroundings, "directory" | "environment">

/** The tools of a run in a workspace, and those that are not to be had there, with the reason. */
export interface WorkspaceTools {
  readonly tools: readonly Tool[]
  readonly absent: Readonly<Record<string, string>>
  /** Skills that may be loaded. */
  readonly skills: ReadonlyMap<string, Skill>
  /** Keys that tools hold. */
  readonly secrets: readonly string[]
}

export function workspaceTools(
  surroundings: Around,
  workspace: Workspace,
  {
    standing,
    trusting,
    configuration,
    sandbox = configuration.sandbox,
  }: {
    readonly standing: Standing
    readonly trusting: Trusting
    readonly configuration: Configuration
    readonly sandbox?: Configuration["sandbox"] | undefined
  },
): WorkspaceTools {
  const { root } = standing
  const skills = followedSkills(surroundings, workspace, standing, trusting)
  const search = searchOf(configuration, surroundings)
  const own = ownFolders(surroundings).map(withoutLinks)
  const isWithin = (folder: string) => isInside(folder, withoutLinks(root))
  const { agentsDir, packages } = configuration
  const home = homeOf(surroundings)
  const userFolder = userConfigurationFolder(surroundings.environment, home)
  const definitions = (cwd: string) => definitionFilesAround({ cwd, home, userFolder, agentsDir, packages })
  return {
    skills,
    secrets: "problem" in search || search.apiKey === undefined ? [] : [search.apiKey],
    tools: [
      ...builtInTools({
        root,
        skills,
        sandbox,
        network: configuration.network,
        protect: [...own, ...definitionFiles(standing)].filter(isWithin),
        definitions,
        hidden: own.filter((folder) => !isWithin(folder)),
      }),
      ...("problem" in search ? [] : [webSearchTool(search)]),
      ...executorTools({
        executors: configuration.executors,
        root,
        sandbox,
        network: configuration.network,
        protect: own.filter(isWithin),
        definitions,
        hidden: own.filter((folder) => !isWithin(folder)),
        environment: surroundings.environment,
        home: homeOf(surroundings),
      }),
    ],
    absent: {
      ...ownToolsAbsent(configuration),
      ...("problem" in search && { WebSearch: search.problem }),
      ...(skills.size === 0 && { Skill: "there are no skills that may be loaded" }),
      ...(Object.keys(configuration.executors).length === 0 && {
        [executorToolName]:
          "no program is set up to run agents: name one below `executors` in your config.yaml",
      }),
    },
  }
}

/** Nothing outside of the root is written anyway, and a sandbox would show what it is told to protect there. */
const ownFolders = (surroundings: Around): readonly string[] => [
  userConfigurationFolder(surroundings.environment, homeOf(surroundings)),
  stateFolder(surroundings),
]

/** As far as it exists. */
function withoutLinks(place: string): string {
  const absolute = path.resolve(place)
  if (existsSync(absolute)) return realpathSync(absolute)
  const above = path.dirname(absolute)
  return above === absolute ? absolute : path.join(withoutLinks(above), path.basename(absolute))
}

const isInside = (place: string, folder: string): boolean => {
  const relative = path.relative(folder, place)
  return relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative)
}

/** The user's, and over them those of the project that are trusted as they are. */
function followedSkills(
  surroundings: Around,
  { skills }: Workspace,
  { root, claims }: Standing,
  trusting: Trusting,
): ReadonlyMap<string, Skill> {
  const home = homeOf(surroundings)
  const users = findSkills({
    levels: [],
    home,
    userFolder: userConfigurationFolder(surroundings.environment, home),
    more: ownConfiguration(surroundings).skills.filter((folder) => !isInside(folder, root)),
  })
  const hashes = new Map(claims.map(({ file, hash }) => [file, hash]))
  const trusted = [...skills].filter(
    ([, { scope, file }]) =>
      scope === "project" && hashes.has(file) && isTrusted(trusting, file, hashes.get(file)),
  )
  return new Map([
    ...users,
    ...trusted.map(([name, skill]) => [name, pinned(trusting, skill, hashes)] as const),
  ])
}

function searchOf(
  configuration: Configuration,
  { environment }: Around,
): WebSearchOptions | { readonly problem: string } {
  const { search } = configuration
  if (!search) return { problem: "nobody is set up to search: set `search.provider` in your config.yaml" }
  const { provider, url, key } = search
  const apiKey = key === undefined ? undefined : environment[key]?.trim()
  if (provider !== "searxng" && !apiKey)
    return {
      problem: `${provider} wants a key: ${key === undefined ? "name its variable with `search.key`" : `set ${key}`}`,
    }
  if (provider === "searxng" && url === undefined)
    return { problem: "searxng has no address: set `search.url` in your config.yaml" }
  return { provider, ...(url !== undefined && { url }), ...(apiKey && { apiKey }) }
}
