import type { Agent } from "../../agent/agent.ts"
import { formats } from "../formats/index.ts"
import type { Problem } from "../formats/problem.ts"
import { checkWithRules, type RuleProblem } from "../rules/check.ts"
import { checkingRules, stoppingRules } from "../rules/checking.ts"
import { applyLevels } from "../rules/levels.ts"
import type { RuleFacts } from "../rules/rule.ts"
import type { AgentCandidate, RegistryEntry } from "./entry.ts"
import type { DefinitionFile } from "./file.ts"
import type { NameClaim } from "./name-claims.ts"
import type { RegistryOptions } from "./options.ts"
import {
  type BrokenDefinition,
  type FormatOrder,
  findNameVariants,
  type Resolution,
  resolveEntries,
} from "./resolve.ts"
import { createRivalFinder } from "./rivals.ts"

/**
 * The state of all definitions. Each part is computed at first use: starting one agent needs only the definitions of
 * its name, and checks no others.
 */
export interface ResolvedAgents {
  /** The state of one name. */
  named(name: string): NameResolution
  readonly entries: readonly RegistryEntry[]
  readonly active: ReadonlyMap<string, Agent>
  /** By file: the findings of the reader, of the rules and about other definitions of the same name. */
  readonly findings: ReadonlyMap<DefinitionFile, readonly Problem[]>
  /** The findings that keep a file from being used, whichever severity the configuration gives them. */
  blockingOf(file: DefinitionFile): readonly Problem[]
  /** The findings that keep an agent written in code from being used. */
  blockingInCode(agent: Agent): readonly Problem[]
  /** The broken files, except those whose errors the configuration makes less severe. */
  readonly brokenFiles: readonly string[]
}

/** The agent or the broken definition of a name. */
export interface NameResolution {
  readonly agent: Agent | undefined
  /** The broken definition that keeps every other one from being used by that name. */
  readonly broken: BrokenDefinition | undefined
  /** The definitions whose own name it is. */
  readonly entries: readonly RegistryEntry[]
}

export function resolveAgents(
  candidates: readonly AgentCandidate[],
  claims: readonly NameClaim[],
  files: readonly DefinitionFile[],
  tools: ReadonlySet<string>,
  options: RegistryOptions,
): ResolvedAgents {
  const { formats: order = formats.map(({ id }) => id), userFormats = order, levels = {} } = options
  const orderIn: FormatOrder = (scope) => (scope === "user" ? userFormats : order)
  // The configuration sets only the severity of findings. It cannot decide whether an agent may run.
  const isReadable = ({ file }: AgentCandidate) => !file?.problems.some(blocks)
  const around = once(() =>
    surroundingsOf(resolveEntries(candidates, claims, isReadable, orderIn), tools, options),
  )
  const check = ruleReader(candidates, around)
  const isSound = (candidate: AgentCandidate) =>
    isReadable(candidate) && !check.stopping(candidate).some(blocks)
  const all = once((): Resolution => {
    check.all()
    return resolveEntries(candidates, claims, isSound, orderIn)
  })
  const active = once(() => activeIn(all().entries))
  const rivals = once(() => createRivalFinder(candidates, claims))
  const names = new Map<string, NameResolution>()
  const ofFile = once(() => new Map(candidates.map((candidate) => [candidate.file, candidate])))
  const ofAgent = once(() => new Map(candidates.map((candidate) => [candidate.agent, candidate])))
  const problemsOf = (file: DefinitionFile): readonly Problem[] => {
    const candidate = ofFile().get(file)
    return [...file.problems, ...(candidate ? check.stopping(candidate) : [])]
  }
  const findings = once(() => {
    const byFile = new Map(files.map((file) => [file, applyLevels(file.problems, levels)]))
    const variants = findNameVariants(candidates.filter(isChecked))
    for (const { candidate, problems } of all().entries) {
      const { file } = candidate
      const variant = variants.get(candidate)
      if (file)
        byFile.set(
          file,
          applyLevels(
            [...file.problems, ...check.every(candidate), ...problems, ...(variant ? [variant] : [])],
            levels,
          ),
        )
    }
    return byFile
  })
  return {
    named(name) {
      const cached =
        names.get(name) ?? resolveName(name, () => resolveEntries(...rivals()(name), isSound, orderIn))
      names.set(name, cached)
      return cached
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
    blockingOf: (file) => problemsOf(file).filter(blocks),
    blockingInCode: (agent) => check.stopping(ofAgent().get(agent)!).filter(blocks),
    get brokenFiles() {
      check.all()
      return files
        .filter((file) => applyLevels(problemsOf(file), levels).some(blocks))
        .map(({ path }) => path)
    },
  }
}

const once = <Value>(make: () => Value): (() => Value) => {
  let cached: { readonly value: Value } | undefined
  return () => {
    cached ??= { value: make() }
    return cached.value
  }
}

/** Built-in agents are not checked: they were before release, and must not cause findings about other agents. */
const isChecked = ({ scope }: AgentCandidate): boolean => scope !== "built-in"

interface RuleReader {
  /** The findings of the rules that can keep an agent from running. */
  stopping(candidate: AgentCandidate): readonly Problem[]
  /** The findings of all rules. */
  every(candidate: AgentCandidate): readonly Problem[]
  /** Computes `stopping` for all candidates together. */
  all(): void
}

/** Runs the rules on candidates. Each rule runs once for each candidate. */
function ruleReader(candidates: readonly AgentCandidate[], around: () => RuleFacts): RuleReader {
  const stopping = new Map<AgentCandidate, readonly RuleProblem[]>()
  const look = (some: readonly AgentCandidate[], rules: typeof checkingRules) =>
    checkWithRules(
      rules,
      some.map(({ agent, file }) => ({ agent, format: file?.format, source: file })),
      around(),
    ).map((findings, index) => (some[index]!.file ? findings : findings.filter(isKnowable)))
  const stoppingOf = (candidate: AgentCandidate) => {
    const cached =
      stopping.get(candidate) ?? (isChecked(candidate) ? look([candidate], stoppingRules)[0]! : [])
    stopping.set(candidate, cached)
    return cached
  }
  const all = () => {
    const remaining = candidates.filter((candidate) => isChecked(candidate) && !stopping.has(candidate))
    for (const [index, findings] of look(remaining, stoppingRules).entries())
      stopping.set(remaining[index]!, findings)
  }
  const others = once(() => {
    const checkedCandidates = candidates.filter(isChecked)
    return new Map(
      look(checkedCandidates, otherRules).map((findings, index) => [checkedCandidates[index]!, findings]),
    )
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

/** Findings are shown in the order of the rules. */
const places = new Map(checkingRules.map((rule, place) => [rule, place]))

const problemOf = ({ problem }: RuleProblem): Problem => problem

/** Excludes findings about tools of agents written in code: only the runtime that runs them knows its tools. */
const isKnowable = ({ problem: { code } }: RuleProblem): boolean =>
  !["tool-unknown", "tools-unresolved", "tool-mcp"].includes(code)

const blocks = ({ severity }: Problem): boolean => severity === "error"

function surroundingsOf(
  { entries, broken }: Resolution,
  tools: ReadonlySet<string>,
  { surroundings }: RegistryOptions,
): RuleFacts {
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

function resolveName(name: string, resolved: () => Resolution): NameResolution {
  const { entries, broken } = resolved()
  const active = activeIn(entries)
  const brokenDefinition = broken.get(name)
  return {
    agent: active.get(name) ?? (brokenDefinition ? undefined : findByAlias(active, name)),
    broken: brokenDefinition,
    entries: entries.filter(({ candidate }) => candidate.agent.name === name),
  }
}

function findByAlias(active: ReadonlyMap<string, Agent>, name: string): Agent | undefined {
  for (const agent of active.values()) if (agent.aliases?.includes(name)) return agent
  return undefined
}

const activeIn = (entries: readonly RegistryEntry[]): ReadonlyMap<string, Agent> =>
  new Map(
    entries
      .filter(({ state }) => state.type === "active")
      .map(({ candidate }) => [candidate.agent.name, candidate.agent] as const)
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  )

/** The active agents by name and alias. A name overrides the alias of another agent. */
function agentsByName(entries: readonly RegistryEntry[]): ReadonlyMap<string, Agent> {
  const agents = entries
    .filter(({ state }) => state.type === "active")
    .map(({ candidate: { agent } }) => agent)
  const aliases = agents.flatMap((agent) => (agent.aliases ?? []).map((alias) => [alias, agent] as const))
  return new Map([...aliases, ...agents.map((agent) => [agent.name, agent] as const)])
}
