import { delegatesOf } from "./delegates.ts"
import { entryPlace } from "./entry-place.ts"
import { hostOf } from "./named-tool.ts"
import { didYouMean, nearNames, quoted } from "./near-names.ts"
import type { DiagnosticRule } from "./rule.ts"

export const delegationUnknown: DiagnosticRule = {
  code: "delegation-unknown",
  severity: "error",
  title: "Delegation to an agent that does not exist",
  why: "The agent is told that it may hand work to somebody who is not there, and every such call fails.",
  fix: "Write the name of an agent that exists, or add the one that is missing.",
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
    for (const { name, entry, index } of delegatesOf(subject, surroundings) ?? []) {
      if (agents.has(name) || name.includes("*")) continue
      const place = entryPlace(subject, "tools.allow", subject.agent.tools.allow, index)
      if (hostOf(subject) === "claude" && builtIntoClaude.has(name)) {
        subject.report({
          severity: "warning",
          message: `\`${name}\` is built into Claude Code and does not exist here, so nothing can be delegated to it. Define an agent of this name, or remove it unless the file is also used there.`,
          at: place,
        })
        continue
      }
      const others = [...agents.keys()].filter((other) => other !== subject.agent.name).sort()
      const near = nearNames(name, others)
      const known =
        near.length > 0 ? didYouMean(near) : others.length > 0 ? ` Known: ${quoted(others, "and")}.` : ""
      subject.report({
        message: `There is no agent \`${name}\`, so every call to it would fail.${known}`,
        at: place,
        ...(near.length === 1 && {
          fix: {
            title: `Write \`${near[0]}\``,
            edits: [{ at: place, text: renamed(entry, name, near[0]!) }],
          },
        }),
      })
    }
  },
}

const renamed = (entry: string, wrong: string, right: string): string =>
  entry.replaceAll(/[^(),]+/g, (part) => (part.trim() === wrong ? part.replace(wrong, right) : part))

const builtIntoClaude = new Set([
  "Explore",
  "Plan",
  "general-purpose",
  "statusline-setup",
  "claude-code-guide",
])
