import type { Tool } from "../../../agent/tool.ts"
import { takerOf } from "../../../run/rights/taken.ts"
import { grantReader } from "../../../run/rights/tool-list.ts"
import { entryPlace } from "../entry-place.ts"
import { quoted } from "../near-names.ts"
import type { DiagnosticRule } from "../rule.ts"
import { listedTools } from "./listed-tools.ts"

/** A workspace knows no tools but ours. */
const noTools: ReadonlyMap<string, Tool> = new Map()

export const configurationDenied: DiagnosticRule = {
  code: "configuration-denied",
  severity: "warning",
  title: "A listed tool that the configuration denies",
  why: "A tool that the configuration denies is denied to every agent, so an agent that lists it works without it.",
  fix: "Take the tool out of `permissions.deny` in the config.yaml that is named, or out of the agent's list.",
  example: { unreproducible: "It takes a configuration that denies a tool." },
  check(subject, { denials = [] }) {
    const { agent } = subject
    const { mode, allow } = agent.tools
    if (denials.length === 0 || mode !== "list") return
    const rules = denials.map(({ rule }) => ({ tool: rule, decision: "deny" as const }))
    const isSelfDenied = (tool: string) => grantReader(agent, noTools)(tool).type === "denied"
    const listed = listedTools(allow).filter(({ tool }) => !isSelfDenied(tool))
    const lost = listed.flatMap((one) => {
      const taker = takerOf([{ of: "", rules, otherwise: "allow" }], one.tool, noTools)
      return taker ? [{ ...one, denial: denials.find(({ rule }) => rule === taker.rule)! }] : []
    })
    // An agent of whose list nothing is left does not start, which is an error of its own.
    if (lost.length === listed.length) return
    for (const { entry, index, tool, denial } of lost)
      subject.report(() => ({
        message: `${quoted([tool], "and")} is denied by the configuration${denial.at === undefined ? "" : ` (${denial.at})`}, so the agent works without it. Take ${quoted([denial.rule], "and")} out there, or ${quoted([entry], "and")} out of this list.`,
        at: entryPlace(subject, "tools.allow", allow, index),
      }))
  },
}
