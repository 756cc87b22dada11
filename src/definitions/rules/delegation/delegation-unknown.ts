import type { Agent } from "../../../agent/agent.ts"
import type { Span } from "../../../ground/diagnostics/position.ts"
import { findEntrySpan, locateEntry } from "../entry-place.ts"
import { createNamesCache, didYouMean, type KnownNames, quoteNames } from "../near-names.ts"
import type { DiagnosticRule } from "../rule.ts"
import { shorten } from "../shorten.ts"
import { fixSpelling } from "../spelling-fix.ts"
import { getToolHost } from "../tools/named-tool.ts"
import { describeBrokenAgent } from "./broken-agent.ts"
import { listDelegates } from "./delegates.ts"

export const delegationUnknown: DiagnosticRule = {
  code: "delegation-unknown",
  severity: "error",
  title: "Delegation to an agent that does not exist",
  why: "Every call of the missing agent would fail.",
  fix: "Write the name of an agent that exists, or add the missing agent.",
  example: {
    file: ".claude/agents/lead.md",
    text: "---\nname: lead\ndescription: Splits the work.\ntools: Read, Agent(reviewr)\n---\n\nDelegate the work.\n",
    beside: [
      {
        file: ".claude/agents/reviewer.md",
        text: "---\nname: reviewer\ndescription: Reviews changes.\n---\n\nReview the changes.\n",
      },
    ],
  },
  check(subject, surroundings) {
    const { agents } = surroundings
    const { allow } = subject.agent.tools
    const knownAgents = agentNames(surroundings)
    for (const { name, entry, index } of listDelegates(subject, surroundings) ?? []) {
      if (agents.has(name) || name.includes("*")) continue
      subject.report(() => {
        const place = locateEntry(subject, "tools.allow", allow, index)
        if (getToolHost(subject) === "claude" && builtIntoClaude.has(name))
          return {
            severity: "warning",
            message: `\`${shorten(name)}\` is built into Claude Code and does not exist here, so nothing can be delegated to it. Define an agent of this name, or remove the name. If Claude Code also uses the file, keep the name and ignore this warning.`,
            at: place,
          }
        const broken = describeBrokenAgent(name, surroundings)
        if (broken !== undefined)
          return { severity: "warning", message: `${broken}, so every call to it would fail.`, at: place }
        const near = knownAgents.near(name, subject.agent.name)
        return {
          message: `There is no agent \`${shorten(name)}\`, so every call to it would fail.${near.length > 0 ? didYouMean(near) : allBut(subject.agent.name, knownAgents, agents)}`,
          at: place,
          ...(near.length === 1 &&
            subject.source &&
            fixSpelling(name, near[0]!, () =>
              delegateIn(findEntrySpan(subject, "tools.allow", allow, index), entry, name),
            )),
        }
      })
    }
  },
}

const agentNames = createNamesCache(({ agents }) => [...agents.keys()].sort())

function allBut(own: string, { sorted }: KnownNames, agents: ReadonlyMap<string, Agent>): string {
  const first = sorted.slice(0, 9).filter((name) => name !== own)
  const total = agents.has(own) ? sorted.length - 1 : sorted.length
  return total > 0 ? ` Known: ${quoteNames(first, "and", total)}.` : ""
}

/** The span of this name inside `Agent(…)`. */
function delegateIn(span: Span | undefined, entry: string, name: string): Span | undefined {
  if (!span) return undefined
  for (const { 0: piece, index } of entry.matchAll(/[^(),]+/g)) {
    if (index === 0 || piece.trim() !== name) continue
    const start = span.start + index + piece.indexOf(name)
    return { start, end: start + name.length }
  }
  return undefined
}

const builtIntoClaude = new Set([
  "Explore",
  "Plan",
  "general-purpose",
  "statusline-setup",
  "claude-code-guide",
])
