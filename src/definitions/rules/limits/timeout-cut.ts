import { delegatesOf } from "../delegation/delegates.ts"
import { at, type DiagnosticRule } from "../rule.ts"

export const timeoutCut: DiagnosticRule = {
  code: "timeout-cut",
  severity: "info",
  title: "Less time than those that it calls",
  why: "A child ends with its caller at the latest, so that the time in its own file cannot hold.",
  fix: "Give the caller at least the time of those that it waits for, or these less.",
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
    const names = new Set((delegatesOf(subject, surroundings) ?? []).map(({ name }) => name))
    for (const name of names) {
      const child = surroundings.agents.get(name)
      const wanted = child?.origin.unsaid?.includes("timeout") ? undefined : child?.limits.timeout
      if (wanted === undefined || wanted <= timeout) continue
      const file = child?.origin.file === undefined ? "" : ` in ${child.origin.file}`
      subject.report({
        message: `\`${name}\` says a timeout of ${wanted / 1000} s${file}, and this agent, which calls it, has ${timeout / 1000} s: it gets no more than what is left of these. Write at least ${wanted / 1000} s here, or less there.`,
        at: at(subject, "limits.timeout"),
      })
    }
  },
}
