import { type KnownOptions, requireKnownOptions } from "../../ground/options.ts"
import { type RouteCandidate, type Score, scoreAgent } from "./score.ts"
import { prepareText, toSlug } from "./words.ts"

/** A request for an agent, by its name or by its text. */
export interface RouteRequest {
  /** The text of the user. `/use NAME` at its start picks an agent. Default: empty. */
  readonly text?: string
  /** The caller's choice; it overrides any name in the text. */
  readonly agent?: string
}

/**
 * The agent for a request, and the reason. `scores` has those above zero, best first; only auto-routing gives
 * any.
 */
export type RouteResult =
  | {
      readonly type: "agent"
      readonly agent: string
      /** The text without `/use NAME`. */
      readonly task: string
      readonly reason: string
      readonly scores: readonly Score[]
    }
  | { readonly type: "nobody"; readonly reason: string; readonly scores: readonly Score[] }

/**
 * Picks the agent that a request names: by parameter, by `/use NAME`, or, if allowed, by its words. Never
 * guesses.
 *
 * @example
 * ```ts
 * import { defineAgent, route } from "cadre"
 *
 * const reviewer = defineAgent({ name: "reviewer", instructions: "Review the change." })
 * const result = route([reviewer], { text: "/use reviewer Look at the login." }, { autoRoute: "off" })
 * if (result.type === "agent") console.log(result.agent, result.task)
 * ```
 */
export function route(
  agents: readonly RouteCandidate[],
  request: RouteRequest,
  options: { readonly autoRoute: "on" | "off" },
): RouteResult {
  requireKnownOptions("route", request, requestKeys)
  requireKnownOptions("route", options, { autoRoute: "known" })
  const text = request.text ?? ""
  if (agents.length === 0) return nobody("No registered subagents.")
  if (request.agent !== undefined) {
    const name = request.agent.trim()
    return byName(agents, { name, task: text, reason: `selected explicitly ('${name}')` })
  }
  const command = useCommand(text)
  if (command) return byName(agents, { ...command, reason: `requested via \`/use ${command.name}\`` })
  if (options.autoRoute === "off") return nobody("Auto-routing disabled.")
  return byWords(agents, text)
}

const requestKeys: KnownOptions<RouteRequest> = {
  text: "known",
  agent: "known",
}

/** `/use NAME rest` or `/use "NAME" rest`; `/useful` is a word like any other. */
function useCommand(text: string): { readonly name: string; readonly task: string } | undefined {
  const command = /^\s*\/use(?:\s+|$)/.exec(text)
  if (!command) return undefined
  const rest = text.slice(command[0].length)
  const quoted = /^(["'])(.*?)\1/s.exec(rest)
  const nameText = quoted?.[0] ?? /^\S*/.exec(rest)![0]
  const name = quoted ? quoted[2]! : nameText.replace(/^["']+/, "")
  return { name: name.trim(), task: rest.slice(nameText.length).trim() }
}

interface NamedRequest {
  readonly name: string
  readonly task: string
  readonly reason: string
}

function byName(agents: readonly RouteCandidate[], { name, task, reason }: NamedRequest): RouteResult {
  if (name === "") return nobody("Provide an agent name after `/use`.")
  const slug = toSlug(name)
  const isSameName = (other: string) => toSlug(other) === slug
  const closest = [
    agents.filter((agent) => agent.name === name),
    agents.filter((agent) => isSameName(agent.name)),
    agents.filter((agent) => agent.aliases?.some(isSameName)),
    agents.filter((agent) => agent.keywords?.some(isSameName)),
  ].find((matches) => matches.length > 0)
  if (!closest) return nobody(`Unknown subagent '${name}'.`)
  if (closest.length > 1) return several(closest.map((agent) => agent.name))
  return { type: "agent", agent: closest[0]!.name, task, reason, scores: [] }
}

function byWords(agents: readonly RouteCandidate[], text: string): RouteResult {
  const read = prepareText(text)
  const scores = agents
    .filter(({ hidden, origin }) => !hidden && origin?.scope !== "built-in")
    .map((agent) => scoreAgent(agent, read))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || compare(one.agent, other.agent))
  const best = scores.filter(({ score }) => score === scores[0]!.score)
  if (best.length === 0) return nobody("No confident keyword match.")
  if (best.length > 1)
    return several(
      best.map(({ agent }) => agent),
      scores,
    )
  const { agent, matches } = best[0]!
  return { type: "agent", agent, task: text, reason: `matched ${matches.join(", ")}`, scores }
}

function several(names: readonly string[], scores: readonly Score[] = []): RouteResult {
  return nobody(`Multiple agents matched: ${[...names].sort(compare).join(", ")}`, scores)
}

function nobody(reason: string, scores: readonly Score[] = []): RouteResult {
  return { type: "nobody", reason, scores }
}

/** Compares by code units, so that the order is the same on every machine. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
