import { entryPlace, entrySpan } from "../entry-place.ts"
import { didYouMean, knownNamesOf, quoted } from "../near-names.ts"
import type { DiagnosticRule } from "../rule.ts"
import { shown } from "../shown.ts"
import { spellingFix } from "../spelling-fix.ts"
import { anyList } from "../tools/named-tool.ts"
import { brokenAgent } from "./broken-agent.ts"

export const fallbackUnknown: DiagnosticRule = {
  code: "fallback-unknown",
  severity: "error",
  title: "A fallback that does not exist",
  why: "Where the agent fails, its task is to go to somebody who is not there: nobody gets it.",
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
    const listed = anyList(subject.agent.fallback).filter((name) => typeof name === "string")
    for (const [index, name] of listed.entries()) {
      if (agents.has(name)) continue
      const broken = brokenAgent(name, surroundings)
      if (broken !== undefined) {
        subject.report({
          severity: "warning",
          message: `${broken}, so nothing can fall back to it.`,
          at: entryPlace(subject, "fallback", listed, index),
        })
        continue
      }
      const known = agentNames(surroundings)
      const near = known.near(name, subject.agent.name)
      const others = known.sorted.filter((other) => other !== subject.agent.name)
      const list = others.length > 0 ? ` Known: ${quoted(others.slice(0, 9), "and", others.length)}.` : ""
      subject.report({
        message: `There is no agent \`${shown(name)}\` to fall back to.${near.length > 0 ? didYouMean(near) : list}`,
        at: entryPlace(subject, "fallback", listed, index),
        ...(near.length === 1 &&
          subject.source &&
          spellingFix(name, near[0]!, () => entrySpan(subject, "fallback", listed, index))),
      })
    }
  },
}

const agentNames = knownNamesOf(({ agents }) => [...agents.keys()].sort())
