import fc from "fast-check"
import { expect, test } from "vitest"
import { type Agent, defineAgent, type Scope } from "../../agent/agent.ts"
import type { Candidate } from "./entry.ts"
import type { ReadFile } from "./file.ts"
import type { NameClaim } from "./name-claims.ts"
import { SubagentRegistry } from "./registry.ts"
import { type Resolution, resolveEntries } from "./resolve.ts"
import { rivalsFor } from "./rivals.ts"

const names = ["a", "b", "c", "d"] as const
const name = fc.constantFrom(...names)
const scope = fc.constantFrom<Scope>("built-in", "user", "package", "project")
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
          ({ isSound: _, name, aliases, ...place }, index): Candidate => ({
            ...place,
            agent: defineAgent({ name, aliases, instructions: "x" }),
            folder: `/${index % 2}`,
            file: fileAt(`/${index % 2}/${index}.md`),
          }),
        )
        const claims = written.map(
          (claim, index): NameClaim => ({ ...claim, file: fileAt(`/claim/${index}.md`) }),
        )
        const isSound = (candidate: Candidate) => definitions[candidates.indexOf(candidate)]!.isSound
        const all = resolveEntries(candidates, claims, isSound, () => [])
        const rivals = rivalsFor(candidates, claims)
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

const fileAt = (path: string): ReadFile => ({ path, problems: [] }) as unknown as ReadFile

/** All that the registry asks of a name. */
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

/** An agent that tells when a rule looks at its list of tools. */
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
