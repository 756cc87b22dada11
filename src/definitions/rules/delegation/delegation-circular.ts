import { quoted } from "../near-names.ts"
import { at, type DiagnosticRule, type Subject } from "../rule.ts"
import { delegatesOf } from "./delegates.ts"

export const delegationCircular: DiagnosticRule = {
  code: "delegation-circular",
  severity: "info",
  title: "Agents that can only delegate to each other",
  why: "Each of them hands work on to another of the same circle, and nothing but the depth limit ends it.",
  fix: "Let one of them do the work itself, by taking `Agent` from its tools, or let it name an agent outside the circle.",
  example: {
    file: ".claude/agents/planner.md",
    text: "---\nname: planner\ndescription: Plans the work.\ntools: Read, Agent(builder)\n---\n\nPlan it, then delegate.\n",
    beside: [
      {
        file: ".claude/agents/builder.md",
        text: "---\nname: builder\ndescription: Builds what was decided.\ntools: Edit, Agent(planner)\n---\n\nBuild it, or ask.\n",
      },
    ],
  },
  checkAll(subjects, surroundings) {
    const next = new Map<string, ReadonlySet<string>>()
    for (const subject of subjects) {
      if (surroundings.agents.get(subject.agent.name) !== subject.agent) continue
      const names = (delegatesOf(subject, surroundings) ?? []).flatMap(
        ({ name }) => surroundings.agents.get(name)?.name ?? [],
      )
      if (names.length > 0) next.set(subject.agent.name, new Set(names))
    }
    const byName = new Map(subjects.map((subject) => [subject.agent, subject]))
    for (const circle of closedCircles(next)) {
      const subject = byName.get(surroundings.agents.get(circle[0]!)!)
      if (subject) report(subject, circle)
    }
  },
}

function report(subject: Subject, circle: readonly string[]): void {
  subject.report({
    message: `${quoted(circle, "and")} may delegate only to each other, so a task can go round until the depth limit refuses it. Let one of them delegate to nobody, or to an agent outside.`,
    at: at(subject, "tools.allow"),
  })
}

interface Visit {
  readonly name: string
  readonly others: readonly string[]
  /** How many of the others were gone to. */
  gone: number
}

/**
 * Groups of two and more in which each can reach all others and nobody besides, as Tarjan finds them: every agent and
 * every name is looked at once, without recursion, since a chain may be as long as there are agents.
 */
function closedCircles(next: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] {
  const circles: string[][] = []
  const order = new Map<string, number>()
  /** The earliest that can be reached from each. */
  const earliest = new Map<string, number>()
  const settled = new Set<string>()
  const open: string[] = []
  const lower = (name: string, to: number) => earliest.set(name, Math.min(earliest.get(name)!, to))
  const visit = (name: string): Visit => {
    order.set(name, order.size)
    earliest.set(name, order.get(name)!)
    open.push(name)
    return { name, others: [...(next.get(name) ?? [])], gone: 0 }
  }
  const settle = (name: string) => {
    const members = open.splice(open.lastIndexOf(name))
    for (const member of members) settled.add(member)
    const inside = new Set(members)
    const isClosed = members.every((member) => {
      for (const other of next.get(member) ?? []) if (!inside.has(other)) return false
      return next.has(member)
    })
    if (members.length > 1 && isClosed) circles.push(members)
  }
  for (const start of next.keys()) {
    if (order.has(start)) continue
    const path = [visit(start)]
    for (let here = path.at(-1); here; here = path.at(-1)) {
      const other = here.others[here.gone++]
      if (other === undefined) {
        path.pop()
        const before = path.at(-1)
        if (before) lower(before.name, earliest.get(here.name)!)
        if (earliest.get(here.name) === order.get(here.name)) settle(here.name)
      } else if (!order.has(other)) path.push(visit(other))
      else if (!settled.has(other)) lower(here.name, order.get(other)!)
    }
  }
  return circles
}
