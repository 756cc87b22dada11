import path from "node:path"
import { expect, test } from "vitest"
import { temporaryFolder } from "../../../test/file-kit.ts"
import { formats } from "./index.ts"
import { readAgent } from "./read-agent.ts"
import { writeAgent } from "./write.ts"

const formatOf = (id: string) => formats.find((format) => format.id === id)!
const markdown = (lines: string) => `---\nname: greeter\ndescription: Greets.\n${lines}\n---\n\nGreet.\n`
const texts: readonly [string, string, string][] = [
  ["claude", "greeter.md", markdown("tools: Read, ./sub/greet.pym")],
  ["claude", "greeter.md", markdown("tools: [Read, ./sub/../sub/greet.pym]")],
  ["cadre", "greeter.md", markdown("tools: [Read, ./sub/greet.pym]\ndisallowedTools: [./sub/greet.pym]")],
  ["codex-md", "greeter.md", markdown("tools: [Read, ./sub/greet.pym]")],
  ["acai", "greeter.md", markdown("tools: Read, ./sub/greet.pym")],
  [
    "gobby",
    "greeter.yaml",
    "name: greeter\ndescription: Greets.\ninstructions: Greet.\nallowed_tools: [Read, ./sub/greet.pym]\n",
  ],
]

test.each(texts)("a script in a file of %s comes back as it was written (%s)", (id, name, text) => {
  const file = path.join(temporaryFolder({ "sub/greet.pym": "1\n" }), name)
  const { agent, problems } = readAgent(formatOf(id), { path: file, text })
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([])
  const greet = { name: "greet", description: "", script: path.join(path.dirname(file), "sub/greet.pym") }
  expect([agent!.tools.allow, agent!.toolDefinitions]).toEqual([
    ["Read", "greet"],
    [{ ...greet, entry: "./sub/greet.pym" }],
  ])
  const written = writeAgent(formatOf(id), agent!, file)
  expect(written.losses).toEqual([])
  expect(readAgent(formatOf(id), { path: file, text: written.text }).agent).toEqual({
    ...agent,
    origin: expect.anything(),
  })
  const elsewhere = writeAgent(formatOf(id), agent!, path.join(temporaryFolder({}), name))
  expect(elsewhere.losses.map(({ field }) => field.split(".")[0])).toContain("toolDefinitions")
})
