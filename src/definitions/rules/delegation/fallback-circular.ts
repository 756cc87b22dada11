import { entryPlace } from "../entry-place.ts"
import type { DiagnosticRule, Surroundings } from "../rule.ts"
import { shown } from "../shown.ts"
import { anyList } from "../tools/named-tool.ts"

export const fallbackCircular: DiagnosticRule = {
  code: "fallback-circular",
  severity: "error",
  title: "A chain of fallbacks that leads back to where it began",
  why: "An agent that has failed at a task does not get it again, so whoever wrote the chain expects a try that never comes.",
  fix: "Take out one of the entries that close the circle.",
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
    const listed = namesOf(agent.fallback)
    for (const [index, name] of listed.entries()) {
      const way = wayTo(agent.name, name, surroundings)
      if (!way) continue
      const chain = [agent.name, ...way].map((part) => `\`${shown(part)}\``).join(" → ")
      subject.report({
        message: `The fallbacks lead back to where they began: ${chain}. Nobody is tried twice, so the chain ends before that. Take one of them out.`,
        at: entryPlace(subject, "fallback", listed, index),
      })
    }
  },
}

/** The shortest way by fallbacks from an agent to the one that is looked for, both included. */
function wayTo(wanted: string, first: string, { agents }: Surroundings): readonly string[] | undefined {
  const from = new Map<string, string | undefined>()
  const start = agents.get(first)?.name ?? first
  from.set(start, undefined)
  for (const name of from.keys()) {
    if (name === wanted) return backFrom(name, from)
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
  anyList(fallback as readonly string[] | undefined).filter((name) => typeof name === "string")
