import fc from "fast-check"
import { expect, test } from "vitest"
import { type Agent, type AgentScope, defineAgent } from "../../agent/agent.ts"
import type { AgentCandidate } from "./entry.ts"
import type { DefinitionFile } from "./file.ts"
import type { NameClaim } from "./name-claims.ts"
import { SubagentRegistry } from "./registry.ts"
import { type Resolution, resolveEntries } from "./resolve.ts"
import { createRivalFinder } from "./rivals.ts"

const names = ["a", "b", "c", "d"] as const
const name = fc.constantFrom(...names)
const scope = fc.constantFrom<AgentScope>("built-in", "user", "package", "project")
const definition = fc.record({
  name,
  scope,
  aliases: fc.uniqueArray(name, { maxLength: 2 }),
  isSound: fc.boolean(),
  distance: fc.nat(1),
})

test("what a name comes to is the same with its rivals alone as with everybody", () => {
  fc.assert(
    fc.property(
      fc.array(definition, { maxLength: 8 }),
      fc.array(fc.record({ name, scope, distance: fc.nat(1) }), { maxLength: 2 }),
      (definitions, written) => {
        const candidates = definitions.map(
          ({ isSound: _, name, aliases, ...place }, index): AgentCandidate => ({
            ...place,
            agent: defineAgent({ name, aliases, instructions: "x" }),
            folder: `/${index % 2}`,
            file: fileAt(`/${index % 2}/${index}.md`),
          }),
        )
        const claims = written.map(
          (claim, index): NameClaim => ({ ...claim, file: fileAt(`/claim/${index}.md`) }),
        )
        const isSound = (candidate: AgentCandidate) => definitions[candidates.indexOf(candidate)]!.isSound
        const all = resolveEntries(candidates, claims, isSound, () => [])
        const rivals = createRivalFinder(candidates, claims)
        for (const one of [...names, "nobody"])
          expect(
            told(
              one,
              resolveEntries(...rivals(one), isSound, () => []),
            ),
          ).toEqual(told(one, all))
      },
    ),
  )
})

const fileAt = (path: string): DefinitionFile => ({ path, problems: [] }) as unknown as DefinitionFile

/** Every question of the registry about a name. */
const told = (name: string, { entries, broken }: Resolution) => ({
  broken: broken.get(name),
  own: entries.filter(({ candidate }) => candidate.agent.name === name),
  others: entries.filter(
    ({ candidate: { agent }, state }) => state.type === "active" && agent.aliases?.includes(name),
  ),
})

test("whoever asks for one agent has none of the others looked at", () => {
  const asked: string[] = []
  const registry = new SubagentRegistry()
  registry.registerAll([{ name: "lead", instructions: "x", tools: ["Read"] }, watched("other", asked)])
  asked.length = 0
  expect([registry.find("lead")?.name, asked]).toEqual(["lead", []])
  expect([registry.names(), asked]).toEqual([["lead", "other"], ["other"]])
})

/** An agent that reports when a rule reads its list of tools. */
function watched(name: string, asked: string[]): Agent {
  const { tools, ...agent } = defineAgent({ name, instructions: "x", tools: ["Read"] })
  return {
    ...agent,
    get tools() {
      if (!asked.includes(name)) asked.push(name)
      return tools
    },
  }
}
