import type { Scope } from "../../agent/agent.ts"
import { isSame } from "../formats/fields/is-same.ts"
import type { Problem } from "../formats/problem.ts"
import { isWithin } from "../rules/tools/named-tool.ts"
import type { Candidate, Entry } from "./entry.ts"
import type { NameClaim } from "./name-claims.ts"

const scopeRank: Readonly<Record<Scope, number>> = { "built-in": 0, user: 1, package: 2, project: 3 }

/** Ids of formats in a scope, the one that wins first. */
export type FormatOrder = (scope: Scope) => readonly string[]

/**
 * Settles which of several definitions with one name is used: project over package over user over built-in, the nearer
 * folder, the earlier format, the first path. The first one decides, also where it is broken: then none of that name is
 * used. Every loser is told.
 */
export function resolveEntries(
  candidates: readonly Candidate[],
  claims: readonly NameClaim[],
  isSound: (candidate: Candidate) => boolean,
  orderIn: FormatOrder,
): Resolution {
  const byName = new Map<string, Candidate[]>()
  for (const candidate of candidates) {
    const { name } = candidate.agent
    const others = byName.get(name)
    if (others) others.push(candidate)
    else byName.set(name, [candidate])
  }
  const compared = byPrecedence(orderIn)
  const claimed = new Map<string, NameClaim>()
  for (const claim of claims) {
    const other = claimed.get(claim.name)
    if (!other || compared(claim, other) < 0) claimed.set(claim.name, claim)
  }
  const entries: Entry[] = []
  const broken = new Map<string, Broken>()
  for (const [name, group] of byName) {
    if (group.length > 1) group.sort(compared)
    const claim = claimed.get(name)
    const first: Candidate | NameClaim = claim && compared(claim, group[0]!) < 0 ? claim : group[0]!
    const isUsed = "agent" in first && isSound(first)
    if (!isUsed) broken.set(name, first)
    for (const candidate of group)
      entries.push({
        candidate,
        state: stateOf(candidate, first, isSound),
        problems: rivalry(candidate, group, first, isUsed),
      })
  }
  for (const [name, claim] of claimed) if (!byName.has(name)) broken.set(name, claim)
  return withAliases(entries, broken)
}

/** What all definitions come to. */
export interface Resolution {
  readonly entries: readonly Entry[]
  /** By name, the broken definition that claims it: by its own name or another one. */
  readonly broken: ReadonlyMap<string, Broken>
}

/** A broken definition whose name is nobody's. Without an agent: of its file not even that could be read. */
export type Broken = Pick<Candidate, "file" | "scope"> & Partial<Pick<Candidate, "agent">>

/** A name that somebody gave to an agent of theirs, if only as another one, is no longer that of one that ships. */
function withAliases(entries: readonly Entry[], own: ReadonlyMap<string, Broken>): Resolution {
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
  const settled = entries.map((entry): Entry => {
    const isShipped = entry.candidate.scope === "built-in" && isActive(entry)
    const by = isShipped ? holders.get(entry.candidate.agent.name) : undefined
    return by === undefined ? entry : { ...entry, state: { type: "shadowed", by } }
  })
  // An agent's own name comes before another's alias, and of two aliases that of the higher scope.
  for (const entry of settled) {
    if (!isActive(entry)) continue
    const { agent, scope } = entry.candidate
    broken.delete(agent.name)
    for (const alias of agent.aliases ?? []) {
      const other = broken.get(alias)
      if (!own.has(alias) && other && scopeRank[other.scope] < scopeRank[scope]) broken.delete(alias)
    }
  }
  return { entries: settled, broken }
}

const isActive = ({ state }: Entry): boolean => state.type === "active"

/** Names that people take for the same: apart only in case, in how Unicode writes them, or in what cannot be seen. */
export function nameVariants(candidates: readonly Candidate[]): ReadonlyMap<Candidate, Problem> {
  const byFold = new Map<string, Candidate[]>()
  for (const candidate of candidates) {
    const fold = candidate.agent.name
      .normalize("NFKC")
      .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
      .toLowerCase()
    const others = byFold.get(fold)
    if (others) others.push(candidate)
    else byFold.set(fold, [candidate])
  }
  const found = new Map<Candidate, Problem>()
  for (const group of byFold.values()) {
    if (group.length < 2) continue
    const names = [...new Set(group.map(({ agent }) => agent.name))].sort()
    if (names.length < 2) continue
    const shown = names.slice(0, 5).map((name) => JSON.stringify(name))
    const problem: Problem = {
      code: "name-variant",
      severity: "warning",
      message: `The names ${shown.join(" and ")}${names.length > 5 ? ` and ${names.length - 5} more` : ""} differ only in case or in how Unicode writes them. They are different agents, and easily taken for one: rename one of them.`,
      at: { type: "value", path: ["name"] },
    }
    for (const candidate of group) found.set(candidate, problem)
  }
  return found
}

function stateOf(
  candidate: Candidate,
  first: Candidate | NameClaim,
  isSound: (candidate: Candidate) => boolean,
): Entry["state"] {
  if (!isSound(candidate)) return { type: "broken" }
  return candidate === first ? { type: "active" } : { type: "shadowed", by: placeOf(first) }
}

const placeOf = ({ file }: Pick<Candidate, "file">): string => file?.path ?? "code"

function rivalry(
  candidate: Candidate,
  group: readonly Candidate[],
  first: Candidate | NameClaim,
  isUsed: boolean,
): readonly Problem[] {
  // To be put aside by somebody's own is what those that ship are there for.
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
      message: `Two files of this folder define ${JSON.stringify(name)}: this one and ${placeOf(twin)}. The first by path is used; hosts differ in which they take. Rename or remove one.`,
      at,
    })
  if (candidate !== first && !twin)
    problems.push({
      code: "name-shadowed",
      severity: "info",
      message: `${JSON.stringify(name)} is also defined in ${placeOf(first)} (${first.scope}), ${isUsed ? "which is used in its place" : "which is broken: until that file is mended no agent of this name runs"}.`,
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
      message: `This agent of the ${candidate.scope} takes the place of ${placeOf(below)} (${below.scope}) and may do more than that one. Make sure that is meant.`,
      at,
    })
  return problems
}

/** Whether one may use or set something that the other may not. */
function grantsMore({ agent }: Candidate, { agent: other }: Candidate): boolean {
  const may = (name: string) =>
    (agent.tools.mode === "inherit" || agent.tools.allow.some((pattern) => isWithin(pattern, name))) &&
    !agent.tools.deny.some((pattern) => isWithin(pattern, name))
  if (other.tools.deny.some(may)) return true
  if (other.tools.mode === "list") {
    if (agent.tools.mode === "inherit") return true
    if (agent.tools.allow.some((name) => !other.tools.allow.some((pattern) => isWithin(pattern, name))))
      return true
  }
  return (["permissionMode", "hooks", "mcpServers", "rules"] as const).some(
    (part) => isSaid(agent[part]) && !isSame(agent[part], other[part]),
  )
}

const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== "default" && !(Array.isArray(value) && value.length === 0)

const byPrecedence =
  (orderIn: FormatOrder) =>
  (left: Ranked, right: Ranked): number =>
    scopeRank[right.scope] - scopeRank[left.scope] ||
    left.distance - right.distance ||
    rank(orderIn, left) - rank(orderIn, right) ||
    compare(left.file?.path ?? "", right.file?.path ?? "")

type Ranked = Pick<Candidate, "scope" | "distance" | "file">

/** What is written in code comes before any file. */
const rank = (orderIn: FormatOrder, { file, scope }: Ranked): number =>
  file === undefined ? -1 : orderIn(scope).indexOf(file.format?.id ?? "") >>> 0

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)
