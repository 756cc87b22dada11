import path from "node:path"
import type { Agent } from "../../agent/agent.ts"
import { lookUpTool } from "../../agent/catalogue/look-up.ts"
import type { Executors } from "../../agent/executor.ts"
import type { McpServers } from "../../agent/mcp-server.ts"
import type { ModelBinding } from "../../agent/model-binding.ts"
import { isBelow } from "../../ground/paths/inside.ts"
import type { ReachableAgent } from "../../run/rights/reach.ts"
import { everyToolEntry } from "../../run/rights/requested-tools.ts"
import { readConfigurationFile } from "../configuration/read-file.ts"
import { readSourceFile } from "../formats/source.ts"
import { collectCommands, collectFileCommands } from "../lifecycle/written-commands.ts"
import type { Workspace } from "../registry/workspace.ts"
import { readScriptFile } from "../scripts/read-script-file.ts"
import { describeServer } from "../servers/server-text.ts"
import { createReachSearch, describeReached } from "./reach.ts"
import {
  describeServerGains,
  findScriptClaims,
  findServerClaims,
  listBroughtServers,
} from "./server-claims.ts"
import type { TrustItem } from "./trust.ts"

/** A file of a workspace, with the rights that it gains once it is trusted. */
export interface TrustClaim extends TrustItem {
  /** The agent that the file defines; absent for other files. */
  readonly agent?: string
  /** True for a script that runs as a tool, or that a server runs. A person sees its hash. */
  readonly isScript?: true
  readonly gains: readonly string[]
  /** The addresses that its requests to models, and your key for them, go to once the file is trusted. */
  readonly endpoints: readonly string[]
}

/** Finds every file of a workspace that others may have written and that would gain rights. */
export function findTrustClaims(workspace: Workspace, root: string): readonly TrustClaim[] {
  const { registry, configuration, skills } = workspace
  const candidates = registry.candidates().filter(({ scope, file }) => file && isFromProject(scope))
  let reader: ((agent: Agent) => readonly ReachableAgent[]) | undefined
  const reachOf = (agent: Agent) => {
    reader ??= createReachSearch(workspace, registry.all())
    return reader(agent)
  }
  const definitions = candidates.flatMap(({ agent, file }): readonly TrustClaim[] => {
    const { hash } = agent.origin
    if (!file || hash === undefined) return []
    return [
      {
        file: file.path,
        hash,
        text: file.text,
        agent: agent.name,
        endpoints: endpointsOf(agent),
        // Computed only when a person reviews the file: the start of a run does not need it.
        get reach() {
          return reachOf(agent)
        },
        get gains() {
          return gainsOf(agent, reachOf(agent), root)
        },
      },
    ]
  })
  const scripts = candidates.flatMap(({ agent }) =>
    (agent.toolDefinitions ?? []).flatMap(({ name, script, contextProviders = [] }) =>
      [script, ...contextProviders].flatMap((file) =>
        scriptClaim(file, `runs for the tool ${name} of ${agent.name}`),
      ),
    ),
  )
  const isInside = (file: string) => isBelow(root, file)
  const settings = configuration.files.filter(isInside).flatMap((file) => claimOf(file, settingsOf, root))
  const texts = [...skills.values()]
    .filter(({ scope, file }) => scope === "project" && isInside(file))
    .flatMap(({ name, file }) =>
      claimOf(file, () => ({ gains: [`agents may load it as the skill ${name}`], endpoints: [] })),
    )
  const lifecycles = workspace.hookFiles
    .filter(({ of, file }) => of === "project" && isInside(file))
    .flatMap(({ file, format, boundary }) =>
      claimOf(
        file,
        () => ({
          gains: [
            format === "workflow"
              ? "a workflow: agents that name it follow its steps, which can run commands and start other agents"
              : "hooks: can block or change tool calls and start other agents",
            ...collectFileCommands(file).map((command) => `they run the command ${command}`),
          ],
          endpoints: [],
        }),
        boundary,
      ),
    )
  const asksForRules = registry.candidates().some(({ agent }) => agent.context?.rules)
  const rules = (asksForRules ? workspace.rules : []).flatMap((file) =>
    claimOf(
      file,
      () => ({ gains: ["gives instructions to agents that ask for the project's rules"], endpoints: [] }),
      root,
    ),
  )
  const broughtScripts = candidates.flatMap(({ agent }) =>
    findScriptClaims(listBroughtServers(agent), { folder: root, root }),
  )
  return mergeClaims([
    ...settings,
    ...definitions,
    ...scripts,
    ...broughtScripts,
    ...findServerClaims(workspace, root),
    ...settingsScripts(configuration.files.filter(isInside), root),
    ...texts,
    ...rules,
    ...lifecycles,
  ])
}

/**
 * True if the authors of a repository control an agent. Packages count too, because the project's own manifest names
 * them. An agent written in code has no scope.
 */
export const isFromProject = (scope: string | undefined): boolean =>
  scope === "project" || scope === "package"

type Gains = Pick<TrustClaim, "gains" | "endpoints">

/** Empty if the file cannot be read: then it has no effect either. */
function claimOf(file: string, gains: (file: string) => Gains, boundary?: string): readonly TrustClaim[] {
  const reading = readSourceFile(file, boundary)
  if (reading.type === "refused") return []
  const { hash, text } = reading.source
  return [{ file, hash, text, ...gains(file) }]
}

/** A script with the host functions that it may call. A program need not be text. */
function scriptClaim(file: string, use: string): readonly TrustClaim[] {
  const reading = readScriptFile(file)
  if (reading.type === "refused") return []
  const { hash, text, language, externals } = reading.script
  const may =
    language === "program"
      ? "as a program in the sandbox of commands"
      : externals.length === 0
        ? "without access to files or commands"
        : `with the functions ${externals.map(({ name }) => name).join(", ")}`
  const gains = [`${use}, ${may}`]
  return [{ file, hash, ...(text !== undefined && { text }), isScript: true, gains, endpoints: [] }]
}

/** Merges the claims of each file: a file that two agents use is one claim with the gains of both. */
export function mergeClaims(claims: readonly TrustClaim[]): readonly TrustClaim[] {
  const byFile = new Map<string, TrustClaim>()
  for (const claim of claims) {
    const existing = byFile.get(claim.file)
    byFile.set(
      claim.file,
      existing
        ? {
            ...existing,
            ...(claim.isScript && { isScript: claim.isScript }),
            gains: [...new Set([...existing.gains, ...claim.gains])],
            endpoints: [...new Set([...existing.endpoints, ...claim.endpoints])],
          }
        : claim,
    )
  }
  return [...byFile.values()].sort((one, other) => (one.file < other.file ? -1 : 1))
}

/** The gains of a project's configuration: each of its settings. */
function settingsOf(file: string): Gains {
  const folder = path.dirname(path.dirname(file))
  const { values } = readConfigurationFile(file, { folder, home: folder, of: "project" })
  const endpoints = [...values].flatMap(([key, value]) =>
    ["providers", "presets", "models"].includes(key) ? endpointsIn(value) : [],
  )
  return {
    gains: [
      ...[...values].flatMap(([key, value]) => {
        if (key === "executors") return programsOf(value)
        if (key !== "mcpServers") return [`sets ${key} to ${JSON.stringify(value)}`]
        return Object.entries(value as unknown as McpServers).map(([name, one]) => describeServer(name, one))
      }),
      ...endpoints.map(requestText),
    ],
    endpoints,
  }
}

/** The scripts that the servers of a project's configuration run. */
const settingsScripts = (files: readonly string[], root: string): readonly TrustClaim[] =>
  files.flatMap((file) => {
    const folder = path.dirname(path.dirname(file))
    const { values } = readConfigurationFile(file, { folder, home: folder, of: "project" })
    return findScriptClaims((values.get("mcpServers") ?? {}) as unknown as McpServers, { folder, root })
  })

/** One line for each executor, with the whole command. */
const programsOf = (executors: unknown): readonly string[] =>
  Object.entries(executors as Executors).map(
    ([name, { command, ...rest }]) =>
      `runs agents that name the executor ${name} with the program ${JSON.stringify(command)}${Object.keys(rest).length > 0 ? ` (${JSON.stringify(rest)})` : ""}`,
  )

function endpointsIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "endpoint" && typeof inner === "string" ? [inner] : endpointsIn(inner),
  )
}

const endpointsOf = ({ model }: Agent): readonly string[] =>
  bindings(model).flatMap(({ endpoint }) => endpoint ?? [])

function gainsOf(agent: Agent, reach: readonly ReachableAgent[], root: string): readonly string[] {
  const {
    tools,
    delegates = [],
    toolDefinitions = [],
    hooks,
    workflow,
    context,
    permissionMode,
    executor,
  } = agent
  const checks = (agent.postconditions ?? []).flatMap((check) => ("command" in check ? [check.command] : []))
  return [
    ...(executor === undefined
      ? []
      : [`is run by the executor ${executor}, a program that decides for itself what it does`]),
    tools.mode === "inherit"
      ? `every tool${tools.deny.length > 0 ? ` except ${tools.deny.join(", ")}` : ""}`
      : tools.allow.length > 0
        ? `tools: ${tools.allow.join(", ")}`
        : "no tools",
    ...reachGains(reach),
    ...(mayLeak(agent)
      ? [leakText()]
      : mayLeak(agent, reach)
        ? [leakText(", directly or through its subagents")]
        : []),
    ...(delegates.length > 0 ? [`may pass on to the agents it calls: ${delegates.join(", ")}`] : []),
    ...(context?.files ? [`sends the files ${context.files.join(", ")} to its model`] : []),
    ...(context?.fork ? ["sends everything that its caller has read and written to its model"] : []),
    ...endpointsOf(agent).map(requestText),
    ...(permissionMode === undefined ? [] : [modeText(permissionMode)]),
    ...toolDefinitions.flatMap(({ script, contextProviders = [] }) => [
      `runs the script ${script}`,
      ...contextProviders.map((file) => `runs the script ${file} for its context`),
    ]),
    ...checks.map((command) => `runs the command ${command} when it is done`),
    ...describeServerGains(agent, root),
    ...(hooks === undefined ? [] : ["hooks"]),
    ...collectCommands(hooks).map((command) => `its hooks run the command ${command}`),
    ...(workflow === undefined ? [] : ["a workflow"]),
    ...collectCommands(workflow).map((command) => `its steps run the command ${command}`),
  ]
}

/** A person who reads `bypassPermissions` in a file must know that it has no effect. */
const modeText = (mode: string): string =>
  mode === "plan"
    ? "asks for the mode plan: it changes nothing"
    : `asks for the mode ${mode}, but does not get it: only you choose the mode`

/** An agent that reads untrusted pages and private files, and can send data, can be talked into leaking the files. */
const leakText = (how = ""): string =>
  `can read web pages and your files${how}: a malicious page could make it leak your files`

/** Tools of all reached agents count together: data can move up in a report and down in a task. */
function mayLeak({ tools: { mode, allow, deny } }: Agent, reach: readonly ReachableAgent[] = []): boolean {
  const [allowed, denied, below] = [allow, deny, reach.flatMap(({ tools }) => tools)].map(
    (names) => new Set(names.flatMap(ourNames)),
  )
  const isOpen = reach.some(({ tools }) => tools.includes(everyToolEntry))
  const has = (name: string) =>
    (mode === "inherit" || allowed!.has(name) || below!.has(name) || isOpen) && !denied!.has(name)
  return ["WebFetch", "WebSearch"].some(has) && ["Read", "Grep", "GitDiff", "Bash"].some(has)
}

/** The number of reached agents that are listed with their tools. A review lists all of them once for all files. */
const mostReached = 3

function reachGains(reach: readonly ReachableAgent[]): readonly string[] {
  if (reach.length === 0) return []
  const names = reach.slice(0, mostReached).map(({ name }) => name)
  return [
    reach.length > mostReached
      ? `may call ${reach.length} agents, directly or through others: ${names.join(", ")} and ${reach.length - mostReached} more (\`cadre trust\` lists them)`
      : `may call, directly or through others, ${reach.map(describeReached).join(", ")}`,
  ]
}

function ourNames(text: string): readonly string[] {
  const tool = lookUpTool(text)
  if (tool.type === "equivalent") return [tool.name, ...(tool.also ?? [])]
  return tool.type === "tool" ? [tool.name] : []
}

function bindings(model: Agent["model"]): readonly ModelBinding[] {
  const models = Array.isArray(model) ? model : [model]
  return models.filter((one): one is ModelBinding => typeof one === "object" && one !== null)
}

const requestText = (endpoint: string): string =>
  `sends requests to a model at ${hostOf(endpoint)}, with your key for it`

const hostOf = (endpoint: string): string => (URL.canParse(endpoint) ? new URL(endpoint).host : endpoint)
