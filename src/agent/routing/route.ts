import { type KnownOptions, requireKnownOptions } from "../../ground/options.ts"
import { type Candidate, type Score, scoreOf } from "./score.ts"
import { readText, slugOf } from "./words.ts"

export interface RouteRequest {
  readonly text?: string
  /** Named by the caller; beats anything in the text. */
  readonly agent?: string
}

/** Who takes a request, and why. `scores` are those above zero, best first; only auto-routing gives any. */
export type Route =
  | {
      readonly type: "agent"
      readonly agent: string
      /** The text without `/use NAME`. */
      readonly task: string
      readonly reason: string
      readonly scores: readonly Score[]
    }
  | { readonly type: "nobody"; readonly reason: string; readonly scores: readonly Score[] }

/** Picks the agent that a request names, by parameter, by `/use NAME`, or, if allowed, by the words it holds. Never guesses. */
export function route(
  agents: readonly Candidate[],
  request: RouteRequest,
  options: { readonly autoRoute: "on" | "off" },
): Route {
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
  const written = quoted?.[0] ?? /^\S*/.exec(rest)![0]
  const name = quoted ? quoted[2]! : written.replace(/^["']+/, "")
  return { name: name.trim(), task: rest.slice(written.length).trim() }
}

interface Named {
  readonly name: string
  readonly task: string
  readonly reason: string
}

function byName(agents: readonly Candidate[], { name, task, reason }: Named): Route {
  if (name === "") return nobody("Provide an agent name after `/use`.")
  const slug = slugOf(name)
  const isMeant = (written: string) => slugOf(written) === slug
  const closest = [
    agents.filter((agent) => agent.name === name),
    agents.filter((agent) => isMeant(agent.name)),
    agents.filter((agent) => agent.aliases?.some(isMeant)),
    agents.filter((agent) => agent.keywords?.some(isMeant)),
  ].find((found) => found.length > 0)
  if (!closest) return nobody(`Unknown subagent '${name}'.`)
  if (closest.length > 1) return several(closest.map((agent) => agent.name))
  return { type: "agent", agent: closest[0]!.name, task, reason, scores: [] }
}

function byWords(agents: readonly Candidate[], text: string): Route {
  const read = readText(text)
  const scores = agents
    .filter(({ hidden, origin }) => !hidden && origin?.scope !== "built-in")
    .map((agent) => scoreOf(agent, read))
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

function several(names: readonly string[], scores: readonly Score[] = []): Route {
  return nobody(`Multiple agents matched: ${[...names].sort(compare).join(", ")}`, scores)
}

function nobody(reason: string, scores: readonly Score[] = []): Route {
  return { type: "nobody", reason, scores }
}

/** By code units, so that the order is the same on every machine. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
