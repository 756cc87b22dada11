import { quoteNames } from "../near-names.ts"
import { type DiagnosticRule, locatePart, type Subject } from "../rule.ts"
import { listDelegates } from "./delegates.ts"

export const delegationCircular: DiagnosticRule = {
  code: "delegation-circular",
  severity: "info",
  title: "Agents that can only delegate to each other",
  why: "Each of them hands work to another one of the circle, and only the depth limit ends it.",
  fix: "Let one of them do the work itself by removing `Agent` from its tools, or let it name an agent outside the circle.",
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
      const names = (listDelegates(subject, surroundings) ?? []).flatMap(
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
    message: `${quoteNames(circle, "and")} may delegate only to each other, so a task can go round until it reaches the depth limit. Remove \`Agent\` from the tools of one of them, or let it name an agent outside the circle.`,
    at: locatePart(subject, "tools.allow"),
  })
}

interface Visit {
  readonly name: string
  readonly others: readonly string[]
  /** The number of `others` that were visited. */
  gone: number
}

/**
 * Groups of at least two agents in which each can reach all others of the group and no agent outside it. This is
 * Tarjan's algorithm, which visits every agent and every name once. There is no recursion, because a chain may be very
 * long.
 */
function closedCircles(next: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] {
  const circles: string[][] = []
  const order = new Map<string, number>()
  /** The earliest agent, by `order`, that can be reached from each agent. */
  const earliest = new Map<string, number>()
  const finished = new Set<string>()
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
    for (const member of members) finished.add(member)
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
      else if (!finished.has(other)) lower(here.name, order.get(other)!)
    }
  }
  return circles
}
