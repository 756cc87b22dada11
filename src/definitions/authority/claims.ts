import path from "node:path"
import type { Agent } from "../../agent/agent.ts"
import { lookUpTool } from "../../agent/catalogue/look-up.ts"
import type { Executors } from "../../agent/executor.ts"
import type { ModelBinding } from "../../agent/model-binding.ts"
import { isMap, type Json } from "../../ground/message.ts"
import { isBelow } from "../../ground/paths/inside.ts"
import { everyTool } from "../../run/rights/asked-tools.ts"
import type { Reached } from "../../run/rights/reach.ts"
import { readConfigurationFile } from "../configuration/read-file.ts"
import { readSourceFile } from "../formats/source.ts"
import { commandsIn, commandsOfFile } from "../lifecycle/written-commands.ts"
import type { Workspace } from "../registry/workspace.ts"
import { reachedText, reachIn } from "./reach.ts"
import type { TrustItem } from "./trust.ts"

/** A file of a workspace, with what it would be able to do once it is trusted. */
export interface Claim extends TrustItem {
  /** The agent it defines; absent for anything else. */
  readonly agent?: string
  readonly gains: readonly string[]
  /** Where it sends what models are asked, and the key for it, once it is trusted. */
  readonly endpoints: readonly string[]
}

/** Everything in a workspace that somebody else may have written and that would gain rights. */
export function claimsOf(workspace: Workspace, root: string): readonly Claim[] {
  const { registry, configuration, skills } = workspace
  const candidates = registry.candidates().filter(({ scope, file }) => file && isProjects(scope))
  let reader: ((agent: Agent) => readonly Reached[]) | undefined
  const reachOf = (agent: Agent) => {
    reader ??= reachIn(workspace, registry.all())
    return reader(agent)
  }
  const definitions = candidates.flatMap(({ agent, file }): readonly Claim[] => {
    const { hash } = agent.origin
    if (!file || hash === undefined) return []
    return [
      {
        file: file.path,
        hash,
        text: file.text,
        agent: agent.name,
        endpoints: endpointsOf(agent),
        // Whom it reaches is for people who review it: a run that starts needs none of that.
        get reach() {
          return reachOf(agent)
        },
        get gains() {
          return gainsOf(agent, reachOf(agent))
        },
      },
    ]
  })
  const scripts = candidates.flatMap(({ agent }) =>
    (agent.toolDefinitions ?? []).flatMap(({ name, script, contextProviders = [] }) =>
      [script, ...contextProviders].flatMap((file) =>
        claimOf(file, () => ({ gains: [`runs for the tool ${name} of ${agent.name}`], endpoints: [] })),
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
              ? "a workflow: agents that name it follow its steps, which run commands and have other agents run"
              : "hooks: can block or change tool calls and start other agents",
            ...commandsOfFile(file).map((command) => `they run the command ${command}`),
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
      () => ({ gains: ["tells agents what to do that ask for the project's rules"], endpoints: [] }),
      root,
    ),
  )
  return onceEach([...settings, ...definitions, ...scripts, ...texts, ...rules, ...lifecycles])
}

/**
 * Whether whoever wrote a repository decides what an agent is: packages count, because the project's own manifest
 * names them. What is written in code has no scope.
 */
export const isProjects = (scope: string | undefined): boolean => scope === "project" || scope === "package"

type Gains = Pick<Claim, "gains" | "endpoints">

/** Nothing where it cannot be read: then nobody follows it either. */
function claimOf(file: string, gains: (file: string) => Gains, boundary?: string): readonly Claim[] {
  const reading = readSourceFile(file, boundary)
  if (reading.type === "refused") return []
  const { hash, text } = reading.source
  return [{ file, hash, text, ...gains(file) }]
}

/** A file that two agents use is one claim, with what it does for both. */
export function onceEach(claims: readonly Claim[]): readonly Claim[] {
  const byFile = new Map<string, Claim>()
  for (const claim of claims) {
    const known = byFile.get(claim.file)
    byFile.set(
      claim.file,
      known
        ? {
            ...known,
            gains: [...new Set([...known.gains, ...claim.gains])],
            endpoints: [...new Set([...known.endpoints, ...claim.endpoints])],
          }
        : claim,
    )
  }
  return [...byFile.values()].sort((one, other) => (one.file < other.file ? -1 : 1))
}

/** Every setting of a project's configuration, as it is read. */
function settingsOf(file: string): Gains {
  const folder = path.dirname(path.dirname(file))
  const { values } = readConfigurationFile(file, { folder, home: folder, of: "project" })
  const endpoints = [...values].flatMap(([key, value]) =>
    ["providers", "presets", "models"].includes(key) ? endpointsIn(value) : [],
  )
  return {
    gains: [
      ...[...values].flatMap(([key, value]) =>
        key === "executors" ? programsOf(value) : [`sets ${key} to ${JSON.stringify(value)}`],
      ),
      ...endpoints.map(asks),
    ],
    endpoints,
  }
}

/** One line for each, with all that would be started. */
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

function gainsOf(agent: Agent, reach: readonly Reached[]): readonly string[] {
  const {
    tools,
    delegates = [],
    toolDefinitions = [],
    mcpServers = [],
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
      : [`is run by the program of the executor ${executor}, which decides for itself what it does`]),
    tools.mode === "inherit"
      ? `every tool there is${tools.deny.length > 0 ? ` but ${tools.deny.join(", ")}` : ""}`
      : tools.allow.length > 0
        ? `tools: ${tools.allow.join(", ")}`
        : "no tools",
    ...reachGains(reach),
    ...(isTalkative(agent)
      ? [talkative()]
      : isTalkative(agent, reach)
        ? [talkative(", itself or through its subagents")]
        : []),
    ...(delegates.length > 0 ? [`may give those it calls: ${delegates.join(", ")}`] : []),
    ...(context?.files ? [`its model is sent the files ${context.files.join(", ")}`] : []),
    ...(context?.fork ? ["its model is sent all that its caller has read and written"] : []),
    ...endpointsOf(agent).map(asks),
    ...(permissionMode === undefined ? [] : [modeText(permissionMode)]),
    ...toolDefinitions.flatMap(({ script, contextProviders = [] }) => [
      `runs the script ${script}`,
      ...contextProviders.map((file) => `runs the script ${file} for its context`),
    ]),
    ...checks.map((command) => `runs the command ${command} when it is done`),
    ...(mcpServers.length > 0
      ? [`names MCP servers, which are not started: ${mcpServers.flatMap(serverNames).join(", ")}`]
      : []),
    ...(hooks === undefined ? [] : ["hooks"]),
    ...commandsIn(hooks).map((command) => `its hooks run the command ${command}`),
    ...(workflow === undefined ? [] : ["a workflow"]),
    ...commandsIn(workflow).map((command) => `its steps run the command ${command}`),
  ]
}

/** A name, or `{name: configuration}`; what is neither is shown as it is. */
const serverNames = (server: Json): readonly string[] =>
  typeof server === "string" ? [server] : isMap(server) ? Object.keys(server) : [JSON.stringify(server)]

/** Whoever reads `bypassPermissions` is to know that nothing comes of it. */
const modeText = (mode: string): string =>
  mode === "plan"
    ? "asks for the mode plan: it changes nothing"
    : `asks for the mode ${mode}, which it does not get: that is yours to choose`

/** With what others wrote, what is yours and a way out, an agent can be talked into giving things away. */
const talkative = (how = ""): string =>
  `can read web pages and your files${how}: a malicious page could make it leak your files`

/** What one of those it reaches reads, another can send: a report goes up, and a task goes down. */
function isTalkative({ tools: { mode, allow, deny } }: Agent, reach: readonly Reached[] = []): boolean {
  const [allowed, denied, below] = [allow, deny, reach.flatMap(({ tools }) => tools)].map(
    (names) => new Set(names.flatMap(ourNames)),
  )
  const isOpen = reach.some(({ tools }) => tools.includes(everyTool))
  const has = (name: string) =>
    (mode === "inherit" || allowed!.has(name) || below!.has(name) || isOpen) && !denied!.has(name)
  return ["WebFetch", "WebSearch"].some(has) && ["Read", "Grep", "GitDiff", "Bash"].some(has)
}

/** Tools are told of no more than these: a review lists all of them once for all files. */
const mostReached = 3

function reachGains(reach: readonly Reached[]): readonly string[] {
  if (reach.length === 0) return []
  const names = reach.slice(0, mostReached).map(({ name }) => name)
  return [
    reach.length > mostReached
      ? `may hand work to ${reach.length} agents, itself or through others: ${names.join(", ")} and ${reach.length - mostReached} more (\`cadre trust\` lists them)`
      : `may hand work, itself or through others, to ${reach.map(reachedText).join(", ")}`,
  ]
}

function ourNames(text: string): readonly string[] {
  const known = lookUpTool(text)
  if (known.type === "equivalent") return [known.name, ...(known.also ?? [])]
  return known.type === "tool" ? [known.name] : []
}

function bindings(model: Agent["model"]): readonly ModelBinding[] {
  const listed = Array.isArray(model) ? model : [model]
  return listed.filter((one): one is ModelBinding => typeof one === "object" && one !== null)
}

const asks = (endpoint: string): string => `asks a model at ${hostOf(endpoint)}, with your key for it`

const hostOf = (endpoint: string): string => (URL.canParse(endpoint) ? new URL(endpoint).host : endpoint)
