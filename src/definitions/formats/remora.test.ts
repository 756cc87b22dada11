import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import fc from "fast-check"
import { afterAll, describe, expect, test } from "vitest"
import { rounds } from "../../../test/rounds.ts"
import { type Agent, type AgentInput, defineAgent, isAgentName } from "../../agent/agent.ts"
import type { Json, JsonMap } from "../../ground/message.ts"
import { diagnose } from "./problem.ts"
import { readAgent } from "./read-agent.ts"
import { remora } from "./remora.ts"
import { writeAgent } from "./write.ts"

const agentsDir = path.join(import.meta.dirname, "fixtures/remora/agents")
const file = path.join(agentsDir, "x_subagent.yaml")

/** The findings of a file, each with the place it is shown at. Errors have Remora's code. */
function findings(text: string): readonly string[] {
  const { locate, problems } = readAgent(remora, { path: file, text }, { agentsDir })
  return diagnose(file, text, locate, problems).map(
    ({ severity, code, message, foreignCode, range: { start } }) =>
      `${start.line}:${start.column} ${foreignCode ?? severity} ${code}: ${message}`,
  )
}

const served = (model: string) =>
  `cadre does not load model files yet: a run asks a llama-server for the model "${model}". Start one with that file, or name another model (\`--model\`, \`model_id\`).`

const submit = `  - name: submit_result
    pym: lint/tools/submit.pym
    description: Hand in the result.
    parameters: {type: object, additionalProperties: false}
`

/** A complete definition in which one part is replaced. */
function definition({
  head = "name: x\nmodel: lint/tools/submit.pym",
  context = "initial_context: {system_prompt: s, node_context: c}",
  tools = `tools:\n${submit}`,
}): string {
  return `${head}\n${context}\n${tools}`
}

function withoutOrigin({ origin: _, ...agent }: Agent) {
  return agent
}

describe("files of both shapes", () => {
  const script = (name: string) => path.join(agentsDir, name)
  const fixture = (name: string) => ({
    path: script(name),
    text: fs.readFileSync(script(name), "utf8"),
  })
  const strict = (properties: Json, required?: Json) => ({
    type: "object",
    additionalProperties: false,
    properties,
    ...(required !== undefined && { required }),
  })
  const result = strict({ summary: { type: "string" }, status: { enum: ["success", "skipped", "failed"] } }, [
    "summary",
    "status",
  ])
  const fixtures: Readonly<Record<string, { agent: AgentInput; findings: readonly string[] }>> = {
    "lint/lint_subagent.yaml": {
      agent: {
        name: "lint_agent",
        instructions: "You are a linter. Fix one thing at a time.",
        template: {
          task: "message",
          context: "Code of the {{ node_type }} `{{ node_name }}` in {{ file_path }}:\n\n{{ node_text }}\n",
        },
        callVariables: ["node_text", "node_name", "node_type", "file_path"],
        model: script("lint/models/lint.gguf"),
        tools: ["run_linter", "apply_fix", "submit_result"],
        limits: { maxTurns: 15, toolTimeout: 300_000 },
        result,
        toolDefinitions: [
          {
            name: "run_linter",
            description: "Run the linter on the code.",
            script: script("lint/tools/run_linter.pym"),
            parameters: strict({ check_only: { type: "boolean" } }),
            contextProviders: [script("lint/context/ruff_config.pym")],
          },
          {
            name: "apply_fix",
            description: "Apply one fix.",
            script: script("lint/tools/apply_fix.pym"),
            parameters: strict(
              { issue_code: { type: "string" }, line_number: { type: "integer", minimum: 1 } },
              ["issue_code", "line_number"],
            ),
          },
          {
            name: "submit_result",
            description: "Hand in the result.",
            script: script("lint/tools/submit.pym"),
            parameters: result,
          },
        ],
      },
      findings: [
        `2:8 warning path-missing: Model file not found: ${script("lint/models/lint.gguf")}. ${served("lint")}`,
      ],
    },
    "docstring/docstring_subagent.yaml": {
      agent: {
        name: "docstring_agent",
        instructions: "You write docstrings.",
        template: { task: "message", context: "{{ node_text }}" },
        callVariables: ["node_text"],
        model: null,
        tools: ["read_docstring", "submit_result"],
        limits: { maxTurns: 20, toolTimeout: 300_000 },
        toolDefinitions: [
          {
            name: "read_docstring",
            description: "Read what is there.",
            script: script("docstring/tools/read_docstring.pym"),
            inputs: { style: { type: "string", default: "google" } },
          },
          {
            name: "submit_result",
            description: "Hand in the result.",
            script: script("docstring/tools/submit.pym"),
          },
        ],
      },
      findings: [
        "8:10 error tool-schema-missing: Tool 'read_docstring' is a script without `parameters`. cadre does not run Remora scripts yet and cannot derive the parameters, so this agent cannot start. Write `parameters` as a JSON Schema.",
        "13:10 error tool-schema-missing: Tool 'submit_result' is a script without `parameters`. cadre does not run Remora scripts yet and cannot derive the parameters, so this agent cannot start. Write `parameters` as a JSON Schema.",
      ],
    },
  }

  test.each(Object.entries(fixtures))("%s", (name, expected) => {
    const source = fixture(name)
    const { agent } = readAgent(remora, source, { agentsDir })
    expect(withoutOrigin(agent!)).toEqual(withoutOrigin(defineAgent(expected.agent)))
    expect(findings(source.text)).toEqual(expected.findings)
    const { text, losses } = writeAgent(remora, agent!, source.path, { agentsDir })
    expect(losses).toEqual([])
    expect(text).not.toContain(agentsDir)
  })

  test("paths are relative to the folder called agents, where no other is given", () => {
    const { agent } = readAgent(remora, fixture("lint/lint_subagent.yaml"))
    expect(agent?.toolDefinitions?.[0]?.script).toBe(script("lint/tools/run_linter.pym"))
  })
})

describe("what Remora says about a file is said here in the same words", () => {
  const none = "There is none, so no run could end with a result"
  test.each([
    [
      "an empty file",
      "",
      [
        `1:1 AGENT_001 file-empty: Subagent definition must be a mapping: ${file}. The file is empty: it defines no agent.`,
      ],
    ],
    [
      "a list",
      "- a\n- b",
      [
        `1:1 AGENT_001 map-expected: Subagent definition must be a mapping: ${file}. Expected keys and values (\`name: …\`), but found a list.`,
      ],
    ],
    [
      "bad YAML whose meaning is plain",
      definition({ head: "name: x: y\nmodel: lint/tools/submit.pym" }),
      [
        `1:1 AGENT_001 yaml-repaired: Invalid YAML in subagent definition: ${file}. Invalid YAML (bad indentation of a mapping entry), so other tools may silently skip this file. cadre read it as it must have been meant. Run \`cadre check --fix\` to write it that way.`,
      ],
    ],
    [
      "bad YAML",
      "[name: x\n",
      [
        `2:1 AGENT_001 yaml-invalid: Invalid YAML in subagent definition: ${file}. Invalid YAML: unexpected end of the stream within a flow collection. Put a value that contains ": ", " #" or quotes in quotes, or write it below its key after "|".`,
      ],
    ],
    [
      "a key twice",
      definition({ head: "name: x\nname: y\nmodel: lint/tools/submit.pym" }),
      [
        `2:1 AGENT_001 key-duplicate: Invalid YAML in subagent definition: ${file}. This key is written twice. It is unclear which value is meant, so the agent does not run. Remove one of the two.`,
      ],
    ],
    [
      "no text",
      "name: \0",
      [
        `1:7 AGENT_001 text-binary: Failed to read subagent definition: ${file}. Found a NUL character: this is not a text file.`,
      ],
    ],
    [
      "nothing but a comment",
      "# nothing",
      [
        "1:1 AGENT_001 field-missing: missing required field: model. The file of a local model, or `model_id` for one on a server.",
        "1:1 AGENT_001 field-missing: missing required field: name. The name of the agent.",
        "1:1 AGENT_001 field-missing: missing required field: initial_context. `system_prompt`, and `node_context`: a Jinja2 template of the first message. It can use the variables of the run (`--var node_text=…`) and its `task`.",
        "1:1 AGENT_001 field-missing: missing required field: tools. The tools: name, pym (a script), description, parameters, context_providers. One of them is `submit_result`.",
        "1:1 AGENT_001 instructions-missing: missing required field: initial_context.system_prompt. The text that the model reads before everything else.",
      ],
    ],
    [
      "no submit_result",
      definition({ tools: "tools: []" }),
      [
        `4:1 AGENT_001 submit-result: Subagent definition must include exactly one submit_result tool: ${file}. ${none}.`,
      ],
    ],
    [
      "two of them",
      definition({ tools: `tools:\n${submit}${submit}` }),
      [
        `9:11 AGENT_001 submit-result: Subagent definition must include exactly one submit_result tool: ${file}. There are 2, so the shape of a result is unclear.`,
      ],
    ],
    [
      "another tool twice",
      definition({
        tools: `tools:\n${submit}${submit.replace("submit_result", "a")}${submit.replace("submit_result", "a")}`,
      }),
      [
        `13:11 AGENT_001 tool-duplicate: Duplicate tool name 'a' in subagent definition: ${file}. A call of that name would be ambiguous. Rename one of the two.`,
      ],
    ],
    [
      "parameters of another type",
      definition({ tools: `tools:\n${submit.replace("type: object", "type: array")}` }),
      [
        "8:24 AGENT_001 tool-parameters-type: Tool parameters must define type: object. A model sends named arguments.",
      ],
    ],
    [
      "parameters without a type",
      definition({ tools: `tools:\n${submit.replace("type: object, ", "")}` }),
      [
        "8:17 AGENT_001 tool-parameters-type: Tool parameters must define type: object. A model sends named arguments.",
      ],
    ],
    [
      "parameters that are no schema",
      definition({ tools: `tools:\n${submit.replace("false}", "false, properties: {a: {type: text}}}")}` }),
      [
        "8:84 AGENT_001 tool-parameters-schema: Tool parameters must be a valid JSON Schema: `properties.a.type` must be one of array, boolean, integer, null, number, object, string, or a list of them.",
      ],
    ],
    [
      "parameters that take anything",
      definition({
        tools: `tools:\n${submit.replace("additionalProperties: false", "additionalProperties: true")}`,
      }),
      [
        "8:17 warning tool-parameters-open: Tool parameters should set additionalProperties: false for strict mode. Without it, a model may send arguments that the script does not know.",
      ],
    ],
    [
      "a model that is not there",
      definition({ head: "name: x\nmodel: ../models/m.gguf" }),
      [
        `2:8 warning path-missing: Model file not found: ${path.join(agentsDir, "../models/m.gguf")}. ${served("m")}`,
      ],
    ],
    [
      "a model elsewhere that is not there",
      definition({ head: "name: x\nmodel: /nowhere/m.gguf" }),
      [`2:8 warning path-missing: Model file not found: /nowhere/m.gguf. ${served("m")}`],
    ],
    [
      "a model that is no file of weights",
      definition({ head: "name: x\nmodel: m.bin" }),
      [
        `2:8 warning path-missing: Model file not found: ${path.join(agentsDir, "m.bin")}. No server offers a model by such a name: write the name of a \`.gguf\` file, or use \`model_id\`.`,
      ],
    ],
    [
      "a script that is not there",
      definition({ tools: `tools:\n${submit.replace("submit.pym", "gone.pym")}` }),
      [
        `6:10 warning path-missing: Tool script not found: ${path.join(agentsDir, "lint/tools/gone.pym")}. The call would fail.`,
      ],
    ],
    [
      "a context provider that is not there",
      definition({
        tools: `tools:\n${submit}    context_providers: [lint/context/ruff_config.pym, gone.pym]`,
      }),
      [
        `9:55 warning path-missing: Context provider not found: ${path.join(agentsDir, "gone.pym")}. The call would fail.`,
      ],
    ],
    [
      "a template that is wrong",
      definition({
        context:
          "initial_context:\n  system_prompt: s\n  node_context: |\n    Look:\n    {{ node_text }\n    Well?",
      }),
      [
        `7:18 AGENT_001 template-invalid: Invalid Jinja2 template in node_context of ${file}: Unexpected "}": nothing is open.`,
      ],
    ],
    [
      "a template in the system prompt, which Remora does not render",
      definition({
        context: 'initial_context:\n  system_prompt: "You document {{ node_name }}."\n  node_context: c',
      }),
      [
        "4:32 warning template-variable: `{{ node_name }}` in `system_prompt` is sent to the model unchanged, because Remora renders no templates there. Move it to `node_context`, which is rendered.",
      ],
    ],
    [
      "a template with what Remora does not fill in",
      definition({
        context:
          "initial_context:\n  system_prompt: s\n  node_context: |\n    node_txt is no use of it\n    {{ node_text }} {{ node_txt }} {{ task }}\n    {{ other | default('') }}",
      }),
      [
        '7:24 warning template-variable: Remora does not set `node_txt`. Unless a run sets it (`--var node_txt=…`), the agent does not start. Did you mean "node_text"? Known: file_path, node_name, node_text, node_type, task.',
        "8:8 warning template-variable: Remora does not set `other`. Unless a run sets it (`--var other=…`), the template is rendered without it. Known: file_path, node_name, node_text, node_type, task.",
      ],
    ],
  ])("%s", (_, text, expected) => {
    expect(findings(text)).toEqual(expected)
  })
})

test("a tool without parameters reads, and keeps the agent from running", () => {
  const later = "  - {tool_name: submit_result, pym: lint/tools/submit.pym, tool_description: d}"
  const path = `${agentsDir}/lint/later_subagent.yaml`
  const { agent, problems } = readAgent(
    remora,
    { path, text: definition({ tools: `tools:\n${later}` }) },
    { agentsDir },
  )
  expect(agent?.toolDefinitions).toHaveLength(1)
  expect(problems.filter(({ loads }) => loads).map(({ code, severity }) => `${severity} ${code}`)).toEqual([
    "error tool-schema-missing",
  ])
})

describe("what is wrong besides", () => {
  const outside = (written: string) =>
    `\`${written}\` is outside the agents folder, ${agentsDir}. Scripts outside it are never run: move the script inside.`
  test.each([
    [
      "no model",
      definition({ head: "name: x" }),
      [
        "1:1 AGENT_001 field-missing: missing required field: model. The file of a local model, or `model_id` for one on a server.",
      ],
    ],
    ["a model on a server", definition({ head: "name: x\nmodel_id: lora" }), []],
    [
      "both",
      definition({ head: "name: x\nmodel_id: lora\nmodel: lint/tools/submit.pym" }),
      [
        "2:1 warning key-superseded: `model_id` has no effect, because `model` is set too. Remove one of the two.",
      ],
    ],
    [
      "no turns",
      definition({ head: "name: x\nmodel_id: lora\nmax_turns: 0" }),
      ["3:12 AGENT_001 field-type: `max_turns` must be a whole number, 1 or more, but it is 0."],
    ],
    [
      "no system prompt",
      definition({ context: "initial_context: {node_context: c}" }),
      [
        "1:1 AGENT_001 instructions-missing: missing required field: initial_context.system_prompt. The text that the model reads before everything else.",
      ],
    ],
    [
      "no first message",
      definition({ context: "initial_context: {system_prompt: s}" }),
      [
        "3:18 AGENT_001 field-missing: missing required field: initial_context.node_context. A Jinja2 template of the first message.",
      ],
    ],
    [
      "a first message that is no text",
      definition({ context: "initial_context: {system_prompt: s, node_context: 7, more: 1}" }),
      [
        "3:51 AGENT_001 field-type: `initial_context.node_context` must be text, but it is 7.",
        "3:54 info key-unknown: `initial_context.more` is not a key of Remora files and has no effect.",
      ],
    ],
    [
      "tools that are no list",
      definition({ tools: "tools: {submit_result: {}}" }),
      ['4:8 AGENT_001 field-type: `tools` must be a list, but it is {"submit_result":{}}.'],
    ],
    [
      "a tool that is none",
      definition({ tools: `tools:\n${submit}  - read_file` }),
      ["9:5 AGENT_001 field-type: `tools[1]` must be keys and values: name, pym, description, parameters."],
    ],
    [
      "a tool without anything",
      definition({ tools: `tools:\n${submit}  - {}` }),
      [
        "9:5 AGENT_001 field-missing: missing required field: tools[1].pym. The script that a call runs.",
        "9:5 AGENT_001 field-missing: missing required field: tools[1].name. The name that the model uses.",
        "9:5 AGENT_001 field-missing: missing required field: tools[1].description. The description that the model reads.",
        "9:5 AGENT_001 field-missing: missing required field: tools[1].parameters. A JSON Schema of its arguments.",
      ],
    ],
    [
      "a tool with wrong types",
      definition({
        tools: `tools:\n${submit}  - {name: 1, pym: lint/tools/submit.pym, description: '', parameters: [], context_providers: x}`,
      }),
      [
        "9:12 AGENT_001 field-type: `tools[1].name` must be a non-empty text, but it is 1.",
        '9:56 AGENT_001 field-type: `tools[1].description` must be a non-empty text, but it is "".',
        "9:72 AGENT_001 tool-parameters-type: Tool parameters must define type: object. A model sends named arguments.",
        "9:95 AGENT_001 field-type: `tools[1].context_providers` must be a list of paths.",
      ],
    ],
    [
      "keys that a tool has not",
      definition({ tools: `tools:\n${submit}    parameter: {}\n    flavour: sweet` }),
      [
        "9:5 warning key-near-miss: `parameter` is not a key of a Remora tool and has no effect. Did you mean `parameters`?",
        "10:5 info key-unknown: `flavour` is not a key of a Remora tool and has no effect.",
      ],
    ],
    [
      "a script above the folder",
      definition({ tools: `tools:\n${submit.replace("lint/tools/submit.pym", "lint/../../secret.pym")}` }),
      [`6:10 AGENT_001 path-outside: ${outside("lint/../../secret.pym")}`],
    ],
    [
      "a script anywhere",
      definition({ tools: `tools:\n${submit.replace("lint/tools/submit.pym", "/etc/passwd")}` }),
      [`6:10 AGENT_001 path-outside: ${outside("/etc/passwd")}`],
    ],
    [
      "a context provider above the folder",
      definition({ tools: `tools:\n${submit}    context_providers: [../agents-of-others/x.pym]` }),
      [`9:25 AGENT_001 path-outside: ${outside("../agents-of-others/x.pym")}`],
    ],
    [
      "an absolute path inside the folder",
      definition({ tools: `tools:\n${submit.replace("lint/tools", `${agentsDir}/lint/tools`)}` }),
      [],
    ],
    [
      "a path that comes back",
      definition({ tools: `tools:\n${submit.replace("lint/", "../agents/lint/")}` }),
      [],
    ],
  ])("%s", (_, text, expected) => {
    expect(findings(text)).toEqual(expected)
  })
})

describe("writing", () => {
  const word = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
    .map((text) => text.trim())
    .filter(Boolean)
  const name = word.filter(isAgentName)
  const script = fc
    .array(fc.stringMatching(/^[a-z][a-z0-9_ -]{0,8}$/), { minLength: 1, maxLength: 3 })
    .map((parts) => path.join(agentsDir, ...parts))
  const parameters = fc
    .dictionary(word, fc.constantFrom({ type: "string" }, { enum: [1, null] }, true), {
      noNullPrototype: true,
    })
    .map((properties) => ({ type: "object", additionalProperties: false, properties }))
  const inputs = fc
    .dictionary(word, fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true })
    .map((given) => given as JsonMap)
  const tool = fc.record(
    {
      name: word,
      description: word,
      script,
      parameters,
      inputs,
      contextProviders: fc.array(script, { maxLength: 3 }),
    },
    { requiredKeys: ["name", "description", "script"] },
  )
  const input = fc
    .record({
      name,
      instructions: word,
      model: fc.oneof(word, fc.constant(null), script),
      context: fc.oneof(
        fc.constant("{{ node_text }}\n"),
        word.filter((text) => !text.includes("{")),
      ),
      maxTurns: fc.integer({ min: 1 }),
      others: fc.uniqueArray(tool, { selector: ({ name }) => name, maxLength: 3 }),
      submit: tool,
    })
    .map(({ context, maxTurns, others, submit, ...rest }): AgentInput => {
      const toolDefinitions = [
        ...others.filter(({ name }) => name !== "submit_result"),
        { ...submit, name: "submit_result" },
      ]
      return {
        ...rest,
        template: { task: "message", context },
        ...(context.includes("node_text") && { callVariables: ["node_text"] }),
        limits: { maxTurns, toolTimeout: 300_000 },
        tools: toolDefinitions.map(({ name }) => name),
        toolDefinitions,
        ...(submit.parameters && { result: submit.parameters }),
      }
    })

  test("whatever the format can say is read back as it was", () => {
    fc.assert(
      fc.property(input, (given) => {
        const agent = defineAgent(given)
        const { text, losses } = writeAgent(remora, agent, file, { agentsDir })
        expect(losses).toEqual([])
        const { agent: back } = readAgent(remora, { path: file, text }, { agentsDir })
        expect(withoutOrigin(back!)).toEqual(withoutOrigin(agent))
      }),
      { numRuns: rounds(200) },
    )
  })

  test("white space around the system prompt is written back", () => {
    const text = definition({ context: 'initial_context: {system_prompt: "\\n s \\n\\n", node_context: c}' })
    const { agent } = readAgent(remora, { path: file, text }, { agentsDir })
    expect(agent!.instructions).toBe(" s")
    expect(writeAgent(remora, agent!, file, { agentsDir }).text).toContain(
      "system_prompt: |2+\n\n     s \n\n",
    )
  })

  test("what it cannot say is named", () => {
    const agent = defineAgent({
      name: "a",
      description: "d",
      instructions: "b",
      keywords: ["k"],
      skills: ["s"],
      effort: "high",
      disallowedTools: ["Bash"],
      rules: [{ tool: "Bash", decision: "ask" }],
      limits: { toolTimeout: 1_000, timeout: 2_000 },
      variables: { a: null },
      result: { type: "object" },
      template: { task: "append" },
    })
    const { losses } = writeAgent(remora, agent, file, { agentsDir })
    expect(losses.filter(({ field }) => field === "").map(({ message }) => message)).toEqual([
      "missing required field: initial_context.node_context. A Jinja2 template of the first message.",
      `Subagent definition must include exactly one submit_result tool: ${file}. There is none, so no run could end with a result.`,
      "missing required field: model. The file of a local model, or `model_id` for one on a server.",
    ])
    expect(
      losses
        .map(({ field }) => field)
        .filter((field) => field !== "")
        .sort(),
    ).toEqual([
      "description",
      "effort",
      "keywords",
      "limits.maxTurns",
      "limits.timeout",
      "limits.toolTimeout",
      "result",
      "rules",
      "skills",
      "template",
      "tools.deny",
      "tools.mode",
      "variables.a",
    ])
  })

  test("a script outside the folder is not taken along", () => {
    const toolDefinitions = [
      { name: "submit_result", description: "d", script: "/elsewhere/x.pym", parameters: { type: "object" } },
    ]
    const agent = defineAgent({
      name: "a",
      instructions: "b",
      model: null,
      tools: ["submit_result"],
      toolDefinitions,
      template: { task: "message", context: "c" },
    })
    const { losses } = writeAgent(remora, agent, file, { agentsDir })
    expect(losses[0]?.message).toBe(
      `\`/elsewhere/x.pym\` is outside the agents folder, ${agentsDir}. Scripts outside it are never run: move the script inside.`,
    )
  })
})

describe("links", () => {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-remora-")))
  const agents = path.join(folder, "agents")
  fs.mkdirSync(path.join(agents, "tools"), { recursive: true })
  fs.mkdirSync(path.join(folder, "outside"))
  for (const script of ["agents/tools/real.pym", "outside/other.pym"])
    fs.writeFileSync(path.join(folder, script), "")
  const links: readonly (readonly [string, string])[] = [
    ["agents/tools/within.pym", "real.pym"],
    ["agents/tools/leaving.pym", path.join(folder, "outside/other.pym")],
    ["agents/tools/dangling.pym", "../../outside/not-yet.pym"],
    ["agents/tools/again.pym", "leaving.pym"],
    ["agents/tools/loop.pym", "loop.pym"],
    ["agents/out", path.join(folder, "outside")],
    ["way-in", agents],
  ]
  for (const [link, target] of links) fs.symlinkSync(target, path.join(folder, link))
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

  test.each([
    ["tools/real.pym", []],
    ["tools/within.pym", []],
    ["tools/leaving.pym", ["path-outside"]],
    ["tools/dangling.pym", ["path-outside"]],
    ["tools/again.pym", ["path-outside"]],
    ["tools/loop.pym", ["path-missing"]],
    ["out/other.pym", ["path-outside"]],
    ["out/../tools/real.pym", []],
    ["out/not-there/x.pym", ["path-outside"]],
    ["tools/not-there.pym", ["path-missing"]],
    ["tools", ["path-missing"]],
    [".", ["path-outside"]],
  ])("%s", (script, codes) => {
    for (const agentsDir of [agents, path.join(folder, "way-in")]) {
      const text = definition({
        head: "name: x\nmodel_id: m",
        tools: `tools:\n${submit.replace("lint/tools/submit.pym", script)}`,
      })
      const source = { path: path.join(agentsDir, "x_subagent.yaml"), text }
      const { problems } = readAgent(remora, source, { agentsDir })
      expect(problems.map(({ code }) => code)).toEqual(codes)
    }
  })
})
