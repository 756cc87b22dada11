import { listDelegates } from "../delegation/delegates.ts"
import { type DiagnosticRule, locatePart } from "../rule.ts"

export const timeoutCut: DiagnosticRule = {
  code: "timeout-cut",
  severity: "info",
  title: "A caller with less time than the agents it calls",
  why: "A child ends with its caller at the latest, so a longer timeout in its own file cannot take effect.",
  fix: "Give the caller at least as much time as the agents it waits for, or give them less.",
  example: {
    file: ".cadre/agents/lead.md",
    text: "---\nname: lead\ndescription: Splits the work.\ntools: Read, Agent(runner)\nlimits: { timeout: 120 }\n---\n\nDelegate the work.\n",
    beside: [
      {
        file: ".cadre/agents/runner.md",
        text: "---\nname: runner\ndescription: Runs the tests.\nlimits: { timeout: 1800 }\n---\n\nRun the tests.\n",
      },
    ],
  },
  check(subject, surroundings) {
    const { limits, origin } = subject.agent
    const { timeout } = limits
    if (timeout === undefined || origin.unsaid?.includes("timeout")) return
    const names = new Set((listDelegates(subject, surroundings) ?? []).map(({ name }) => name))
    for (const name of names) {
      const child = surroundings.agents.get(name)
      const childTimeout = child?.origin.unsaid?.includes("timeout") ? undefined : child?.limits.timeout
      if (childTimeout === undefined || childTimeout <= timeout) continue
      const file = child?.origin.file === undefined ? "" : ` in ${child.origin.file}`
      subject.report({
        message: `\`${name}\` has a timeout of ${childTimeout / 1000} s${file}, but this agent, which calls it, has only ${timeout / 1000} s. A child ends with its caller at the latest. Give this agent at least ${childTimeout / 1000} s, or \`${name}\` at most ${timeout / 1000} s.`,
        at: locatePart(subject, "limits.timeout"),
      })
    }
  },
}
