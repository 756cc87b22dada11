import type { Scope } from "../agent.ts"
import { isSame } from "../formats/is-same.ts"
import type { Problem } from "../formats/problem.ts"
import { isWithin } from "../rules/named-tool.ts"
import type { Candidate, Entry } from "./entry.ts"

const scopeRank: Readonly<Record<Scope, number>> = { "built-in": 0, user: 1, package: 2, project: 3 }

/** Ids of formats in a scope, the one that wins first. */
export type FormatOrder = (scope: Scope) => readonly string[]

/**
 * Settles which of several definitions with one name is used: project over package over user over built-in, the nearer
 * folder, the earlier format, the first path. A broken one leaves the next sound one active. Every loser is told.
 */
export function resolveEntries(
  candidates: readonly Candidate[],
  isSound: (candidate: Candidate) => boolean,
  orderIn: FormatOrder,
): readonly Entry[] {
  const byName = new Map<string, Candidate[]>()
  for (const candidate of candidates) {
    const { name } = candidate.agent
    const others = byName.get(name)
    if (others) others.push(candidate)
    else byName.set(name, [candidate])
  }
  const entries: Entry[] = []
  for (const group of byName.values()) {
    if (group.length > 1) group.sort(byPrecedence(orderIn))
    const winner = group.find(isSound)
    for (const candidate of group)
      entries.push({
        candidate,
        state: stateOf(candidate, winner, isSound),
        problems: rivalry(candidate, group, winner),
      })
  }
  return withAliases(entries)
}

/** A name that somebody gave to an agent of theirs, if only as another one, is no longer that of one that ships. */
function withAliases(entries: readonly Entry[]): readonly Entry[] {
  const isActiveBuiltIn = ({ candidate, state }: Entry) =>
    candidate.scope === "built-in" && state.type === "active"
  if (!entries.some(isActiveBuiltIn)) return entries
  const holders = new Map<string, string>()
  for (const { candidate, state } of entries)
    if (candidate.scope !== "built-in" && state.type === "active")
      for (const alias of candidate.agent.aliases ?? []) holders.set(alias, candidate.file?.path ?? "code")
  return entries.map((entry) => {
    const by = isActiveBuiltIn(entry) ? holders.get(entry.candidate.agent.name) : undefined
    return by === undefined ? entry : { ...entry, state: { type: "shadowed", by } }
  })
}

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
  winner: Candidate | undefined,
  isSound: (candidate: Candidate) => boolean,
): Entry["state"] {
  if (candidate === winner) return { type: "active" }
  if (!isSound(candidate)) return { type: "broken" }
  return { type: "shadowed", by: winner!.file?.path ?? "code" }
}

function rivalry(
  candidate: Candidate,
  group: readonly Candidate[],
  winner: Candidate | undefined,
): readonly Problem[] {
  // To be put aside by somebody's own is what those that ship are there for.
  if (group.length < 2 || candidate.scope === "built-in") return []
  const { name } = candidate.agent
  const at = { type: "value", path: ["name"] } as const
  const twin = group.find(
    (other) => other !== candidate && other.folder === candidate.folder && other.folder !== "",
  )
  const place = (other: Candidate) => other.file?.path ?? "code"
  const problems: Problem[] = []
  if (twin)
    problems.push({
      code: "name-collision",
      severity: "warning",
      message: `Two files of this folder define ${JSON.stringify(name)}: this one and ${place(twin)}. The first by path is used; hosts differ in which they take. Rename or remove one.`,
      at,
    })
  if (winner && candidate !== winner && !twin)
    problems.push({
      code: "name-shadowed",
      severity: "info",
      message: `${JSON.stringify(name)} is also defined in ${place(winner)} (${winner.scope}), which is used in its place.`,
      at,
    })
  const below = group.find(
    (other) =>
      candidate === winner &&
      other.scope !== "built-in" &&
      scopeRank[other.scope] < scopeRank[candidate.scope] &&
      grantsMore(candidate, other),
  )
  if (below)
    problems.push({
      code: "scope-shadows-rights",
      severity: "warning",
      message: `This agent of the ${candidate.scope} takes the place of ${place(below)} (${below.scope}) and may do more than that one. Make sure that is meant.`,
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
  (left: Candidate, right: Candidate): number =>
    scopeRank[right.scope] - scopeRank[left.scope] ||
    left.distance - right.distance ||
    rank(orderIn, left) - rank(orderIn, right) ||
    compare(left.file?.path ?? "", right.file?.path ?? "")

/** What is written in code comes before any file. */
const rank = (orderIn: FormatOrder, { file, agent, scope }: Candidate): number =>
  file === undefined ? -1 : orderIn(scope).indexOf(agent.origin.format) >>> 0

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)
