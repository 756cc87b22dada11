import os from "node:os"
import path from "node:path"
import { type Agent, type AgentInput, defineAgent, type Scope } from "../../agent/agent.ts"
import { lookUpTool, splitToolName } from "../../agent/catalogue/look-up.ts"
import type { Diagnostic, Severity } from "../../ground/diagnostics/diagnostic.ts"
import { CadreError, knownNames, type StartPlace, type StartProblem } from "../../ground/errors.ts"
import { type KnownOptions, requireKnownOptions } from "../../ground/options.ts"
import { userConfigurationFolder } from "../configuration/folders.ts"
import { AgentFileError } from "../formats/agent-file-error.ts"
import type { Format } from "../formats/format.ts"
import { formats } from "../formats/index.ts"
import { builtInRoots } from "./built-in.ts"
import type { Changes } from "./changes.ts"
import type { Candidate, Entry } from "./entry.ts"
import { diagnosticsOf, type ReadFile, readDefinition } from "./file.ts"
import { Folders } from "./folders.ts"
import { type NameClaim, nameClaims, stemOf } from "./name-claims.ts"
import type { RegistryOptions } from "./options.ts"
import type { Broken } from "./resolve.ts"
import { type Resolved, resolve } from "./resolved.ts"
import { knownRoots, type Root, rootsAt, type Surrounding } from "./root.ts"
import { placeInFile, startPlace } from "./start-place.ts"
import { type Watching, watchFolders } from "./watch.ts"

export interface LoadOptions {
  readonly scope?: Scope
  /** Id of the format; left out, each file's folder and ending tell. */
  readonly format?: string
  readonly recursive?: boolean
}

/**
 * Agents by name, from code and from files. A broken definition is kept with its diagnostics. It hides none of another
 * name, and none of its own name is used in its place. Nothing is run, and nothing is written.
 */
export class SubagentRegistry {
  readonly #options: RegistryOptions
  readonly #code = new Map<string, Agent>()
  /** Names of tools that agents may be granted beyond the built-in ones. */
  readonly #tools: Set<string>
  readonly #folders: Folders
  #found: readonly Candidate[] | undefined
  #resolved: Resolved | undefined
  #all: readonly Agent[] | undefined
  #count: number | undefined

  constructor(options: RegistryOptions = {}) {
    requireKnownOptions("SubagentRegistry", options, registryOptions)
    this.#options = options
    this.#tools = new Set(options.tools)
    this.#folders = new Folders(options.onRead)
  }

  /** Adds an agent written in code, in place of one of that name. Throws AGENT_INVALID with every problem at once. */
  register(agent: Agent | AgentInput, knownTools?: Iterable<string>): Agent {
    const value = "origin" in agent ? agent : defineAgent(agent)
    const known = knownTools && new Set(knownTools)
    checkNames(value, known, this.#options.surroundings?.skills)
    for (const tool of known ?? []) this.#tools.add(tool)
    this.#code.set(value.name, value)
    this.#changed()
    return value
  }

  registerAll(agents: Iterable<Agent | AgentInput>, knownTools?: Iterable<string>): void {
    for (const agent of agents) this.register(agent, knownTools)
  }

  /** Throws AGENT_UNKNOWN, naming those there are, or AGENT_INVALID, saying what is wrong with it. */
  get(name: string): Agent {
    const agent = this.find(name)
    if (agent) return agent
    const broken = this.broken(name)
    if (broken) throw this.#brokenError(name, broken)
    const unread = this.files().find((file) => isNamedLike(file, name))
    if (unread) throw new AgentFileError(this.#diagnosticsOf(unread), "AGENT_INVALID", brokenWords(name))
    throw new CadreError(
      "AGENT_UNKNOWN",
      `Subagent '${name}' not found. Available: ${this.names().join(", ") || "none"}. ${suggestion(name, this.names())}`.trim(),
    )
  }

  /** The agent, or undefined: also where the first definition of that name is broken. */
  find(name: string): Agent | undefined {
    return this.#resolve().named(name).agent
  }

  /** The broken definition that keeps every other one from being used by that name. */
  broken(name: string): Broken | undefined {
    return this.#resolve().named(name).broken
  }

  has(name: string): boolean {
    return this.find(name) !== undefined
  }

  /** Sound agents, by name. */
  all(): readonly Agent[] {
    this.#all ??= Object.freeze([...this.#resolve().active.values()])
    return this.#all
  }

  names(): readonly string[] {
    return [...this.#resolve().active.keys()]
  }

  descriptions(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.all().map(({ name, description }) => [name, description]))
  }

  /** How many names are defined, broken ones included. */
  get count(): number {
    this.#count ??= this.#namesOnce().size
    return this.#count
  }

  /** Takes an agent written in code away; what a file defines goes when the file does. */
  remove(name: string): boolean {
    this.#changed()
    return this.#code.delete(name)
  }

  clear(): void {
    this.#code.clear()
    this.#folders.clear()
    this.#changed()
  }

  /** Reads one file. Throws AGENT_INVALID where it gives no agent that could run. */
  loadFromFile(file: string, options: LoadOptions = {}): Agent {
    requireKnownOptions("loadFromFile", options, loadOptions)
    const root = this.#root(path.resolve(file), "file", options)
    this.#add(root)
    const entry = this.entries().find(({ candidate }) => candidate.file?.path === root.path)
    if (entry && entry.state.type !== "broken") return entry.candidate.agent
    const read =
      this.files().find(({ path }) => path === root.path) ?? readDefinition(root.path, root.format, {})
    throw new AgentFileError(diagnosticsOf(read, this.#resolve().findings.get(read)))
  }

  /** Reads the files of a folder; one that is not there is fine. */
  loadFromDirectory(folder: string, options: LoadOptions = {}): void {
    requireKnownOptions("loadFromDirectory", options, loadOptions)
    this.#add(this.#root(path.resolve(folder), "folder", options))
  }

  /** Adds the agents that ship with cadre; those of `hide` are left out, and `*` is all of them. Others of their names win. */
  loadBuiltIn({ hide = [] }: { readonly hide?: readonly string[] } = {}): void {
    for (const root of builtInRoots(hide)) this.#add(root)
  }

  /** Looks in every place that any format keeps its files: the user's, installed packages' and the project's. */
  autoDiscover(surrounding: Surrounding = surroundingOf()): void {
    for (const root of knownRoots(surrounding)) this.#add(root)
  }

  /** Reads what a person points at: a file, a folder of files, or a folder with the known places below it. */
  loadFromPath(target: string, format?: string): void {
    for (const root of rootsAt(path.resolve(target), format === undefined ? undefined : formatNamed(format)))
      this.#add(root)
  }

  /** Looks at everything again. Cheap where nothing has changed; a run that has started keeps what it started with. */
  reload(): Changes {
    const changes = this.#folders.refresh()
    if (changes.added.length + changes.changed.length + changes.removed.length > 0) this.#changed()
    return changes
  }

  /** Reloads when files change and tells what did. */
  watch(listener: (changes: Changes) => void, options: { debounce?: number } = {}): Watching {
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

  placeOf(agent: Agent, problem: StartProblem): StartPlace | undefined {
    if (problem.file !== undefined) return placeInFile(problem.file, problem)
    const { file } = agent.origin
    const read = file === undefined ? undefined : this.files().find(({ path }) => path === file)
    return read && startPlace(read, agent, problem)
  }

  /** What was found of one name, with what became of it. */
  entriesOf(name: string): readonly Entry[] {
    return this.#resolve().named(name).entries
  }

  /** Every definition that was found, whatever became of it. */
  candidates(): readonly Candidate[] {
    this.#found ??= this.#candidates()
    return this.#found
  }

  /** The files that cannot be used, as far as the configuration wants to hear of them. */
  brokenFiles(): readonly string[] {
    return this.#resolve().brokenFiles
  }

  /** Everything that was found, with what became of it. */
  entries(): readonly Entry[] {
    return this.#resolve().entries
  }

  /** By file: the first error of each that cannot be used. */
  errors(): Readonly<Record<string, string>> {
    const errors: Record<string, string> = {}
    for (const diagnostic of this.diagnostics())
      if (diagnostic.severity === "error" && diagnostic.file !== undefined)
        errors[diagnostic.file] ??= diagnostic.message
    return errors
  }

  /** How much there is to say, file by file, without looking up where: that costs more than all the rest. */
  findings(): readonly { readonly file: string; readonly severity: Severity; readonly fix?: unknown }[] {
    const { findings } = this.#resolve()
    return this.files().flatMap((file) =>
      findings
        .get(file)!
        .map(({ severity, fix }) =>
          fix ? { file: file.path, severity, fix } : { file: file.path, severity },
        ),
    )
  }

  /** Everything there is to say about what was found, file by file. */
  diagnostics(): readonly Diagnostic[] {
    const { findings } = this.#resolve()
    return this.files().flatMap((file) => diagnosticsOf(file, findings.get(file)))
  }

  /** Every file that was looked at. */
  files(): readonly ReadFile[] {
    return [...this.#folders.files()].map(({ file }) => file)
  }

  /** Nothing that was worked out before holds any more. */
  #changed(): void {
    this.#found = undefined
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

  #resolve(): Resolved {
    this.#resolved ??= resolve(this.candidates(), this.#claims(), this.files(), this.#tools, this.#options)
    return this.#resolved
  }

  #namesOnce(): ReadonlySet<string> {
    const names = new Set(this.#code.keys())
    for (const name of this.#folders.names()) names.add(name)
    return names
  }

  #candidates(): readonly Candidate[] {
    const candidates: Candidate[] = []
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
    return [...this.#folders.files()].flatMap(({ file, root }) => nameClaims(file, root))
  }

  #brokenError(name: string, { file, agent }: Broken): CadreError {
    if (file) return new AgentFileError(this.#diagnosticsOf(file), "AGENT_INVALID", brokenWords(name))
    const why = this.#resolve().blockingInCode(agent!)
    return new CadreError("AGENT_INVALID", brokenWords(name) + why.map(({ message }) => message).join(" "))
  }

  /** What keeps a file from being used, however loudly the configuration has it told. */
  #diagnosticsOf(file: ReadFile): readonly Diagnostic[] {
    const blocking = this.#resolve().blockingOf(file)
    return diagnosticsOf(file, blocking.length > 0 ? blocking : file.problems)
  }
}

const brokenWords = (name: string): string => `Subagent '${name}' is broken: `

/** A file that gives no agent at all is also meant by its own name, where it says another. */
const isNamedLike = (file: ReadFile, name: string): boolean =>
  file.agent === undefined &&
  stemOf(file) === name &&
  file.problems.some(({ severity }) => severity === "error")

const surroundingOf = (): Surrounding => ({
  cwd: process.cwd(),
  home: os.homedir(),
  userFolder: userConfigurationFolder(process.env, os.homedir()),
})

/** Throws where an agent names a tool or a skill that nobody knows. What is not known at all is not checked. */
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
  const wrong = tools ? [...allow, ...deny].filter((name) => !isKnown(name)) : []
  const missing = skills ? (agent.skills ?? []).filter((skill) => !skills.has(skill)) : []
  if (wrong.length + missing.length === 0) return
  const lines = [
    ...wrong.map((name) => `Unknown tool '${name}' in subagent '${agent.name}'`),
    ...(wrong[0] === undefined ? [] : [knownNames(wrong[0], tools!)]),
    ...missing.map((skill) => `Unknown skill '${skill}' in subagent '${agent.name}'`),
    ...(missing[0] === undefined ? [] : [knownNames(missing[0], skills!)]),
  ]
  throw new CadreError("AGENT_INVALID", `Invalid subagent '${agent.name}':\n${lines.join("\n")}`)
}

/** The format of that id. Throws where there is none. */
function formatNamed(id: string): Format {
  const format = formats.find((candidate) => candidate.id === id)
  if (format) return format
  throw new CadreError(
    "AGENT_INVALID",
    `There is no format ${JSON.stringify(id)}. ${knownNames(
      id,
      formats.map((known) => known.id),
    )}`,
  )
}

function suggestion(name: string, names: readonly string[]): string {
  const [first] = knownNames(name, names).split("? Known")
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
