import type { AgentScope } from "../../agent/agent.ts"
import { isSame } from "../formats/fields/is-same.ts"
import type { Problem } from "../formats/problem.ts"
import { matchesTool } from "../rules/tools/named-tool.ts"
import type { AgentCandidate, RegistryEntry } from "./entry.ts"
import type { NameClaim } from "./name-claims.ts"

const scopeRank: Readonly<Record<AgentScope, number>> = { "built-in": 0, user: 1, package: 2, project: 3 }

/** The ids of formats in a scope, in order of precedence. */
export type FormatOrder = (scope: AgentScope) => readonly string[]

/**
 * Decides which of several definitions of one name is used. The order is: project, package, user, built-in; then the
 * nearer folder, the earlier format, the first path. If the first one is broken, no definition of the name is used.
 * Every overridden definition gets a finding.
 */
export function resolveEntries(
  candidates: readonly AgentCandidate[],
  claims: readonly NameClaim[],
  isSound: (candidate: AgentCandidate) => boolean,
  orderIn: FormatOrder,
): Resolution {
  const byName = new Map<string, AgentCandidate[]>()
  for (const candidate of candidates) {
    const { name } = candidate.agent
    const others = byName.get(name)
    if (others) others.push(candidate)
    else byName.set(name, [candidate])
  }
  const comparePrecedence = byPrecedence(orderIn)
  const claimByName = new Map<string, NameClaim>()
  for (const claim of claims) {
    const other = claimByName.get(claim.name)
    if (!other || comparePrecedence(claim, other) < 0) claimByName.set(claim.name, claim)
  }
  const entries: RegistryEntry[] = []
  const broken = new Map<string, BrokenDefinition>()
  for (const [name, group] of byName) {
    if (group.length > 1) group.sort(comparePrecedence)
    const claim = claimByName.get(name)
    const first: AgentCandidate | NameClaim =
      claim && comparePrecedence(claim, group[0]!) < 0 ? claim : group[0]!
    const isUsed = "agent" in first && isSound(first)
    if (!isUsed) broken.set(name, first)
    for (const candidate of group)
      entries.push({
        candidate,
        state: stateOf(candidate, first, isSound),
        problems: findRivalry(candidate, group, first, isUsed),
      })
  }
  for (const [name, claim] of claimByName) if (!byName.has(name)) broken.set(name, claim)
  return withAliases(entries, broken)
}

/** The state of all definitions. */
export interface Resolution {
  readonly entries: readonly RegistryEntry[]
  /** By name: the broken definition that claims it, as its own name or as an alias. */
  readonly broken: ReadonlyMap<string, BrokenDefinition>
}

/** A broken definition, whose name no other one may use. Without `agent`, not even the agent could be read. */
export type BrokenDefinition = Pick<AgentCandidate, "file" | "scope"> & Partial<Pick<AgentCandidate, "agent">>

/** A name or alias of any other agent overrides the built-in agent of that name. */
function withAliases(
  entries: readonly RegistryEntry[],
  own: ReadonlyMap<string, BrokenDefinition>,
): Resolution {
  const broken = new Map(own)
  const holders = new Map<string, string>()
  for (const entry of entries) {
    const { candidate } = entry
    if (candidate.scope === "built-in") continue
    const isBroken = own.get(candidate.agent.name) === candidate
    if (!isBroken && !isActive(entry)) continue
    for (const alias of candidate.agent.aliases ?? []) {
      holders.set(alias, placeOf(candidate))
      if (isBroken && !broken.has(alias)) broken.set(alias, candidate)
    }
  }
  const resolvedEntries = entries.map((entry): RegistryEntry => {
    const isShipped = entry.candidate.scope === "built-in" && isActive(entry)
    const by = isShipped ? holders.get(entry.candidate.agent.name) : undefined
    return by === undefined ? entry : { ...entry, state: { type: "shadowed", by } }
  })
  // An agent's own name overrides the alias of another agent. Of two aliases, the one with the higher scope wins.
  for (const entry of resolvedEntries) {
    if (!isActive(entry)) continue
    const { agent, scope } = entry.candidate
    broken.delete(agent.name)
    for (const alias of agent.aliases ?? []) {
      const other = broken.get(alias)
      if (!own.has(alias) && other && scopeRank[other.scope] < scopeRank[scope]) broken.delete(alias)
    }
  }
  return { entries: resolvedEntries, broken }
}

const isActive = ({ state }: RegistryEntry): boolean => state.type === "active"

/** Reports names that look the same: they differ only in case, in Unicode spelling or in invisible characters. */
export function findNameVariants(
  candidates: readonly AgentCandidate[],
): ReadonlyMap<AgentCandidate, Problem> {
  const byFold = new Map<string, AgentCandidate[]>()
  for (const candidate of candidates) {
    const fold = candidate.agent.name
      .normalize("NFKC")
      .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
      .toLowerCase()
    const others = byFold.get(fold)
    if (others) others.push(candidate)
    else byFold.set(fold, [candidate])
  }
  const problems = new Map<AgentCandidate, Problem>()
  for (const group of byFold.values()) {
    if (group.length < 2) continue
    const names = [...new Set(group.map(({ agent }) => agent.name))].sort()
    if (names.length < 2) continue
    const quotedNames = names.slice(0, 5).map((name) => JSON.stringify(name))
    const problem: Problem = {
      code: "name-variant",
      severity: "warning",
      message: `The names ${quotedNames.join(" and ")}${names.length > 5 ? ` and ${names.length - 5} more` : ""} differ only in case or in their Unicode spelling. They are different agents, but easily confused. Rename one of them.`,
      at: { type: "value", path: ["name"] },
    }
    for (const candidate of group) problems.set(candidate, problem)
  }
  return problems
}

function stateOf(
  candidate: AgentCandidate,
  first: AgentCandidate | NameClaim,
  isSound: (candidate: AgentCandidate) => boolean,
): RegistryEntry["state"] {
  if (!isSound(candidate)) return { type: "broken" }
  return candidate === first ? { type: "active" } : { type: "shadowed", by: placeOf(first) }
}

const placeOf = ({ file }: Pick<AgentCandidate, "file">): string => file?.path ?? "code"

function findRivalry(
  candidate: AgentCandidate,
  group: readonly AgentCandidate[],
  first: AgentCandidate | NameClaim,
  isUsed: boolean,
): readonly Problem[] {
  // Built-in agents are meant to be overridden.
  if ((group.length < 2 && candidate === first) || candidate.scope === "built-in") return []
  const { name } = candidate.agent
  const at = { type: "value", path: ["name"] } as const
  const twin = group.find(
    (other) => other !== candidate && other.folder === candidate.folder && other.folder !== "",
  )
  const problems: Problem[] = []
  if (twin)
    problems.push({
      code: "name-collision",
      severity: "warning",
      message: `Two files of this folder define ${JSON.stringify(name)}: this one and ${placeOf(twin)}. cadre uses the first by path; other hosts may use the other. Rename or remove one.`,
      at,
    })
  if (candidate !== first && !twin)
    problems.push({
      code: "name-shadowed",
      severity: "info",
      message: `${JSON.stringify(name)} is also defined in ${placeOf(first)} (${first.scope}), ${isUsed ? "which overrides this one" : "which is broken: until that file is fixed, no agent of this name runs"}.`,
      at,
    })
  const below = group.find(
    (other) =>
      isUsed &&
      candidate === first &&
      other.scope !== "built-in" &&
      scopeRank[other.scope] < scopeRank[candidate.scope] &&
      grantsMore(candidate, other),
  )
  if (below)
    problems.push({
      code: "scope-shadows-rights",
      severity: "warning",
      message: `This agent (${candidate.scope}) overrides ${placeOf(below)} (${below.scope}) and may do more than that one. Make sure that this is intended.`,
      at,
    })
  return problems
}

/** True if the first agent may use or set something that the second may not. */
function grantsMore({ agent }: AgentCandidate, { agent: other }: AgentCandidate): boolean {
  const may = (name: string) =>
    (agent.tools.mode === "inherit" || agent.tools.allow.some((pattern) => matchesTool(pattern, name))) &&
    !agent.tools.deny.some((pattern) => matchesTool(pattern, name))
  if (other.tools.deny.some(may)) return true
  if (other.tools.mode === "list") {
    if (agent.tools.mode === "inherit") return true
    if (agent.tools.allow.some((name) => !other.tools.allow.some((pattern) => matchesTool(pattern, name))))
      return true
  }
  return (["permissionMode", "hooks", "mcpServers", "rules"] as const).some(
    (part) => isSet(agent[part]) && !isSame(agent[part], other[part]),
  )
}

const isSet = (value: unknown): boolean =>
  value !== undefined && value !== "default" && !(Array.isArray(value) && value.length === 0)

const byPrecedence =
  (orderIn: FormatOrder) =>
  (left: Ranked, right: Ranked): number =>
    scopeRank[right.scope] - scopeRank[left.scope] ||
    left.distance - right.distance ||
    rank(orderIn, left) - rank(orderIn, right) ||
    compare(left.file?.path ?? "", right.file?.path ?? "")

type Ranked = Pick<AgentCandidate, "scope" | "distance" | "file">

/** An agent written in code comes before any file. */
const rank = (orderIn: FormatOrder, { file, scope }: Ranked): number =>
  file === undefined ? -1 : orderIn(scope).indexOf(file.format?.id ?? "") >>> 0

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)
