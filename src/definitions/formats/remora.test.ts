import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import fc from "fast-check"
import { afterAll, describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
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

const served = (model: string) => ["llama-server", `"${model}"`]

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
        naming(
          `2:8 warning path-missing: Model file not found: ${script("lint/models/lint.gguf")}. `,
          ...served("lint"),
        ),
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
        result: strict(
          {
            summary: { type: "string" },
            changed_files: { type: "array", items: { type: "string" }, default: [] },
          },
          ["summary"],
        ),
      },
      findings: [],
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
  const none = ["There", "none", "result"]
  test.each([
    [
      "an empty file",
      "",
      [expect.stringContaining(`1:1 AGENT_001 file-empty: Subagent definition must be a mapping: ${file}`)],
    ],
    [
      "a list",
      "- a\n- b",
      [naming(`1:1 AGENT_001 map-expected: Subagent definition must be a mapping: ${file}`, "a list")],
    ],
    [
      "bad YAML whose meaning is plain",
      definition({ head: "name: x: y\nmodel: lint/tools/submit.pym" }),
      [
        naming(
          `1:1 AGENT_001 yaml-repaired: Invalid YAML in subagent definition: ${file}`,
          "(bad indentation of a mapping entry)",
        ),
      ],
    ],
    [
      "bad YAML",
      "[name: x\n",
      [
        naming(
          `2:1 AGENT_001 yaml-invalid: Invalid YAML in subagent definition: ${file}`,
          "unexpected end of the stream within a flow collection",
        ),
      ],
    ],
    [
      "a key twice",
      definition({ head: "name: x\nname: y\nmodel: lint/tools/submit.pym" }),
      [expect.stringContaining(`2:1 AGENT_001 key-duplicate: Invalid YAML in subagent definition: ${file}`)],
    ],
    [
      "no text",
      "name: \0",
      [expect.stringContaining(`1:7 AGENT_001 text-binary: Failed to read subagent definition: ${file}`)],
    ],
    [
      "nothing but a comment",
      "# nothing",
      [
        expect.stringMatching(/^1:1 AGENT_001 field-missing: missing required field: model.*local.*server/),
        "1:1 AGENT_001 field-missing: missing required field: name. The name of the agent.",
        expect.stringMatching(
          /^1:1 AGENT_001 field-missing: missing required field: initial_context.*template.*variables/,
        ),
        expect.stringMatching(
          /^1:1 AGENT_001 field-missing: missing required field: tools.*description.*parameters/,
        ),
        expect.stringMatching(
          /^1:1 AGENT_001 instructions-missing: missing required field: initial_context\.system_prompt.*everything.*else/,
        ),
      ],
    ],
    [
      "no submit_result",
      definition({ tools: "tools: []" }),
      [
        naming(
          `4:1 AGENT_001 submit-result: Subagent definition must include exactly one submit_result tool: ${file}. `,
          ...none,
          ".",
        ),
      ],
    ],
    [
      "two of them",
      definition({ tools: `tools:\n${submit}${submit}` }),
      [
        naming(
          `9:11 AGENT_001 submit-result: Subagent definition must include exactly one submit_result tool: ${file}. There`,
          "2",
        ),
      ],
    ],
    [
      "another tool twice",
      definition({
        tools: `tools:\n${submit}${submit.replace("submit_result", "a")}${submit.replace("submit_result", "a")}`,
      }),
      [naming("13:11 AGENT_001 tool-duplicate", "'a'", `${file}`)],
    ],
    [
      "parameters of another type",
      definition({ tools: `tools:\n${submit.replace("type: object", "type: array")}` }),
      [
        expect.stringMatching(
          /^8:24 AGENT_001 tool-parameters-type: Tool parameters must define type: object.*sends.*named/,
        ),
      ],
    ],
    [
      "parameters without a type",
      definition({ tools: `tools:\n${submit.replace("type: object, ", "")}` }),
      [
        expect.stringMatching(
          /^8:17 AGENT_001 tool-parameters-type: Tool parameters must define type: object.*sends.*named/,
        ),
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
        expect.stringMatching(
          /^8:17 warning tool-parameters-open: Tool parameters should set additionalProperties: false for strict mode/,
        ),
      ],
    ],
    [
      "a model that is not there",
      definition({ head: "name: x\nmodel: ../models/m.gguf" }),
      [
        naming(
          `2:8 warning path-missing: Model file not found: ${path.join(agentsDir, "../models/m.gguf")}. `,
          ...served("m"),
        ),
      ],
    ],
    [
      "a model elsewhere that is not there",
      definition({ head: "name: x\nmodel: /nowhere/m.gguf" }),
      [naming("2:8 warning path-missing: Model file not found: /nowhere/m.gguf. ", ...served("m"))],
    ],
    [
      "a model that is no file of weights",
      definition({ head: "name: x\nmodel: m.bin" }),
      [
        expect.stringContaining(
          `2:8 warning path-missing: Model file not found: ${path.join(agentsDir, "m.bin")}`,
        ),
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
      [expect.stringMatching(/^4:32 warning template-variable: `\{\{ node_name \}\}`/)],
    ],
    [
      "a template with what Remora does not fill in",
      definition({
        context:
          "initial_context:\n  system_prompt: s\n  node_context: |\n    node_txt is no use of it\n    {{ node_text }} {{ node_txt }} {{ task }}\n    {{ other | default('') }}",
      }),
      [
        expect.stringMatching(
          /^7:24 warning template-variable.*`node_txt`.*node_txt=…`\).*"node_text".*file_path, node_name, node_text, node_type, task.?$/,
        ),
        expect.stringMatching(
          /^8:8 warning template-variable.*`other`.*other=…`\).*file_path, node_name, node_text, node_type, task.?$/,
        ),
      ],
    ],
  ])("%s", (_, text, expected) => {
    expect(findings(text)).toEqual(expected)
  })
})

test.each([
  ["has an error", "docstring/tools/broken.pym", /E001/],
  ["is not there", "docstring/tools/gone.pym", /cannot be read/],
])("a tool without parameters whose script %s keeps the agent from running", (_, pym, why) => {
  const later = `  - {tool_name: submit_result, pym: ${pym}, tool_description: d}`
  const path = `${agentsDir}/lint/later_subagent.yaml`
  const { agent, problems } = readAgent(
    remora,
    { path, text: definition({ tools: `tools:\n${later}` }) },
    { agentsDir },
  )
  expect(agent?.toolDefinitions).toHaveLength(1)
  expect(problems.filter(({ loads }) => loads)).toEqual([
    expect.objectContaining({
      code: "script-check",
      severity: "error",
      message: expect.stringMatching(why),
    }),
  ])
})

test("a script that declares nothing leaves the result open", () => {
  const later = "  - {tool_name: submit_result, pym: lint/tools/submit.pym, tool_description: d}"
  const text = definition({ tools: `tools:\n${later}` })
  expect(readAgent(remora, { path: file, text }, { agentsDir })).toMatchObject({
    agent: { result: { type: "object" } },
    problems: [],
  })
})

describe("changes to the inputs of a script", () => {
  const later = (overrides: string) => `tools:
  - {tool_name: submit_result, pym: docstring/tools/submit.pym, tool_description: d, inputs_override: ${overrides}}`
  const read = (overrides: string) => {
    const text = definition({ tools: later(overrides) })
    return {
      result: readAgent(remora, { path: file, text }, { agentsDir }).agent?.result,
      said: findings(text),
    }
  }
  const summary = { type: "string" }
  const changed_files = { type: "array", items: { type: "string" }, default: [] }

  test.each<[string, string, object, readonly string[], readonly unknown[]]>([
    ["none", "{}", { summary, changed_files }, ["summary"], []],
    [
      "a description",
      "{summary: {description: One sentence.}}",
      { summary: { ...summary, description: "One sentence." }, changed_files },
      ["summary"],
      [],
    ],
    [
      "another type wins, and is told",
      "{summary: {type: integer}}",
      { summary: { type: "integer" }, changed_files },
      ["summary"],
      [/^5:\d+ warning inputs-override: .*type of summary from "string" to "integer"/],
    ],
    [
      "a default makes an input optional",
      "{summary: {default: none}}",
      { summary: { ...summary, default: "none" }, changed_files },
      [],
      [],
    ],
    [
      "`required` wins, and is told",
      "{changed_files: {required: true}}",
      { summary, changed_files },
      ["summary", "changed_files"],
      [/^5:\d+ warning inputs-override: .*required of changed_files from false to true/],
    ],
    [
      "an input that the script does not declare has no effect, and is told",
      "{sumary: {description: d}}",
      { summary, changed_files },
      ["summary"],
      [/^5:\d+ warning inputs-override: .*"sumary", which the script/],
    ],
    [
      "an input of the host stays hidden",
      "{workspace_id: {description: d, required: true}}",
      { summary, changed_files },
      ["summary"],
      [],
    ],
  ])("%s", (_, overrides, properties, required, said) => {
    expect(read(overrides)).toEqual({
      result: {
        type: "object",
        properties,
        ...(required.length > 0 && { required }),
        additionalProperties: false,
      },
      said: said.map((pattern) => expect.stringMatching(pattern as RegExp)),
    })
  })
})

describe("what is wrong besides", () => {
  const outside = (written: string) => [`\`${written}\``, "outside", `${agentsDir}`, "Scripts"]
  test.each([
    [
      "no model",
      definition({ head: "name: x" }),
      [expect.stringMatching(/^1:1 AGENT_001 field-missing: missing required field: model.*local.*server/)],
    ],
    ["a model on a server", definition({ head: "name: x\nmodel_id: lora" }), []],
    [
      "both",
      definition({ head: "name: x\nmodel_id: lora\nmodel: lint/tools/submit.pym" }),
      [expect.stringMatching(/^2:1 warning key-superseded.*effect.*Remove/)],
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
        expect.stringMatching(
          /^1:1 AGENT_001 instructions-missing: missing required field: initial_context\.system_prompt.*everything.*else/,
        ),
      ],
    ],
    [
      "no first message",
      definition({ context: "initial_context: {system_prompt: s}" }),
      [
        expect.stringMatching(
          /^3:18 AGENT_001 field-missing: missing required field: initial_context\.node_context.*template.*message/,
        ),
      ],
    ],
    [
      "a first message that is no text",
      definition({ context: "initial_context: {system_prompt: s, node_context: 7, more: 1}" }),
      [
        expect.stringMatching(/^3:51 AGENT_001 field-type: `initial_context\.node_context`.*text.*7.?$/),
        expect.stringMatching(/^3:54 info key-unknown: `initial_context\.more`/),
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
      [expect.stringMatching(/^9:5 AGENT_001 field-type: `tools\[1\]`.*description.*parameters/)],
    ],
    [
      "a tool without anything",
      definition({ tools: `tools:\n${submit}  - {}` }),
      [
        expect.stringMatching(
          /^9:5 AGENT_001 field-missing: missing required field: tools\[1\]\.pym.*script.*call/,
        ),
        expect.stringMatching(
          /^9:5 AGENT_001 field-missing: missing required field: tools\[1\]\.name.*model.*uses/,
        ),
        expect.stringMatching(
          /^9:5 AGENT_001 field-missing: missing required field: tools\[1\]\.description.*description.*reads/,
        ),
        expect.stringMatching(
          /^9:5 AGENT_001 field-missing: missing required field: tools\[1\]\.parameters.*Schema.*arguments/,
        ),
      ],
    ],
    [
      "a tool with wrong types",
      definition({
        tools: `tools:\n${submit}  - {name: 1, pym: lint/tools/submit.pym, description: '', parameters: [], context_providers: x}`,
      }),
      [
        naming("9:12 AGENT_001 field-type: `tools[1].name`", "1"),
        naming("9:56 AGENT_001 field-type: `tools[1].description`", '""'),
        expect.stringMatching(
          /^9:72 AGENT_001 tool-parameters-type: Tool parameters must define type: object.*sends.*named/,
        ),
        expect.stringMatching(/^9:95 AGENT_001 field-type: `tools\[1\]\.context_providers`.*list.*paths/),
      ],
    ],
    [
      "keys that a tool has not",
      definition({ tools: `tools:\n${submit}    parameter: {}\n    flavour: sweet` }),
      [
        expect.stringMatching(/^9:5 warning key-near-miss: `parameter`.*`parameters`.?$/),
        expect.stringMatching(/^10:5 info key-unknown: `flavour`/),
      ],
    ],
    [
      "a script above the folder",
      definition({ tools: `tools:\n${submit.replace("lint/tools/submit.pym", "lint/../../secret.pym")}` }),
      [naming("6:10 AGENT_001 path-outside: ", ...outside("lint/../../secret.pym"))],
    ],
    [
      "a script anywhere",
      definition({ tools: `tools:\n${submit.replace("lint/tools/submit.pym", "/etc/passwd")}` }),
      [naming("6:10 AGENT_001 path-outside: ", ...outside("/etc/passwd"))],
    ],
    [
      "a context provider above the folder",
      definition({ tools: `tools:\n${submit}    context_providers: [../agents-of-others/x.pym]` }),
      [naming("9:25 AGENT_001 path-outside: ", ...outside("../agents-of-others/x.pym"))],
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
      // In a list of tools a path is a script without a definition.
      name: word.filter((text) => !/^\.{0,2}[/\\]/.test(text)),
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
      expect.stringMatching(/^missing required field: initial_context\.node_context.*template.*message/),
      naming(
        `Subagent definition must include exactly one submit_result tool: ${file}. There`,
        "none",
        "result",
      ),
      expect.stringMatching(/^missing required field: model.*local.*server/),
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
    expect(losses[0]?.message).toEqual(naming("`/elsewhere/x.pym`", "outside", `${agentsDir}`, "Scripts"))
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
