import type { Agent } from "../../agent/agent.ts"
import { formats } from "../formats/index.ts"
import type { Problem } from "../formats/problem.ts"
import { checkAgents } from "../rules/check.ts"
import { atLevels } from "../rules/levels.ts"
import type { Candidate, Entry } from "./entry.ts"
import type { ReadFile } from "./file.ts"
import type { NameClaim } from "./name-claims.ts"
import type { RegistryOptions } from "./options.ts"
import { type Broken, type FormatOrder, nameVariants, resolveEntries } from "./resolve.ts"

/** What all definitions that were found come to. */
export interface Resolved {
  readonly entries: readonly Entry[]
  readonly active: ReadonlyMap<string, Agent>
  /** By name and other names, the broken definitions that keep every other one from being used by them. */
  readonly broken: ReadonlyMap<string, Broken>
  /** What the reader, the rules and the rivals say of each file. */
  readonly findings: ReadonlyMap<ReadFile, readonly Problem[]>
  /** What keeps each file from being used, whatever the configuration makes of its findings. */
  readonly blocking: ReadonlyMap<ReadFile, readonly Problem[]>
  /** What the rules say of agents written in code. */
  readonly inCode: ReadonlyMap<Agent, readonly Problem[]>
}

/** Checks all candidates, and settles which of each name is used. */
export function resolve(
  candidates: readonly Candidate[],
  claims: readonly NameClaim[],
  files: readonly ReadFile[],
  tools: ReadonlySet<string>,
  options: RegistryOptions,
): Resolved {
  const {
    formats: order = formats.map(({ id }) => id),
    userFormats = order,
    surroundings,
    levels = {},
  } = options
  const orderIn: FormatOrder = (scope) => (scope === "user" ? userFormats : order)
  // Whether an agent may run is not for the configuration to decide: it only says how loudly a finding is told.
  const isReadable = ({ file }: Candidate) => !file || !isBlocked(file.problems)
  // What ships is checked before it does, and is no reason to find fault with what somebody wrote.
  const written = candidates.filter(({ scope }) => scope !== "built-in")
  const readable = resolveEntries(candidates, claims, isReadable, orderIn)
  const found = checkAgents(
    written.map(({ agent, file }) => ({ agent, format: file?.format, source: file })),
    {
      tools,
      lockedVariables: surroundings?.lockedVariables,
      denials: surroundings?.denials,
      delegation: surroundings?.delegation,
      written: surroundings?.written,
      agents: agentsByName(readable.entries),
      brokenAgents: new Map([...readable.broken].map(([name, { file }]) => [name, file?.path])),
    },
  )
  const byRules = new Map(
    written.map((candidate, index) => [
      candidate,
      candidate.file ? found[index]! : found[index]!.filter(isKnowable),
    ]),
  )
  const isSound = (candidate: Candidate) => isReadable(candidate) && !isBlocked(byRules.get(candidate) ?? [])
  const { entries, broken } = resolveEntries(candidates, claims, isSound, orderIn)
  const variants = nameVariants(written)
  const findings = new Map(files.map((file) => [file, atLevels(file.problems, levels)]))
  const blocking = new Map(files.map((file) => [file, file.problems.filter(blocks)]))
  const inCode = new Map<Agent, readonly Problem[]>()
  for (const { candidate, problems: rivals } of entries) {
    const { file, agent } = candidate
    const variant = variants.get(candidate)
    const more = [...(byRules.get(candidate) ?? []), ...rivals, ...(variant ? [variant] : [])]
    if (file) {
      findings.set(file, atLevels([...file.problems, ...more], levels))
      blocking.set(file, [...file.problems, ...(byRules.get(candidate) ?? [])].filter(blocks))
    } else inCode.set(agent, more)
  }
  const active = entries
    .filter(({ state }) => state.type === "active")
    .map(({ candidate }) => [candidate.agent.name, candidate.agent] as const)
    .sort(([left], [right]) => (left < right ? -1 : 1))
  return { entries, active: new Map(active), broken, findings, blocking, inCode }
}

/** Which tools there are for an agent written in code, only the runtime knows that runs it. */
const isKnowable = ({ code }: Problem): boolean =>
  !["tool-unknown", "tools-unresolved", "tool-mcp"].includes(code)

const isBlocked = (problems: readonly Problem[]): boolean => problems.some(blocks)

const blocks = ({ severity }: Problem): boolean => severity === "error"

/** Those that are used, by name and by other names; a name of its own comes before another's alias. */
function agentsByName(entries: readonly Entry[]): ReadonlyMap<string, Agent> {
  const agents = entries
    .filter(({ state }) => state.type === "active")
    .map(({ candidate: { agent } }) => agent)
  const aliases = agents.flatMap((agent) => (agent.aliases ?? []).map((alias) => [alias, agent] as const))
  return new Map([...aliases, ...agents.map((agent) => [agent.name, agent] as const)])
}
