import type { Tool } from "../../../agent/tool.ts"
import { findDenial } from "../../../run/rights/find-denial.ts"
import { createGrantReader } from "../../../run/rights/tool-list.ts"
import { locateEntry } from "../entry-place.ts"
import { quoteNames } from "../near-names.ts"
import type { DiagnosticRule } from "../rule.ts"
import { listRequestedTools } from "./listed-tools.ts"

/** A workspace has no tools except ours. */
const noTools: ReadonlyMap<string, Tool> = new Map()

export const configurationDenied: DiagnosticRule = {
  code: "configuration-denied",
  severity: "warning",
  title: "A listed tool that the configuration denies",
  why: "A tool that the configuration denies is denied to every agent, so an agent that lists it works without it.",
  fix: "Remove the tool from `permissions.deny` in the config.yaml that the message names, or from the agent's list.",
  example: { unreproducible: "It needs a configuration that denies a tool." },
  check(subject, { denials = [] }) {
    const { agent } = subject
    const { mode, allow } = agent.tools
    if (denials.length === 0 || mode !== "list") return
    const rules = denials.map(({ rule }) => ({ tool: rule, decision: "deny" as const }))
    const isSelfDenied = (tool: string) => createGrantReader(agent, noTools)(tool).type === "denied"
    const wantedTools = listRequestedTools(allow).filter(({ tool }) => !isSelfDenied(tool))
    const losses = wantedTools.flatMap((one) => {
      const taker = findDenial([{ of: "", rules, otherwise: "allow" }], one.tool, noTools)
      return taker ? [{ ...one, denial: denials.find(({ rule }) => rule === taker.rule)! }] : []
    })
    // An agent with nothing left of its list does not start, which `tools-denied` reports.
    if (losses.length === wantedTools.length) return
    for (const { entry, index, tool, denial } of losses)
      subject.report(() => ({
        message: `${quoteNames([tool], "and")} is denied by the configuration${denial.at === undefined ? "" : ` (${denial.at})`}, so the agent works without it. Remove ${quoteNames([denial.rule], "and")} there, or ${quoteNames([entry], "and")} from this list.`,
        at: locateEntry(subject, "tools.allow", allow, index),
      }))
  },
}
