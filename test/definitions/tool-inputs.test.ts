import { expect, test } from "vitest"
import { toolInputs } from "../../src/agent/catalogue/tool-inputs.ts"
import { builtInTools } from "../../src/world/tools/built-in.ts"
import { agentControlTools } from "../../src/world/tools/subagents.ts"

test("what is known of the arguments of tools is what the tools take", () => {
  const tools = [...builtInTools({ root: import.meta.dirname }), ...agentControlTools()].filter(
    ({ kind }) => kind !== "control",
  )
  const taken = tools.map((tool) => {
    const aliases = "aliases" in tool ? (tool.aliases ?? {}) : {}
    const { properties = {} } = tool.input as { properties?: object }
    const names = [...Object.keys(properties), ...Object.keys(aliases), ...Object.values(aliases)]
    return [tool.name, [...new Set(names)].sort()]
  })
  const known = Object.entries(toolInputs).map(([name, names]) => [name, names.toSorted()])
  expect(Object.fromEntries(known)).toEqual(Object.fromEntries(taken))
})
