import { locateEntry } from "../entry-place.ts"
import type { DiagnosticRule, RuleFacts } from "../rule.ts"
import { shorten } from "../shorten.ts"
import { toAnyList } from "../tools/named-tool.ts"

export const fallbackCircular: DiagnosticRule = {
  code: "fallback-circular",
  severity: "error",
  title: "Fallbacks that form a circle",
  why: "An agent that failed at a task does not get it again, so the entry promises another try that never comes.",
  fix: "Remove one of the entries that close the circle.",
  example: {
    file: ".cadre/agents/fast.md",
    text: "---\nname: fast\ndescription: Answers at once.\nfallback: [slow]\n---\n\nAnswer.\n",
    beside: [
      {
        file: ".cadre/agents/slow.md",
        text: "---\nname: slow\ndescription: Thinks first.\nfallback: [fast]\n---\n\nThink, then answer.\n",
      },
    ],
  },
  about: "fallback",
  check(subject, surroundings) {
    const { agent } = subject
    const fallbacks = namesOf(agent.fallback)
    for (const [index, name] of fallbacks.entries()) {
      const way = wayTo(agent.name, name, surroundings)
      if (!way) continue
      const chain = [agent.name, ...way].map((part) => `\`${shorten(part)}\``).join(" → ")
      subject.report({
        message: `The fallbacks form a circle: ${chain}. No agent is tried twice, so the last of these entries has no effect. Remove it, or another entry of the circle.`,
        at: locateEntry(subject, "fallback", fallbacks, index),
      })
    }
  },
}

/** The shortest way through fallbacks from the first agent to the wanted agent, both included. */
function wayTo(target: string, first: string, { agents }: RuleFacts): readonly string[] | undefined {
  const from = new Map<string, string | undefined>()
  const start = agents.get(first)?.name ?? first
  from.set(start, undefined)
  for (const name of from.keys()) {
    if (name === target) return backFrom(name, from)
    for (const other of namesOf(agents.get(name)?.fallback)) {
      const next = agents.get(other)?.name ?? other
      if (!from.has(next)) from.set(next, name)
    }
  }
  return undefined
}

function backFrom(last: string, from: ReadonlyMap<string, string | undefined>): readonly string[] {
  const way: string[] = []
  for (let name: string | undefined = last; name !== undefined; name = from.get(name)) way.unshift(name)
  return way
}

const namesOf = (fallback: unknown): readonly string[] =>
  toAnyList(fallback as readonly string[] | undefined).filter((name) => typeof name === "string")
