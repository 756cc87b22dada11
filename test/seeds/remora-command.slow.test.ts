/** What Remora's subagents (000) must do here, through the built command. */
import path from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import type { ScriptedAnswer } from "../../src/faces/testing/model-server.ts"
import { naming } from "../naming.ts"
import { SeedWorld, seedText } from "./command-kit.ts"

let world: SeedWorld
afterEach(() => world.close())

const file = "work/agents/docstring/docstring_subagent.yaml"
const submitted = { calls: [{ tool: "submit_result", arguments: { summary: "Documented." } }] }
const node = {
  node_text: "def f(): pass",
  node_name: "f",
  node_type: "function",
  file_path: "src/f.py",
}
const variables = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).flatMap(([name, value]) => ["--var", `${name}=${value}`])

/** A project with the definition of the design, changed as a test wants it. */
async function project(
  script: readonly ScriptedAnswer[] | (() => ScriptedAnswer) = [submitted],
  change: (text: string) => string = (text) => text,
): Promise<SeedWorld> {
  world = await SeedWorld.open(script)
  world.put(file, change(seedText("000-docstring_subagent.yaml")))
  world.put("work/agents/docstring/models/docstring.gguf", "weights")
  world.put("work/agents/docstring/tools/submit.pym", "submit(input)\n")
  return world
}

const run = (...words: readonly string[]) => world.run("docstring_agent", ...words, "--model", "local:m")

interface Finding {
  readonly code: string
  readonly severity: string
  readonly message: string
  readonly foreignCode?: string
}

async function findings(): Promise<{ code: number | null; found: readonly Finding[] }> {
  const { code, stdout } = await world.cadre("check", "--json")
  const { diagnostics } = JSON.parse(stdout)
  return { code, found: diagnostics }
}

describe("000: a file is checked before it runs", () => {
  test("a sound definition has no findings", async () => {
    await project()
    expect(await findings()).toEqual({ code: 0, found: [] })
  })

  const warned = (code: string, message: RegExp) => ({
    code: 0,
    found: [expect.objectContaining({ code, severity: "warning", message: expect.stringMatching(message) })],
  })

  test("a template in the system prompt is sent as it stands: check and the run say so", async () => {
    await project([submitted], (text) =>
      text.replace(/(system_prompt:\s*[|>]?-?\s*)(?=\S)/, "$1For {{ node_name }} "),
    )
    const said = /^`\{\{ node_name \}\}` in `system_prompt` .*unchanged/
    expect(await findings()).toEqual(warned("template-variable", said))
    const variables = ["node_text=x", "node_type=function", "node_name=f", "file_path=a.py"]
    const { stdout } = await world.cadre(
      ...["run", "docstring_agent", "--trust", "--json", "--model", "local:m"],
      ...variables.flatMap((variable) => ["--var", variable]),
    )
    expect(JSON.parse(stdout).warnings, stdout).toEqual([
      expect.stringMatching(/^Agent "docstring_agent": `\{\{ node_name \}\}` in `system_prompt` .*unchanged/),
    ])
  })

  test("a model that is not there is a warning, which says what would be asked in its place", async () => {
    await project([], (text) => text.replace("docstring.gguf", "gone.gguf"))
    expect(await findings()).toEqual(
      warned("path-missing", /not found: \S+\/agents\/docstring\/models\/gone\.gguf.*the model "gone"/),
    )
  })

  test.each([
    ["a script that is not there", "submit.pym", "gone.pym", "path-missing", /^Tool script not found: /],
    [
      "parameters that take anything",
      "additionalProperties: false",
      "additionalProperties: true",
      "tool-parameters-open",
      /^Tool parameters should set additionalProperties: false for strict mode\./,
    ],
    [
      "a variable that is none of a node",
      "{{ node_text }}",
      "{{ node_text }}{{ node_txt }}",
      "template-variable",
      /not set `node_txt`\..*sets it \(`--var node_txt=…`\),.*you mean "node_text"\?/s,
    ],
  ])("%s is a warning", async (_, from, to, code, message) => {
    await project([], (text) => text.replace(from, to))
    expect(await findings()).toEqual(warned(code, message))
  })

  test("`task` is a variable that is filled in, and one with a default is not needed", async () => {
    await project([], (text) => text.replace("{{ node_text }}", "{{ task }}{{ node_text | default('') }}"))
    expect(await findings()).toEqual({ code: 0, found: [] })
  })

  test.each([
    ["YAML that is none", "name: docstring_agent", "name: [", /^Invalid YAML in subagent definition: /],
    [
      "no submit_result",
      "name: submit_result",
      "name: finish",
      /^Subagent definition must include exactly one submit_result tool: /,
    ],
    [
      "parameters of another type",
      "type: object",
      "type: array",
      /^Tool parameters must define type: object\./,
    ],
    [
      "a template that is wrong",
      "{{ node_text }}",
      "{{ node_text",
      /^Invalid Jinja2 template in node_context of /,
    ],
    [
      "no system prompt",
      "system_prompt: You write docstrings.",
      "more: 1",
      /^missing required field: initial_context\.system_prompt/,
    ],
  ])("%s is AGENT_001, and nothing of it runs", async (_, from, to, message) => {
    await project([], (text) => text.replace(from, to))
    const { code, found } = await findings()
    expect({ code, errors: found.filter(({ severity }) => severity === "error") }).toEqual({
      code: 1,
      errors: expect.arrayContaining([
        expect.objectContaining({ foreignCode: "AGENT_001", message: expect.stringMatching(message) }),
      ]),
    })
    expect((await run("Go.", ...variables(node))).code).not.toBe(0)
    expect(world.asked).toEqual([])
  })
})

describe("000: what the model is sent", () => {
  const message = "function f of src/f.py:\ndef f(): pass"

  test("the system prompt, the template with the node, and the tools as the file has them", async () => {
    await project()
    expect(await run(...variables(node))).toMatchObject({
      code: 0,
      outcome: { type: "completed" },
      output: '{"summary":"Documented."}',
    })
    expect(world.asked.map(({ messages, tools }) => ({ messages, tools }))).toEqual([
      {
        messages: [
          { role: "system", content: "You write docstrings." },
          { role: "user", content: message },
        ],
        tools: [
          {
            type: "function",
            function: {
              name: "submit_result",
              description: "Submit the final result after docstring work is complete.",
              strict: true,
              parameters: {
                type: "object",
                additionalProperties: false,
                properties: { summary: { type: "string", description: "One sentence." } },
                required: ["summary"],
              },
            },
          },
        ],
      },
    ])
  })

  test.each<[string, Readonly<Record<string, string>>, readonly string[], string]>([
    ["a task follows the template", node, ["Be brief."], `${message}\n\nBe brief.`],
    [
      "what is filled in is not rendered again",
      { ...node, node_text: "{{ file_path }} {% x %}" },
      [],
      "function f of src/f.py:\n{{ file_path }} {% x %}",
    ],
    [
      "source that looks like JSON stays as it is",
      { ...node, node_text: '{"a": true}' },
      [],
      'function f of src/f.py:\n{"a": true}',
    ],
  ])("%s", async (_, values, words, expected) => {
    await project()
    await run(...words, ...variables(values))
    expect(world.asked.map(({ messages }) => messages[1]!.content)).toEqual([expected])
  })

  test("a task that the template uses stands where it is used, and only there", async () => {
    await project([submitted], (text) => text.replace("{{ node_text }}", "{{ task }}!"))
    await run("Be brief.", ...variables(node))
    expect(world.asked.map(({ messages }) => messages[1]!.content)).toEqual([
      "function f of src/f.py:\nBe brief.!",
    ])
  })

  const { node_text: _, file_path: __, ...some } = node
  test.each([
    ["a task alone", ["Add a docstring."], "node_type, node_name, file_path, node_text"],
    ["some of the node", ["Add a docstring.", ...variables(some)], "file_path, node_text"],
    ["nothing", [], "node_type, node_name, file_path, node_text"],
  ])("with %s nothing is sent, and all that is missing is told", async (_what, words, unset) => {
    await project()
    const options = unset.split(", ").map((name) => `--var ${name}=…`)
    expect(await run(...words)).toMatchObject({
      code: 1,
      error: {
        code: "VARIABLE_UNSET",
        message: naming('template of agent "docstring_agent"', `${unset}, `, `\`${options.join(" ")}\``),
      },
    })
    for (const more of [[], ["--dry-run"]]) {
      const { stdout, stderr } = await world.cadre(
        "run",
        "docstring_agent",
        ...words,
        "--model",
        "local:m",
        "--trust",
        ...more,
      )
      expect(stdout + stderr).toMatch(/The template of agent .* \(\S*docstring_subagent\.yaml:\d+:\d+\)/)
    }
    expect([world.asked, JSON.parse((await world.cadre("runs", "--json")).stdout)]).toEqual([
      [],
      expect.objectContaining({ runs: [] }),
    ])
  })

  test("an agent that calls it sets the node, and is told what is missing", async () => {
    const call = (more: object) => ({
      calls: [{ tool: "Agent", arguments: { agent: "docstring_agent", prompt: "Be brief.", ...more } }],
    })
    await project([call({}), call({ variables: node }), submitted, { text: "Led." }])
    world.agent("lead", ["tools: [Agent]", "model: local:m"])
    world.put(file, seedText("000-docstring_subagent.yaml").replace(/model: .*/, "model_id: local:m"))
    expect(await world.run("lead", "Go.")).toMatchObject({ code: 0, output: "Led." })
    const told = world.asked[1]!.messages.at(-1)!.content
    expect([told, world.asked[2]!.messages[1]!.content]).toEqual([
      naming("Set node_type, node_name, file_path, node_text with", '"variables"'),
      `${message}\n\nBe brief.`,
    ])
  })
})

describe("000: a code node", () => {
  const source = "class A:\n    def f(self):\n        return 1\n\n\ndef g():\n    pass\n"
  const method = "method f of src/x.py:\ndef f(self):\n        return 1"

  test.each<[string, readonly string[], string]>([
    ["a method", ["--node", "src/x.py::A.f"], method],
    ["a task beside it", ["Be brief.", "--node", "src/x.py::A.f"], `${method}\n\nBe brief.`],
    ["a function", ["--node", "src/x.py::g"], "function g of src/x.py:\ndef g():\n    pass"],
    ["a file", ["--node", "src/x.py"], `file x of src/x.py:\n${source}`],
  ])("%s is what the model reads", async (_, words, expected) => {
    await project()
    world.put("work/src/x.py", source)
    expect(await run(...words)).toMatchObject({ code: 0, outcome: { type: "completed" } })
    expect(world.asked.map(({ messages }) => messages[1]!.content)).toEqual([expected])
  })

  test("its path is written from the folder that the command was called in", async () => {
    await project()
    world.put("work/src/x.py", source)
    const words = ["run", "docstring_agent", "--node", "x.py::A.f", "--cwd", "..", "--model", "local:m"]
    const ended = await world.start([...words, "--trust", "--json"], "closed", path.join(world.work, "src"))
      .ended
    expect([ended.code, world.asked.map(({ messages }) => messages[1]!.content)]).toEqual([0, [method]])
  })

  test("the result of a run that failed names it", async () => {
    await project([{ text: "No." }, { text: "No." }], (text) => text.replace("max_turns: 2", "max_turns: 5"))
    world.put("work/src/x.py", source)
    const nodes = JSON.parse((await world.cadre("nodes", "src/x.py", "--json")).stdout).nodes
    const { id } = nodes.find(({ fullName }: { fullName: string }) => fullName === "A.f")
    const words = ["docstring_agent", "--node", "src/x.py::A.f", "--model", "local:m", "--trust", "--json"]
    const { fault } = JSON.parse((await world.cadre("run", ...words)).stdout)
    expect(fault).toEqual({ code: "AGENT_003", phase: "loop", operation: "docstring_agent", node: id })
  })

  test.each([
    ["a name that the file does not have", "src/x.py::h", "NODE_UNKNOWN", /has no node .*h.*A\.f, g\."$/m],
    ["a file that is not there", "src/y.py::f", "DISC_004", /y\.py/],
    ["a file outside of the project", "../../secret.py", "NODE_UNKNOWN", /leads out of the workspace/],
  ])("%s: nothing is sent", async (_, address, code, message) => {
    await project()
    world.put("work/src/x.py", source)
    for (const more of [[], ["--dry-run"]]) {
      const { stdout } = await world.cadre(
        ...["run", "docstring_agent", "--node", address, "--model", "local:m", "--trust", "--json", ...more],
      )
      expect(stdout).toContain(code)
      expect(stdout).toMatch(message)
    }
    expect(world.asked).toEqual([])
  })
})

describe("000: how a run ends", () => {
  const missing = { text: "I am done." }
  const wrong = { calls: [{ tool: "submit_result", arguments: { other: 1 } }] }
  test.each<[string, readonly ScriptedAnswer[], (text: string) => string, number, object]>([
    [
      "the turns are used up",
      [wrong, missing],
      (text) => text,
      3,
      { type: "limit", limit: "turns", reason: "AGENT_004: Turn limit 2 exceeded" },
    ],
    [
      "no result is handed in",
      [missing, missing],
      (text) => text.replace("max_turns: 2", "max_turns: 5"),
      1,
      { type: "failed", reason: naming("AGENT_003: ", "without calling submit_result") },
    ],
    [
      "the model server refuses the request",
      [],
      (text) => text,
      1,
      { type: "failed", reason: expect.stringMatching(/^AGENT_002: 127\.0\.0\.1:\d+ answered 400: /) },
    ],
  ])("%s", async (_, script, change, code, outcome) => {
    await project(script, change)
    expect(await run(...variables(node))).toMatchObject({ code, outcome })
  })

  test("a model server that is not there", async () => {
    await project()
    await world.server.close()
    const ended = await run(...variables(node))
    expect(ended).toMatchObject({
      code: 1,
      outcome: {
        type: "failed",
        reason: expect.stringMatching(/^AGENT_002: The connection to 127\.0\.0\.1:\d+ failed/),
      },
    })
  })
})

describe("000: tools that are scripts", () => {
  const counter = `  - name: count_lines
    pym: docstring/tools/count.pym
    description: Counts the lines of the node.
    parameters: {type: object, additionalProperties: false, properties: {}}
    context_providers: [docstring/tools/context.pym]
`
  const count = 'from grail import Input\n\nnode_text: str = Input("node_text", default="")\n\n'

  test("run when the model calls them, with the node and their context", async () => {
    const called = { calls: [{ tool: "count_lines", arguments: {} }] }
    await project([called, submitted], (text) => text + counter)
    world.put("work/agents/docstring/tools/count.pym", `${count}{"lines": len(node_text.splitlines())}\n`)
    world.put("work/agents/docstring/tools/context.pym", `"counted:"\n`)
    world.put("work/src/x.py", "def f():\n    return 1\n")
    expect(await run("--node", "src/x.py::f", "--yes")).toMatchObject({
      code: 0,
      outcome: { type: "completed" },
    })
    expect(world.asked[1]!.messages.at(-1)!.content).toBe('"counted:"\n{"lines":2}')
  })

  test("one that is not there keeps the agent from starting, and nothing is sent", async () => {
    await project([], (text) => text + counter)
    const { code, error } = await run(...variables(node))
    expect([code === 0, error?.message, world.asked]).toEqual([
      false,
      expect.stringContaining("count.pym"),
      [],
    ])
  })
})
