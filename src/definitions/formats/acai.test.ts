import fs from "node:fs"
import path from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Agent, type AgentInput, defineAgent, trimBody } from "../../agent/agent.ts"
import { acai } from "./acai.ts"
import { diagnose } from "./problem.ts"
import { readAgent } from "./read-agent.ts"
import { writeAgent } from "./write.ts"

const file = ".acai/subagents/helper.md"
const read = (text: string) => readAgent(acai, { path: file, text })

/** The findings of a file, each with the place it is shown at. */
function findings(text: string): readonly string[] {
  const { locate, problems } = read(text)
  return diagnose(file, text, locate, problems).map(
    ({ severity, message, range: { start, end } }) =>
      `${start.line}:${start.column}-${end.line}:${end.column} ${severity}: ${message}`,
  )
}

const findingsIn = (yaml: string) => findings(`---\n${yaml}\n---\nBody.`)
const agentOf = (yaml: string) => read(`---\nname: helper\ndescription: Helps\n${yaml}\n---\nBody.`).agent!

function withoutOrigin({ origin: _, ...agent }: Agent) {
  return agent
}

/** The defaults of every file. */
const unsaid = {
  limits: { timeout: 300_000 },
  template: { task: "append" },
  context: { environment: true },
} as const

describe("what acai says about a file is said here in the same words", () => {
  const notFile = (name: string) =>
    `Name "${name}" must match filename "helper.md" (without .md). Rename one of the two.`

  test.each([
    [
      "no front matter",
      "Just text.",
      expect.stringMatching(/^1:1-1:1 error: Name field is required.*begin.*keys/),
    ],
    ["an empty file", "\n", expect.stringMatching(/^1:1-1:1 error: Name field is required.*empty.*defines/)],
    [
      "front matter that is never closed",
      "---\nname: helper\n",
      expect.stringMatching(/^2:1-2:1 error: Name field is required.*frontmatter.*closed/),
    ],
  ])("%s", (_, text, finding) => {
    expect(findings(text)).toEqual([finding])
  })

  test.each([
    [
      "no name",
      "description: d",
      [expect.stringMatching(/^2:1-2:1 error: Name field is required.*agent.*file/)],
    ],
    [
      "a name without a value",
      "name:\ndescription: d",
      [expect.stringMatching(/^2:1-2:5 error: Name field is required.*agent.*file/)],
    ],
    [
      "an empty name",
      "name: ''\ndescription: d",
      [expect.stringMatching(/^2:7-2:9 error: Name field is required\. `name`.*text.*empty/)],
    ],
    [
      "a long name",
      `name: ${"a".repeat(65)}\ndescription: d`,
      ["2:7-2:72 error: Name must be 1-64 characters long", `2:7-2:72 error: ${notFile("a".repeat(65))}`],
    ],
    [
      "other characters",
      "name: Helper_1\ndescription: d",
      [
        "2:7-2:15 error: Name can only contain lowercase letters, numbers, and hyphens",
        `2:7-2:15 error: ${notFile("Helper_1")}`,
      ],
    ],
    [
      "a hyphen at the start",
      "name: -helper\ndescription: d",
      ["2:7-2:14 error: Name cannot start or end with a hyphen", `2:7-2:14 error: ${notFile("-helper")}`],
    ],
    [
      "a hyphen at the end",
      "name: helper-\ndescription: d",
      ["2:7-2:14 error: Name cannot start or end with a hyphen", `2:7-2:14 error: ${notFile("helper-")}`],
    ],
    [
      "two hyphens",
      "name: hel--per\ndescription: d",
      ["2:7-2:15 error: Name cannot contain consecutive hyphens", `2:7-2:15 error: ${notFile("hel--per")}`],
    ],
    [
      "several rules at once",
      "name: -H--\ndescription: d",
      [
        "2:7-2:11 error: Name can only contain lowercase letters, numbers, and hyphens. Name cannot start or end with a hyphen. Name cannot contain consecutive hyphens",
        `2:7-2:11 error: ${notFile("-H--")}`,
      ],
    ],
    ["the name of another file", "name: other\ndescription: d", [`2:7-2:12 error: ${notFile("other")}`]],
    [
      "no description",
      "name: helper",
      [expect.stringMatching(/^2:1-2:1 error: Description field is required.*callers/)],
    ],
    [
      "an empty description",
      "name: helper\ndescription: ''",
      [expect.stringMatching(/^3:14-3:16 error: Description field is required\. `description`.*text.*empty/)],
    ],
    [
      "a long description",
      `name: helper\ndescription: ${"a".repeat(1025)}`,
      [
        expect.stringMatching(
          /^3:14-3:1039 error: Description must be 1-1024 characters long.*1025.*front.*matter/,
        ),
      ],
    ],
    [
      "a timeout of 0, which acai took for the default",
      "name: helper\ndescription: d\ntimeout: 0",
      [
        "4:10-4:11 error: Timeout must be a number between 1 and 3600 seconds. `timeout` must be a number from 1 to 3600, but it is 0.",
      ],
    ],
    [
      "a timeout above an hour",
      "name: helper\ndescription: d\ntimeout: 3601",
      [
        "4:10-4:14 error: Timeout must be a number between 1 and 3600 seconds. `timeout` must be a number from 1 to 3600, but it is 3601.",
      ],
    ],
    [
      "a timeout in quotes",
      "name: helper\ndescription: d\ntimeout: '60'",
      [
        '4:10-4:14 error: Timeout must be a number between 1 and 3600 seconds. `timeout` must be a number from 1 to 3600, but it is "60".',
      ],
    ],
  ])("%s", (_, yaml, expected) => {
    expect(findingsIn(yaml)).toEqual(expected)
  })

  test("a timeout that is refused leaves the default in force", () => {
    expect(agentOf("timeout: 0").limits).toEqual({ timeout: 300_000 })
  })

  test("64 characters, 1024 characters, one second and one hour are allowed", () => {
    const name = "a".repeat(64)
    for (const timeout of [1, 3600]) {
      const text = `---\nname: ${name}\ndescription: ${"d".repeat(1024)}\ntimeout: ${timeout}\n---\nBody.`
      const { agent, problems } = readAgent(acai, { path: `${name}.md`, text })
      expect({ problems, limits: agent?.limits }).toEqual({
        problems: [],
        limits: { timeout: timeout * 1_000 },
      })
    }
  })

  test("an empty body is a warning, and the agent is there", () => {
    const text = "---\nname: helper\ndescription: d\n---\n"
    expect(findings(text)).toEqual([expect.stringMatching(/^5:1-5:1 warning.*instructions.*system/)])
    expect(read(text).agent?.instructions).toBe("")
  })
})

describe("what a file may leave out", () => {
  test("five minutes, and the task after the body", () => {
    expect(withoutOrigin(agentOf(""))).toEqual(
      withoutOrigin(defineAgent({ name: "helper", description: "Helps", instructions: "Body.", ...unsaid })),
    )
  })

  test("a default that the file left out is not written, and comes back all the same", () => {
    const agent = agentOf("tools: [Read, Agent]")
    const { text, losses } = writeAgent(acai, agent, file)
    expect({ text, losses }).toEqual({
      text: "---\nname: helper\ndescription: Helps\ntools: Read, Agent\n---\nBody.",
      losses: [],
    })
    expect(withoutOrigin(read(text).agent!)).toEqual(withoutOrigin(agent))
  })

  test("an agent without a timeout, without the environment, or with its task in a message, cannot be said", () => {
    const agent = defineAgent({ name: "helper", description: "Helps", instructions: "Body." })
    expect(writeAgent(acai, agent, file).losses.map(({ field }) => field)).toEqual([
      "limits.timeout",
      "template",
      "context",
      "tools",
    ])
  })

  test.each(["model:", "model: ''", "model: ' '"])("a blank model is none: %s", (yaml) => {
    expect(agentOf(yaml).model).toBeUndefined()
  })
})

describe("tools", () => {
  test.each([
    ["with commas", "tools: Read, Grep,, Agent(a, b) ,", ["Read", "Grep", "Agent(a, b)"]],
    ["as a list, which acai did not read", "tools: [Read, Agent]", ["Read", "Agent"]],
    ["none: decided against acai, which took it for all tools", "tools: []", []],
    ["none, as a text", "tools: ''", []],
  ])("%s", (_, yaml, allow) => {
    const agent = agentOf(yaml)
    expect(agent.tools).toEqual({ mode: "list", allow, deny: [] })
    expect(read(writeAgent(acai, agent, file).text).agent?.tools).toEqual(agent.tools)
  })

  test("left out: every tool that the tree may use", () => {
    expect(agentOf("").tools).toEqual({ mode: "inherit", allow: [], deny: [] })
  })
})

describe("files", () => {
  const folder = path.join(import.meta.dirname, "fixtures/acai")
  const fixtures: Readonly<Record<string, AgentInput>> = {
    "code-reviewer.md": {
      name: "code-reviewer",
      description: "Reviews code for quality, security and best practices",
      instructions:
        "You are a code review specialist. Look for\n- defects,\n- security holes,\n- what is hard to maintain.\n\n{{task}}\n\nSort your findings by severity.",
      model: "anthropic:sonnet",
      tools: ["Read", "Grep", "Glob", "Bash"],
      ...unsaid,
      limits: { timeout: 600_000 },
    },
    "planning.md": {
      name: "planning",
      description: "Writes implementation plans after thorough research",
      instructions: "# Implementation plan\n\nResearch first. Ask nothing that the code can answer.",
      ...unsaid,
    },
    "researcher.md": {
      name: "researcher",
      recursive: true,
      description: "Gathers what is known about a topic, and asks itself about its parts",
      instructions: "Find sources, compare them, and cite them.",
      tools: ["Read", "Write", "Agent"],
      ...unsaid,
    },
  }

  test("every fixture is looked at", () => {
    expect(fs.readdirSync(folder).sort()).toEqual(Object.keys(fixtures).sort())
  })

  const variants: readonly (readonly [string, (text: string) => string])[] = [
    ["as it is", (text) => text],
    ["with Windows line ends, which acai did not read", (text) => text.replaceAll("\n", "\r\n")],
    ["with a byte order mark", (text) => `\ufeff${text}`],
    ["without a final line end", (text) => text.trimEnd()],
  ]
  test.each(
    Object.entries(fixtures).flatMap(([name, input]) =>
      variants.map(([how, vary]) => [name, how, vary, input] as const),
    ),
  )("%s %s", (name, _, vary, input) => {
    const text = vary(fs.readFileSync(path.join(folder, name), "utf8"))
    const { agent, problems } = readAgent(acai, { path: path.join(folder, name), text })
    expect(problems).toEqual([])
    const unixLines = { ...agent!, instructions: agent!.instructions.replaceAll("\r\n", "\n") }
    expect(withoutOrigin(unixLines)).toEqual(withoutOrigin(defineAgent(input)))
    expect(writeAgent(acai, agent!, name).losses).toEqual([])
  })
})

describe("writing", () => {
  const word = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
    .map((text) => text.trim())
    .filter(Boolean)
  /** A path would be a script. */
  const toolName = word.filter((text) => !/^\.{0,2}[/\\]/.test(text))
  const sayable = fc
    .record(
      {
        name: fc.stringMatching(/^[a-z0-9]{1,20}(-[a-z0-9]{1,20}){0,2}$/),
        description: word,
        instructions: fc
          .string({ unit: "binary" })
          .map((text) => trimBody(text.replaceAll("\0", "")).instructions)
          .filter((text) => text.trim() !== ""),
        model: word,
        tools: fc.array(toolName, { maxLength: 4 }),
        limits: fc.integer({ min: 1_000, max: 3_600_000 }).map((timeout) => ({ timeout })),
      },
      { requiredKeys: ["name", "description", "instructions"] },
    )
    .map((input) => defineAgent({ ...unsaid, ...input } as AgentInput))
    .map((agent) => ({ ...agent, origin: { format: "acai" } }))

  test("whatever the format can say comes back equal", () => {
    fc.assert(
      fc.property(sayable, (agent) => {
        const { text, losses } = writeAgent(acai, agent, `${agent.name}.md`)
        expect(losses).toEqual([])
        const back = readAgent(acai, { path: `${agent.name}.md`, text }).agent!
        expect(withoutOrigin(back)).toEqual(withoutOrigin(agent))
      }),
      { numRuns: 500 },
    )
  })

  test("what it cannot say is listed", () => {
    const agent = defineAgent({
      name: "helper",
      label: "Helper",
      description: "Helps",
      instructions: "Help.",
      keywords: ["help"],
      model: { provider: "openai", model: "gpt-4o" },
      disallowedTools: ["Bash"],
      rules: [{ tool: "Read", decision: "ask" }],
      ...unsaid,
      limits: { timeout: 7_200_000, maxTurns: 3 },
      skills: ["one"],
      metadata: { team: "docs" },
    })
    const { losses } = writeAgent(acai, agent, file)
    expect(losses[0]).toEqual({
      field: "",
      message:
        "Timeout must be a number between 1 and 3600 seconds. `timeout` must be a number from 1 to 3600, but it is 7200.",
    })
    expect(losses.slice(1).map(({ field }) => field)).toEqual([
      "label",
      "keywords",
      "model",
      "skills",
      "metadata",
      "tools.deny",
      "limits.timeout",
      "limits.maxTurns",
      "rules",
      "tools",
    ])
  })
})
