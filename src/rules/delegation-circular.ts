import { delegatesOf } from "./delegates.ts"
import { at, type DiagnosticRule, type Subject } from "./rule.ts"

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
    const reported = new Set<string>()
    for (const [name] of next) {
      const circle = closedCircle(name, next)
      if (circle.length < 2 || circle.some((member) => reported.has(member))) continue
      for (const member of circle) reported.add(member)
      report(subjects.find(({ agent }) => agent.name === name && next.has(name))!, circle)
    }
  },
}

function report(subject: Subject, circle: readonly string[]): void {
  subject.report({
    message: `${circle.map((name) => `\`${name}\``).join(", ")} may delegate only to each other, so a task can go round until the depth limit refuses it. Let one of them delegate to nobody, or to an agent outside.`,
    at: at(subject, "tools.allow"),
  })
}

/** Everybody who can be reached from an agent, where each of them can reach everybody else and nobody besides. */
function closedCircle(name: string, next: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const reach = (start: string): ReadonlySet<string> => {
    const seen = new Set<string>()
    const pending = [start]
    for (let at = pending.pop(); at !== undefined; at = pending.pop())
      for (const other of next.get(at) ?? [])
        if (!seen.has(other)) {
          seen.add(other)
          pending.push(other)
        }
    return seen
  }
  const members = reach(name)
  if (![...members].every((member) => next.has(member) && reach(member).size === members.size)) return []
  return members.has(name) ? [name, ...[...members].filter((member) => member !== name)] : []
}
