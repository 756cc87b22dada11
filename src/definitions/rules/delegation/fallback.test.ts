import { expect, test } from "vitest"
import { defineAgent } from "../../../agent/agent.ts"
import { cadre } from "../../formats/cadre.ts"
import { checkAgents } from "../check.ts"
import { writeBriefLine } from "../support.ts"

/** The findings for the first of these agents, which are given with their fallbacks. */
function linesOf(chains: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const agents = Object.entries(chains).map(([name, fallback]) => ({
    ...defineAgent({ name, instructions: `You are ${name}.` }),
    fallback,
  }))
  const surroundings = {
    tools: new Set<string>(),
    models: undefined,
    skills: undefined,
    agents: new Map(agents.map((agent) => [agent.name, agent])),
  }
  return checkAgents(
    agents.map((agent) => ({ agent, format: cadre })),
    surroundings,
  )[0]!.map(writeBriefLine)
}

const circular = (entry: string, chain: string) => `error fallback-circular at fallback "${entry}": ${chain}`

test.each<[string, Parameters<typeof linesOf>[0], readonly string[]]>([
  ["agents that are there", { a: ["b", "c"], b: ["c"], c: [] }, []],
  [
    "a slip",
    { a: ["b", "reviewr"], b: [], reviewer: [] },
    ['error fallback-unknown at fallback "reviewr": `reviewr` `reviewer`'],
  ],
  [
    "nobody like it",
    { a: ["archivist"], reviewer: [] },
    ['error fallback-unknown at fallback "archivist": `archivist` `reviewer`'],
  ],
  ["itself", { a: ["a"] }, [circular("a", "`a` `a`")]],
  ["a circle of two", { a: ["b"], b: ["a"] }, [circular("b", "`a` `b` `a`")]],
  [
    "a circle of three, by its second entry",
    { a: ["d", "b"], b: ["d", "c"], c: ["a"], d: [] },
    [circular("b", "`a` `b` `c` `a`")],
  ],
  ["a circle that it only leads to", { a: ["b"], b: ["c"], c: ["b"] }, []],
])("fallback: %s", (_, chains, expected) => {
  expect(linesOf(chains)).toEqual(expected)
})
