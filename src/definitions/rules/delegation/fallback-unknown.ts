import { findEntrySpan, locateEntry } from "../entry-place.ts"
import { createNamesCache, didYouMean, quoteNames } from "../near-names.ts"
import type { DiagnosticRule } from "../rule.ts"
import { shorten } from "../shorten.ts"
import { fixSpelling } from "../spelling-fix.ts"
import { toAnyList } from "../tools/named-tool.ts"
import { describeBrokenAgent } from "./broken-agent.ts"

export const fallbackUnknown: DiagnosticRule = {
  code: "fallback-unknown",
  severity: "error",
  title: "A fallback that does not exist",
  why: "If the agent fails, its task should go to an agent that does not exist, so no agent gets it.",
  fix: "Write the name of an agent that exists, or add the one that is missing.",
  example: {
    file: ".cadre/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\nfallback: [careful-reviewr]\n---\n\nReview the changes.\n",
    beside: [
      {
        file: ".cadre/agents/careful-reviewer.md",
        text: "---\nname: careful-reviewer\ndescription: Reviews changes slowly.\n---\n\nReview the changes.\n",
      },
    ],
  },
  about: "fallback",
  check(subject, surroundings) {
    const { agents } = surroundings
    const fallbacks = toAnyList(subject.agent.fallback).filter((name) => typeof name === "string")
    for (const [index, name] of fallbacks.entries()) {
      if (agents.has(name)) continue
      const broken = describeBrokenAgent(name, surroundings)
      if (broken !== undefined) {
        subject.report({
          severity: "warning",
          message: `${broken}, so nothing can fall back to it.`,
          at: locateEntry(subject, "fallback", fallbacks, index),
        })
        continue
      }
      const knownAgents = agentNames(surroundings)
      const near = knownAgents.near(name, subject.agent.name)
      const others = knownAgents.sorted.filter((other) => other !== subject.agent.name)
      const list = others.length > 0 ? ` Known: ${quoteNames(others.slice(0, 9), "and", others.length)}.` : ""
      subject.report({
        message: `There is no agent \`${shorten(name)}\` to fall back to.${near.length > 0 ? didYouMean(near) : list}`,
        at: locateEntry(subject, "fallback", fallbacks, index),
        ...(near.length === 1 &&
          subject.source &&
          fixSpelling(name, near[0]!, () => findEntrySpan(subject, "fallback", fallbacks, index))),
      })
    }
  },
}

const agentNames = createNamesCache(({ agents }) => [...agents.keys()].sort())
