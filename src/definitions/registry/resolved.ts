import type { Agent } from "../../agent/agent.ts"
import { formats } from "../formats/index.ts"
import type { Problem } from "../formats/problem.ts"
import { type FoundByRule, lookWith } from "../rules/check.ts"
import { checkingRules, stoppingRules } from "../rules/checking.ts"
import { atLevels } from "../rules/levels.ts"
import type { Surroundings } from "../rules/rule.ts"
import type { Candidate, Entry } from "./entry.ts"
import type { ReadFile } from "./file.ts"
import type { NameClaim } from "./name-claims.ts"
import type { RegistryOptions } from "./options.ts"
import { type Broken, type FormatOrder, nameVariants, type Resolution, resolveEntries } from "./resolve.ts"
import { rivalsFor } from "./rivals.ts"

/**
 * What all definitions that were found come to. Each part is worked out when somebody asks for it: whoever starts one
 * agent asks for those of its name, and no others are looked at.
 */
export interface Resolved {
  /** Those of one name. */
  named(name: string): Named
  readonly entries: readonly Entry[]
  readonly active: ReadonlyMap<string, Agent>
  /** By file, what the reader, the rules and the rivals say of it. */
  readonly findings: ReadonlyMap<ReadFile, readonly Problem[]>
  /** What keeps a file from being used, whatever the configuration makes of its findings. */
  blockingOf(file: ReadFile): readonly Problem[]
  /** What keeps an agent written in code from being used. */
  blockingInCode(agent: Agent): readonly Problem[]
  /** Of those that are broken, and of which the configuration wants to hear. */
  readonly brokenFiles: readonly string[]
}

/** What a name comes to. */
export interface Named {
  readonly agent: Agent | undefined
  /** The broken definition that keeps every other one from being used by that name. */
  readonly broken: Broken | undefined
  /** Those whose own name it is. */
  readonly entries: readonly Entry[]
}

export function resolve(
  candidates: readonly Candidate[],
  claims: readonly NameClaim[],
  files: readonly ReadFile[],
  tools: ReadonlySet<string>,
  options: RegistryOptions,
): Resolved {
  const { formats: order = formats.map(({ id }) => id), userFormats = order, levels = {} } = options
  const orderIn: FormatOrder = (scope) => (scope === "user" ? userFormats : order)
  // Whether an agent may run is not for the configuration to decide: it only says how loudly a finding is told.
  const isReadable = ({ file }: Candidate) => !file?.problems.some(blocks)
  const around = once(() =>
    surroundingsOf(resolveEntries(candidates, claims, isReadable, orderIn), tools, options),
  )
  const check = ruleReader(candidates, around)
  const isSound = (candidate: Candidate) => isReadable(candidate) && !check.stopping(candidate).some(blocks)
  const all = once((): Resolution => {
    check.all()
    return resolveEntries(candidates, claims, isSound, orderIn)
  })
  const active = once(() => activeIn(all().entries))
  const rivals = once(() => rivalsFor(candidates, claims))
  const names = new Map<string, Named>()
  const ofFile = once(() => new Map(candidates.map((candidate) => [candidate.file, candidate])))
  const ofAgent = once(() => new Map(candidates.map((candidate) => [candidate.agent, candidate])))
  const saidOf = (file: ReadFile): readonly Problem[] => {
    const candidate = ofFile().get(file)
    return [...file.problems, ...(candidate ? check.stopping(candidate) : [])]
  }
  const findings = once(() => {
    const found = new Map(files.map((file) => [file, atLevels(file.problems, levels)]))
    const variants = nameVariants(candidates.filter(isWritten))
    for (const { candidate, problems } of all().entries) {
      const { file } = candidate
      const variant = variants.get(candidate)
      if (file)
        found.set(
          file,
          atLevels(
            [...file.problems, ...check.every(candidate), ...problems, ...(variant ? [variant] : [])],
            levels,
          ),
        )
    }
    return found
  })
  return {
    named(name) {
      const known =
        names.get(name) ?? namedIn(name, () => resolveEntries(...rivals()(name), isSound, orderIn))
      names.set(name, known)
      return known
    },
    get entries() {
      return all().entries
    },
    get active() {
      return active()
    },
    get findings() {
      return findings()
    },
    blockingOf: (file) => saidOf(file).filter(blocks),
    blockingInCode: (agent) => check.stopping(ofAgent().get(agent)!).filter(blocks),
    get brokenFiles() {
      check.all()
      return files.filter((file) => atLevels(saidOf(file), levels).some(blocks)).map(({ path }) => path)
    },
  }
}

const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** What ships is checked before it does, and is no reason to find fault with what somebody wrote. */
const isWritten = ({ scope }: Candidate): boolean => scope !== "built-in"

interface RuleReader {
  /** What the rules say that can keep it from running. */
  stopping(candidate: Candidate): readonly Problem[]
  /** What all rules say. */
  every(candidate: Candidate): readonly Problem[]
  /** The first of these for all candidates, at one go. */
  all(): void
}

/** What the rules find in candidates, each rule asked once. */
function ruleReader(candidates: readonly Candidate[], around: () => Surroundings): RuleReader {
  const stopping = new Map<Candidate, readonly FoundByRule[]>()
  const look = (some: readonly Candidate[], rules: typeof checkingRules) =>
    lookWith(
      rules,
      some.map(({ agent, file }) => ({ agent, format: file?.format, source: file })),
      around(),
    ).map((found, index) => (some[index]!.file ? found : found.filter(isKnowable)))
  const stoppingOf = (candidate: Candidate) => {
    const known =
      stopping.get(candidate) ?? (isWritten(candidate) ? look([candidate], stoppingRules)[0]! : [])
    stopping.set(candidate, known)
    return known
  }
  const all = () => {
    const left = candidates.filter((candidate) => isWritten(candidate) && !stopping.has(candidate))
    for (const [index, found] of look(left, stoppingRules).entries()) stopping.set(left[index]!, found)
  }
  const others = once(() => {
    const written = candidates.filter(isWritten)
    return new Map(look(written, otherRules).map((found, index) => [written[index]!, found]))
  })
  return {
    stopping: (candidate) => stoppingOf(candidate).map(problemOf),
    every: (candidate) =>
      [...stoppingOf(candidate), ...(others().get(candidate) ?? [])]
        .sort((one, other) => places.get(one.rule)! - places.get(other.rule)!)
        .map(problemOf),
    all,
  }
}

const otherRules = checkingRules.filter((rule) => !stoppingRules.includes(rule))

/** Findings are told in the order of the rules. */
const places = new Map(checkingRules.map((rule, place) => [rule, place]))

const problemOf = ({ problem }: FoundByRule): Problem => problem

/** Which tools there are for an agent written in code, only the runtime knows that runs it. */
const isKnowable = ({ problem: { code } }: FoundByRule): boolean =>
  !["tool-unknown", "tools-unresolved", "tool-mcp"].includes(code)

const blocks = ({ severity }: Problem): boolean => severity === "error"

function surroundingsOf(
  { entries, broken }: Resolution,
  tools: ReadonlySet<string>,
  { surroundings }: RegistryOptions,
): Surroundings {
  return {
    tools,
    lockedVariables: surroundings?.lockedVariables,
    denials: surroundings?.denials,
    delegation: surroundings?.delegation,
    written: surroundings?.written,
    agents: agentsByName(entries),
    brokenAgents: new Map([...broken].map(([name, { file }]) => [name, file?.path])),
  }
}

function namedIn(name: string, resolved: () => Resolution): Named {
  const { entries, broken } = resolved()
  const active = activeIn(entries)
  const own = broken.get(name)
  return {
    agent: active.get(name) ?? (own ? undefined : aliased(active, name)),
    broken: own,
    entries: entries.filter(({ candidate }) => candidate.agent.name === name),
  }
}

function aliased(active: ReadonlyMap<string, Agent>, name: string): Agent | undefined {
  for (const agent of active.values()) if (agent.aliases?.includes(name)) return agent
  return undefined
}

const activeIn = (entries: readonly Entry[]): ReadonlyMap<string, Agent> =>
  new Map(
    entries
      .filter(({ state }) => state.type === "active")
      .map(({ candidate }) => [candidate.agent.name, candidate.agent] as const)
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  )

/** Those that are used, by name and by other names; a name of its own comes before another's alias. */
function agentsByName(entries: readonly Entry[]): ReadonlyMap<string, Agent> {
  const agents = entries
    .filter(({ state }) => state.type === "active")
    .map(({ candidate: { agent } }) => agent)
  const aliases = agents.flatMap((agent) => (agent.aliases ?? []).map((alias) => [alias, agent] as const))
  return new Map([...aliases, ...agents.map((agent) => [agent.name, agent] as const)])
}
