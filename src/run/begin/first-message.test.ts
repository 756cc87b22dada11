import { describe, expect, test } from "vitest"
import { type Agent, type AgentInput, defineAgent } from "../../agent/agent.ts"
import type { RunNodeInput } from "../../agent/run-node.ts"
import { createRuntime } from "../../assembly/create-runtime.ts"
import type { JsonMap, Message } from "../../ground/message.ts"
import { scriptedModel } from "../../world/models/scripted.ts"
import { memoryStore } from "../../world/stores/memory.ts"

const lint = (context: string, more: Partial<AgentInput> = {}): Agent =>
  defineAgent({
    name: "lint",
    instructions: "Lint.",
    tools: [],
    template: { task: "message", context },
    ...more,
  })

/** Runs an agent, and returns the system prompt and the first message that its model was sent, or the error. */
async function firstOf(
  agent: Agent,
  task: string,
  variables: JsonMap = {},
  node?: RunNodeInput,
): Promise<readonly string[]> {
  const seen: string[] = []
  const runtime = createRuntime({
    models: { script: scriptedModel({ lint: [{ text: "done" }] }) },
    store: memoryStore(),
    layers: {
      model: [
        (request, next) => {
          const [first] = [...(request.messages as Iterable<Message>)]
          seen.push(request.system, first!.text)
          return next(request)
        },
      ],
    },
  })
  const refusal = await runtime.run(agent, task, { variables, ...(node && { node }) }).done.then(
    () => [],
    ({ code, message }) => [`${code}: ${message}`],
  )
  return [...seen, ...refusal]
}

describe("the first message", () => {
  test.each<[string, Agent, string, JsonMap, string]>([
    [
      "is the template with the run's variables, and what is inserted is not rendered again",
      lint("{% if node_name %}{{ node_name }}: {% endif %}{{ node_text }}"),
      "",
      { node_name: "f", node_text: "{{ node_name }}" },
      "f: {{ node_name }}",
    ],
    ["has the task where the template wants it", lint("<{{ task }}>"), "Look.", {}, "<Look.>"],
    ["has a task that the template does not use behind it", lint("Code.\n"), "Look.", {}, "Code.\n\nLook."],
    [
      "has a task behind it that the template uses only where this run does not come by",
      lint("{% if a %}{{ task }}{% else %}Code.{% endif %}"),
      "Look.",
      { a: false },
      "Code.\n\nLook.",
    ],
    ["is the task where the template comes to nothing", lint("{{ a | default('') }}"), "Look.", {}, "Look."],
    [
      "does not have a task that the instructions have",
      lint("Code.", { instructions: "Lint: {{task}}" }),
      "Look.",
      {},
      "Code.",
    ],
    [
      "does not have a task that is appended to the instructions",
      lint("Code.", { template: { task: "append", context: "Code." } }),
      "Look.",
      {},
      "Code.",
    ],
    ["has the definition's own variables", lint("{{ a }}", { variables: { a: "own" } }), "", {}, "own"],
  ])("%s", async (_, agent, task, variables, expected) => {
    expect((await firstOf(agent, task, variables))[1]).toBe(expected)
  })
})

describe("nothing is sent", () => {
  test.each<[string, Agent, string, JsonMap, string]>([
    [
      "where one variable is not set",
      lint("{{ node_text }}"),
      "Look.",
      {},
      expect.stringMatching(
        /^VARIABLE_UNSET.*"lint" uses node_text.*is.*it.*`--var node_text=…`.*\{ node_text: … \} \}\)`.*optional.*`\{\{ node_text \| default\(""\) \}\}` in the template.?$/,
      ),
    ],
    [
      "where several are not, and all are told",
      lint("{{ file_path }}: {{ node_name }} {{ node_text }}"),
      "Look.",
      { node_name: "f" },
      expect.stringMatching(
        /^VARIABLE_UNSET.*"lint" uses file_path, node_text.*are.*them.*`--var file_path=… --var node_text=…`.*\{ file_path: …, node_text: … \} \}\)`.*optional.*`\{\{ file_path \| default\(""\) \}\}` in the template.?$/,
      ),
    ],
    [
      "where the template wants a task and there is none",
      lint("{{ task }}{{ a }}"),
      " ",
      {},
      expect.stringMatching(
        /^VARIABLE_UNSET.*"lint" uses task, a.*are.*`--var a=…`.*\{ a: … \} \}\)`.*optional.*`\{\{ task \| default\(""\) \}\}` in the template.?$/,
      ),
    ],
    [
      "where the template is wrong",
      lint("{% if %}"),
      "Look.",
      {},
      expect.stringMatching(/^AGENT_INVALID.*"lint".*made.*template.*Unexpected end: expected a value.?$/),
    ],
    [
      "where it comes to nothing, and there is no task",
      lint("{{ a }}"),
      "",
      { a: " " },
      expect.stringMatching(/^AGENT_INVALID.*"lint".*made.*template.*the text is empty.?$/),
    ],
    [
      "where there is neither a task nor a template",
      defineAgent({ name: "lint", instructions: "Lint." }),
      " ",
      {},
      expect.stringMatching(/^TEXT_EMPTY.*task.*empty/),
    ],
    [
      "where the instructions want a task and there is none",
      lint("Code.", { instructions: "Lint: {{ task }}" }),
      "",
      {},
      expect.stringMatching(/^TEXT_EMPTY.*task.*empty/),
    ],
  ])("%s", async (_, agent, task, variables, expected) => {
    expect(await firstOf(agent, task, variables)).toEqual([expected])
  })
})

describe("a code node", () => {
  const node = {
    id: "0123456789abcdef",
    type: "method",
    name: "next",
    fullName: "Parser.next",
    file: "src/x.py",
    startLine: 3,
    endLine: 4,
    text: "def next(self):\n    return 1\n",
  }
  const bare = (instructions: string) => defineAgent({ name: "lint", instructions, tools: [] })
  const shown = "The method Parser.next in src/x.py, lines 3 to 4:\n\n```\ndef next(self):\n    return 1\n```"

  test.each<[string, Agent, string, RunNodeInput, readonly string[]]>([
    [
      "fills the template",
      lint("{{ node_type }} {{ node_name }}: {{ file_path }}"),
      "",
      node,
      ["Lint.", "method next: src/x.py"],
    ],
    ["is the message of an agent without a template", bare("Lint."), "", node, ["Lint.", shown]],
    ["stands before a task", bare("Lint."), "Be brief.", node, ["Lint.", `${shown}\n\nBe brief.`]],
    [
      "stands alone where the instructions have the task",
      bare("Lint: {{task}}"),
      "All.",
      node,
      ["Lint: All.", shown],
    ],
    [
      "cannot end its own block",
      bare("Lint."),
      "",
      { ...node, type: "file", text: "````\nx" },
      ["Lint.", "The file src/x.py, lines 3 to 4:\n\n`````\n````\nx\n`````"],
    ],
  ])("%s", async (_, agent, task, given, expected) => {
    expect(await firstOf(agent, task, {}, given)).toEqual(expected)
  })

  test("does not replace a task that the instructions want", async () => {
    expect(await firstOf(bare("Lint: {{task}}"), "", {}, node)).toEqual([
      expect.stringMatching(/^TEXT_EMPTY/),
    ])
  })
})

describe("a caller", () => {
  async function reportTo(input: JsonMap, more: Partial<AgentInput> = {}): Promise<unknown> {
    const seen: string[] = []
    const runtime = createRuntime({
      agents: [defineAgent({ name: "lead", instructions: "Lead." }), lint("{{ a }} {{ b }}", more)],
      models: {
        script: scriptedModel({
          lead: [
            { calls: [{ tool: "Agent", input: { agent: "lint", prompt: "Look.", ...input } }] },
            { text: "." },
          ],
          lint: [{ text: "done" }],
        }),
      },
      store: memoryStore(),
    })
    for await (const event of runtime.run("lead", "go")) {
      if (event.type === "tool-end") seen.push(event.result.text)
      if (event.type === "run-start" && event.opening !== undefined) seen.push(event.opening)
    }
    return seen
  }

  test("is told what it cannot set", async () => {
    expect(await reportTo({})).toEqual([
      expect.stringMatching(
        /^Cannot spawn 'lint'.*"lint" uses a, b.*are.*a, b.*them in `callVariables`.*optional.*`\{\{ a \| default\(""\) \}\}` in the template.?$/,
      ),
    ])
  })

  test("is told what it can set, and sets it", async () => {
    const more = { callVariables: ["a"], variables: { b: "own" } }
    expect(await reportTo({}, more)).toEqual([
      expect.stringMatching(
        /^Cannot spawn 'lint'.*"lint" uses a.*is.*optional.*`\{\{ a \| default\(""\) \}\}` in the template.?$/,
      ),
    ])
    expect(await reportTo({ variables: { a: "x" } }, more)).toEqual([
      "x own\n\nLook.",
      expect.stringContaining("done"),
    ])
  })
})

test("a run that goes on with another is told its task, and not once more what it has read", async () => {
  const agent = lint("{{ a }}")
  const store = memoryStore()
  const runtime = createRuntime({
    agents: [agent],
    models: { script: scriptedModel({ lint: [{ text: "done" }, { text: "done" }] }) },
    store,
  })
  const first = runtime.run("lint", "Look.", { variables: { a: "x" } })
  await first.done
  const second = runtime.run("lint", "And now?", { continues: first.id })
  const openings: unknown[] = []
  for await (const event of second) if (event.type === "run-start") openings.push(event.opening ?? event.task)
  expect(openings).toEqual(["And now?"])
})
