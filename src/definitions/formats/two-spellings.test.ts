import { describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import { formats } from "./index.ts"
import { diagnose } from "./problem.ts"
import { readAgent } from "./read-agent.ts"
import { subagentSpec } from "./subagent-spec.ts"

function read(format: string, path: string, text: string) {
  const { agent, problems, locate } = readAgent([...formats, subagentSpec].find(({ id }) => id === format)!, {
    path,
    text,
  })
  return {
    instructions: agent?.instructions,
    margins: agent?.origin.margins,
    findings: diagnose(path, text, locate, problems).map(
      ({ code, message, range: { start } }) => `${start.line}:${start.column} ${code}: ${message}`,
    ),
  }
}

const twoSpellings = (key: string, other: string) => [`key-duplicate: \`${key}\``, `\`${other}\``]
const twoPlaces = (key: string) => [`key-duplicate: \`${key}\``]

describe("two keys that say one thing", () => {
  test.each([
    [
      "cadre",
      "aide.json",
      '{"name":"aide","description":"d","systemPrompt":"a",\n"prompt":"b",\n"system":"c"}',
      "a",
      [
        naming("2:1 ", ...twoSpellings("prompt", "systemPrompt")),
        naming("3:1 ", ...twoSpellings("system", "systemPrompt")),
      ],
    ],
    [
      "cadre",
      "aide.yaml",
      "name: aide\ndescription: d\nsystem: a\ninstructions: b",
      "b",
      [naming("3:1 ", ...twoSpellings("system", "instructions"))],
    ],
    [
      "subagent-spec",
      "aide.json",
      '{"name":"aide","description":"d","system":"a",\n"prompt":"b"}',
      "b",
      [naming("1:34 ", ...twoSpellings("system", "prompt"))],
    ],
    [
      "gobby",
      "aide.yaml",
      "name: aide\nrole: r\nlifecycle_workflow: a\nlifecycle: b",
      "## Role\nr",
      [naming("3:1 ", ...twoSpellings("lifecycle_workflow", "lifecycle"))],
    ],
  ])("%s, %s: %j", (format, file, text, instructions, findings) => {
    expect(read(format, file, text)).toMatchObject({ instructions, findings })
  })
})

describe("instructions as a key of markdown", () => {
  const markdown = (key: string, body: string) =>
    `---\nname: aide\ndescription: d\n${key}: Key.\n---\n${body}`

  test.each([
    ["cadre", "instructions"],
    ["cadre", "prompt"],
    ["subagent-spec", "systemPrompt"],
    ["subagent-spec", "system"],
  ])("%s: %s beside a body is one too many", (format, key) => {
    expect(read(format, "aide.md", markdown(key, "\nBody.\n"))).toEqual({
      instructions: "Body.",
      margins: { before: "\n", after: "\n" },
      findings: [naming("4:1 ", ...twoPlaces(key))],
    })
  })

  test.each([
    ["cadre", "instructions"],
    ["cadre", "system"],
    ["subagent-spec", "prompt"],
  ])("%s: %s without a body is the instructions", (format, key) => {
    expect(read(format, "aide.md", markdown(key, " \n\n"))).toEqual({
      instructions: "Key.",
      margins: undefined,
      findings: [],
    })
  })
})
