import { describe, expect, test } from "vitest"
import type { CommandConfinement } from "../../agent/confinement.ts"
import type { RunState } from "../state/state.ts"
import { chooseConfinement, findStricterConfinement } from "./confine.ts"

const [strict, open]: readonly [CommandConfinement, CommandConfinement] = [
  { sandbox: "required", network: "none" },
  { sandbox: "off", network: "full" },
]
const tools = (...said: readonly (CommandConfinement | undefined)[]) =>
  new Map(said.map((confinement, index) => [`t${index}`, { ...(confinement && { confinement }) }])) as never
const of = (confinement?: CommandConfinement) => ({ confinement }) as RunState

describe("how a run is confined", () => {
  test.each([
    ["as nobody says", tools(undefined), {}, undefined],
    ["as its tools have it", tools(undefined, open), {}, open],
    ["as the strictest of them", tools(open, strict), {}, strict],
    ["as the root whose task it has, where that is stricter", tools(open), { follows: of(strict) }, strict],
    ["as its tools, where they are stricter than that", tools(strict), { follows: of(open) }, strict],
    ["as its parent, whatever the tools say", tools(strict), { parent: of(open) }, open],
    ["as its parent, which is not confined", tools(strict), { parent: of() }, undefined],
  ])("%s", (_, given, beginning, expected) =>
    expect(chooseConfinement(given, beginning as never)).toEqual(expected),
  )
})

describe("what a run keeps that is taken up again", () => {
  test.each([
    ["nothing, where nothing changed", tools(strict), strict, undefined],
    ["nothing, where tools are less strict", tools(open), strict, undefined],
    ["nothing, where nobody says anything", tools(), undefined, undefined],
    ["all that is stricter", tools(strict), open, { confinement: strict }],
    [
      "a stricter sandbox",
      tools({ ...open, sandbox: "preferred" }),
      open,
      { confinement: { sandbox: "preferred", network: "full" } },
    ],
    [
      "a stricter network",
      tools({ ...open, network: "none" }),
      open,
      { confinement: { sandbox: "off", network: "none" } },
    ],
    ["what is there now and was not", tools(open), undefined, { confinement: open }],
  ] as const)("%s", (_, given, before, expected) =>
    expect(findStricterConfinement(given, of(before))).toEqual(expected),
  )
})
