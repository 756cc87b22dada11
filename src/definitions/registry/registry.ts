import os from "node:os"
import path from "node:path"
import { type Agent, type AgentInput, type AgentScope, defineAgent } from "../../agent/agent.ts"
import { lookUpTool, splitToolName } from "../../agent/catalogue/look-up.ts"
import type { Diagnostic, DiagnosticSeverity } from "../../ground/diagnostics/diagnostic.ts"
import { CadreError, listKnownNames, type StartPlace, type StartProblem } from "../../ground/errors.ts"
import { type KnownOptions, requireKnownOptions } from "../../ground/options.ts"
import { locateUserConfiguration } from "../configuration/folders.ts"
import { AgentFileError } from "../formats/agent-file-error.ts"
import type { Format } from "../formats/format.ts"
import { formats } from "../formats/index.ts"
import { listBuiltInRoots } from "./built-in.ts"
import type { RegistryChanges } from "./changes.ts"
import type { AgentCandidate, RegistryEntry } from "./entry.ts"
import { type DefinitionFile, diagnoseFile, readDefinition } from "./file.ts"
import { Folders } from "./folders.ts"
import { findNameClaims, getFileStem, type NameClaim } from "./name-claims.ts"
import type { RegistryOptions } from "./options.ts"
import type { BrokenDefinition } from "./resolve.ts"
import { type ResolvedAgents, resolveAgents } from "./resolved.ts"
import { type DiscoveryPlaces, listDefinitionRoots, listRootsAt, type Root } from "./root.ts"
import { findPlaceInFile, findStartPlace } from "./start-place.ts"
import { type Watching, watchFolders } from "./watch.ts"

/** The way in which a registry reads a file or a folder. */
export interface LoadOptions {
  /** The scope of the agents that are read. Default: `project`. */
  readonly scope?: AgentScope
  /** Id of the format. Default: the folder, content and ending of each file decide. */
  readonly format?: string
  /** True: folders below are read, too. Default: false. */
  readonly recursive?: boolean
}

/**
 * Agents by name, from code and from files. A broken definition is kept with its diagnostics. It hides no agent of
 * another name, and no other definition of its own name replaces it. Nothing is run, and nothing is written.
 *
 * @example
 * ```ts
 * import { createRuntime } from "cadre"
 * import { SubagentRegistry } from "cadre/files"
 *
 * const registry = new SubagentRegistry()
 * registry.loadFromDirectory(".claude/agents", { format: "claude" })
 * registry.register({ name: "greeter", instructions: "Greet the person." })
 * console.log(registry.names(), registry.errors())
 * const runtime = createRuntime({ agents: registry })
 * ```
 */
export class SubagentRegistry {
  readonly #options: RegistryOptions
  readonly #code = new Map<string, Agent>()
  /** Names of tools that agents may be granted beyond the built-in ones. */
  readonly #tools: Set<string>
  readonly #folders: Folders
  #allCandidates: readonly AgentCandidate[] | undefined
  #resolved: ResolvedAgents | undefined
  #all: readonly Agent[] | undefined
  #count: number | undefined

  constructor(options: RegistryOptions = {}) {
    requireKnownOptions("SubagentRegistry", options, registryOptions)
    this.#options = options
    this.#tools = new Set(options.tools)
    this.#folders = new Folders(options.onRead)
  }

  /** Adds an agent written in code, and replaces an earlier one of that name. Throws AGENT_INVALID with all problems. */
  register(agent: Agent | AgentInput, knownTools?: Iterable<string>): Agent {
    const value = "origin" in agent ? agent : defineAgent(agent)
    const toolNames = knownTools && new Set(knownTools)
    checkNames(value, toolNames, this.#options.surroundings?.skills)
    for (const tool of toolNames ?? []) this.#tools.add(tool)
    this.#code.set(value.name, value)
    this.#changed()
    return value
  }

  /**
   * Adds agents written in code, one after the other. The first invalid one throws, and those before it
   * stay.
   */
  registerAll(agents: Iterable<Agent | AgentInput>, knownTools?: Iterable<string>): void {
    for (const agent of agents) this.register(agent, knownTools)
  }

  /** Throws AGENT_UNKNOWN with the available names, or AGENT_INVALID with the errors of a broken definition. */
  get(name: string): Agent {
    const agent = this.find(name)
    if (agent) return agent
    const broken = this.broken(name)
    if (broken) throw this.#brokenError(name, broken)
    const unreadable = this.files().find((file) => isNamedLike(file, name))
    if (unreadable)
      throw new AgentFileError(this.#diagnosticsOf(unreadable), "AGENT_INVALID", brokenWords(name))
    throw new CadreError(
      "AGENT_UNKNOWN",
      `Subagent '${name}' not found. Available: ${this.names().join(", ") || "none"}. ${suggestion(name, this.names())}`.trim(),
    )
  }

  /** The agent; undefined if there is none, or if the first definition of that name is broken. */
  find(name: string): Agent | undefined {
    return this.#resolve().named(name).agent
  }

  /** The broken definition that keeps every other one from being used by that name. */
  broken(name: string): BrokenDefinition | undefined {
    return this.#resolve().named(name).broken
  }

  /** True if an agent of that name or alias can run. A broken definition does not count. */
  has(name: string): boolean {
    return this.find(name) !== undefined
  }

  /** All agents that can run, sorted by name. */
  all(): readonly Agent[] {
    this.#all ??= Object.freeze([...this.#resolve().active.values()])
    return this.#all
  }

  /** The names of all agents that can run, sorted, without their aliases. */
  names(): readonly string[] {
    return [...this.#resolve().active.keys()]
  }

  /** The descriptions of all agents that can run, by name. */
  descriptions(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.all().map(({ name, description }) => [name, description]))
  }

  /** The number of defined names, broken ones included. */
  get count(): number {
    this.#count ??= this.#namesOnce().size
    return this.#count
  }

  /** Removes an agent written in code. An agent of a file stays as long as the file does. */
  remove(name: string): boolean {
    this.#changed()
    return this.#code.delete(name)
  }

  /** Removes all agents, and forgets all files and folders. `reload` does not bring them back. */
  clear(): void {
    this.#code.clear()
    this.#folders.clear()
    this.#changed()
  }

  /** Reads one file. Throws AGENT_INVALID if it defines no agent that can run. */
  loadFromFile(file: string, options: LoadOptions = {}): Agent {
    requireKnownOptions("loadFromFile", options, loadOptions)
    const root = this.#root(path.resolve(file), "file", options)
    this.#add(root)
    const entry = this.entries().find(({ candidate }) => candidate.file?.path === root.path)
    if (entry && entry.state.type !== "broken") return entry.candidate.agent
    const read =
      this.files().find(({ path }) => path === root.path) ?? readDefinition(root.path, root.format, {})
    throw new AgentFileError(diagnoseFile(read, this.#resolve().findings.get(read)))
  }

  /** Reads the files of a folder. A missing folder is fine. */
  loadFromDirectory(folder: string, options: LoadOptions = {}): void {
    requireKnownOptions("loadFromDirectory", options, loadOptions)
    this.#add(this.#root(path.resolve(folder), "folder", options))
  }

  /** Adds the built-in agents, except those of `hide` (`*` hides all). Other agents of the same name override them. */
  loadBuiltIn({ hide = [] }: { readonly hide?: readonly string[] } = {}): void {
    for (const root of listBuiltInRoots(hide)) this.#add(root)
  }

  /** Reads every known folder of every format: of the user, of installed packages and of the project. */
  autoDiscover(surrounding: DiscoveryPlaces = surroundingOf()): void {
    for (const root of listDefinitionRoots(surrounding)) this.#add(root)
  }

  /** Reads a path that a person names: a file, a folder of files, or a folder with known folders below it. */
  loadFromPath(target: string, format?: string): void {
    for (const root of listRootsAt(
      path.resolve(target),
      format === undefined ? undefined : formatNamed(format),
    ))
      this.#add(root)
  }

  /** Reads changed files again, which is cheap if nothing changed. A run that has started keeps its agent. */
  reload(): RegistryChanges {
    const changes = this.#folders.refresh()
    if (changes.added.length + changes.changed.length + changes.removed.length > 0) this.#changed()
    return changes
  }

  /** Reloads when files change, and calls the listener with the changes. */
  watch(listener: (changes: RegistryChanges) => void, options: { debounce?: number } = {}): Watching {
    requireKnownOptions("watch", options, { debounce: "known" })
    return watchFolders(
      () => this.#folders.roots().filter(({ scope }) => scope !== "built-in"),
      () => {
        const changes = this.reload()
        if (changes.added.length + changes.changed.length + changes.removed.length > 0) listener(changes)
      },
      options.debounce ?? 100,
    )
  }

  /** The line and column of a problem that keeps an agent from starting. Undefined: no known file has it. */
  placeOf(agent: Agent, problem: StartProblem): StartPlace | undefined {
    if (problem.file !== undefined) return findPlaceInFile(problem.file, problem)
    const { file } = agent.origin
    const read = file === undefined ? undefined : this.files().find(({ path }) => path === file)
    return read && findStartPlace(read, agent, problem)
  }

  /** All definitions of one name, with their state. */
  entriesOf(name: string): readonly RegistryEntry[] {
    return this.#resolve().named(name).entries
  }

  /** Every definition that was found, in any state. */
  candidates(): readonly AgentCandidate[] {
    this.#allCandidates ??= this.#candidates()
    return this.#allCandidates
  }

  /** The files that cannot be used, except those whose errors the configuration makes less severe. */
  brokenFiles(): readonly string[] {
    return this.#resolve().brokenFiles
  }

  /** Every definition, with its state. */
  entries(): readonly RegistryEntry[] {
    return this.#resolve().entries
  }

  /** By file: the first error of each file that has one. */
  errors(): Readonly<Record<string, string>> {
    const errors: Record<string, string> = {}
    for (const diagnostic of this.diagnostics())
      if (diagnostic.severity === "error" && diagnostic.file !== undefined)
        errors[diagnostic.file] ??= diagnostic.message
    return errors
  }

  /** The severities of all findings, file by file, without their places: looking up places is the slowest part. */
  findings(): readonly {
    readonly file: string
    readonly severity: DiagnosticSeverity
    readonly fix?: unknown
  }[] {
    const { findings } = this.#resolve()
    return this.files().flatMap((file) =>
      findings
        .get(file)!
        .map(({ severity, fix }) =>
          fix ? { file: file.path, severity, fix } : { file: file.path, severity },
        ),
    )
  }

  /** All findings, file by file. */
  diagnostics(): readonly Diagnostic[] {
    const { findings } = this.#resolve()
    return this.files().flatMap((file) => diagnoseFile(file, findings.get(file)))
  }

  /** Every file that was read or refused. */
  files(): readonly DefinitionFile[] {
    return [...this.#folders.files()].map(({ file }) => file)
  }

  /** Clears all cached results. */
  #changed(): void {
    this.#allCandidates = undefined
    this.#resolved = undefined
    this.#all = undefined
    this.#count = undefined
  }

  #add(root: Root): void {
    this.#folders.add(root)
    this.#changed()
  }

  #root(file: string, kind: Root["kind"], { scope = "project", format, recursive }: LoadOptions): Root {
    return {
      path: file,
      kind,
      scope,
      format: format === undefined ? undefined : formatNamed(format),
      depth: recursive ? "nested" : "flat",
      boundary: undefined,
      distance: 0,
      options: { scope, agentsDir: kind === "file" ? path.dirname(file) : file },
    }
  }

  #resolve(): ResolvedAgents {
    this.#resolved ??= resolveAgents(
      this.candidates(),
      this.#claims(),
      this.files(),
      this.#tools,
      this.#options,
    )
    return this.#resolved
  }

  #namesOnce(): ReadonlySet<string> {
    const names = new Set(this.#code.keys())
    for (const name of this.#folders.names()) names.add(name)
    return names
  }

  #candidates(): readonly AgentCandidate[] {
    const candidates: AgentCandidate[] = []
    for (const agent of this.#code.values())
      candidates.push({ agent, scope: "project", folder: "", distance: -1, file: undefined })
    for (const { file, root } of this.#folders.files())
      if (file.agent)
        candidates.push({
          agent: file.agent,
          scope: root.scope,
          folder: root.path,
          distance: root.distance,
          file,
        })
    return candidates
  }

  #claims(): readonly NameClaim[] {
    return [...this.#folders.files()].flatMap(({ file, root }) => findNameClaims(file, root))
  }

  #brokenError(name: string, { file, agent }: BrokenDefinition): CadreError {
    if (file) return new AgentFileError(this.#diagnosticsOf(file), "AGENT_INVALID", brokenWords(name))
    const why = this.#resolve().blockingInCode(agent!)
    return new CadreError("AGENT_INVALID", brokenWords(name) + why.map(({ message }) => message).join(" "))
  }

  /** The findings that keep a file from being used, whichever severity the configuration gives them. */
  #diagnosticsOf(file: DefinitionFile): readonly Diagnostic[] {
    const blocking = this.#resolve().blockingOf(file)
    return diagnoseFile(file, blocking.length > 0 ? blocking : file.problems)
  }
}

const brokenWords = (name: string): string => `Subagent '${name}' is broken: `

/** True if a file without a readable agent has the name as its file name. */
const isNamedLike = (file: DefinitionFile, name: string): boolean =>
  file.agent === undefined &&
  getFileStem(file) === name &&
  file.problems.some(({ severity }) => severity === "error")

const surroundingOf = (): DiscoveryPlaces => ({
  cwd: process.cwd(),
  home: os.homedir(),
  userFolder: locateUserConfiguration(process.env, os.homedir()),
})

/** Throws if an agent names an unknown tool or skill. Without a list of tools or skills, nothing is checked. */
function checkNames(
  agent: Agent,
  tools: ReadonlySet<string> | undefined,
  skills: ReadonlySet<string> | undefined,
): void {
  const isKnown = (text: string) => {
    const tool = lookUpTool(text)
    return (
      text.includes("*") ||
      tools?.has(splitToolName(text).name) ||
      (tool.type === "equivalent" && tools?.has(tool.name))
    )
  }
  const { allow, deny } = agent.tools
  const unknownTools = tools ? [...allow, ...deny].filter((name) => !isKnown(name)) : []
  const unknownSkills = skills ? (agent.skills ?? []).filter((skill) => !skills.has(skill)) : []
  if (unknownTools.length + unknownSkills.length === 0) return
  const lines = [
    ...unknownTools.map((name) => `Unknown tool '${name}' in subagent '${agent.name}'`),
    ...(unknownTools[0] === undefined ? [] : [listKnownNames(unknownTools[0], tools!)]),
    ...unknownSkills.map((skill) => `Unknown skill '${skill}' in subagent '${agent.name}'`),
    ...(unknownSkills[0] === undefined ? [] : [listKnownNames(unknownSkills[0], skills!)]),
  ]
  throw new CadreError("AGENT_INVALID", `Invalid subagent '${agent.name}':\n${lines.join("\n")}`)
}

/** Finds the format with an id, or throws. */
function formatNamed(id: string): Format {
  const format = formats.find((candidate) => candidate.id === id)
  if (format) return format
  throw new CadreError(
    "AGENT_INVALID",
    `Unknown format ${JSON.stringify(id)}. ${listKnownNames(
      id,
      formats.map((format) => format.id),
    )}`,
  )
}

function suggestion(name: string, names: readonly string[]): string {
  const [first] = listKnownNames(name, names).split("? Known")
  return first?.startsWith("Did you mean") ? `${first}?` : ""
}

const registryOptions: KnownOptions<RegistryOptions> = {
  tools: "known",
  formats: "known",
  userFormats: "known",
  surroundings: "known",
  onRead: "known",
  levels: "known",
}

const loadOptions: KnownOptions<LoadOptions> = { scope: "known", format: "known", recursive: "known" }
