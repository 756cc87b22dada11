import { describe, expect, test } from "vitest"
import type { Agent } from "../../agent/agent.ts"
import { cadre } from "./cadre.ts"
import { diagnose } from "./problem.ts"
import { readAgent } from "./read-agent.ts"
import { writeAgent } from "./write.ts"

const file = "/x/.cadre/agents/aide.yaml"
const front = "name: aide\ndescription: d\ninstructions: i\n"

function read(keys: string) {
  const text = front + keys
  const { agent, problems, locate } = readAgent(cadre, { path: file, text })
  const findings = diagnose(file, text, locate, problems).map(
    ({ severity, code, message, range: { start } }) =>
      `${start.line}:${start.column} ${severity} ${code}: ${message}`,
  )
  return { agent: agent as Agent, findings }
}

describe("what a part may say", () => {
  test.each<[string, Partial<Agent>]>([
    ["permissionMode: plan", { permissionMode: "plan" }],
    ["isolation: none", { isolation: "none" }],
    ["isolation: clone", { isolation: "clone" }],
    ["mode: headless", { mode: "headless" }],
    ["mode: terminal", { mode: "terminal" }],
    ["mode: embedded", { mode: "embedded" }],
    ["template: {context: 'On {{ node }}.'}", { template: { task: "message", context: "On {{ node }}." } }],
    ["template: {task: append}", { template: { task: "append" } }],
    ["context: fork", { context: { fork: true } }],
    [
      "context: {rules: true, files: [docs/*.md, a.md], environment: true, fork: true}",
      { context: { rules: true, files: ["docs/*.md", "a.md"], environment: true, fork: true } },
    ],
    ["context: {rules: true, fork: false, files: []}", { context: { rules: true } }],
    ["cache: true", { cache: {} }],
    ["cache: false", {}],
    ["cache: {inputs: [src/**, a.md]}", { cache: { inputs: ["src/**", "a.md"] } }],
    ["cache: {inputs: []}", { cache: {} }],
    [
      "toolDefinitions: [{name: t, description: d, script: s.sh, parameters: {type: object}, inputs: {a: 1}, contextProviders: [c.sh]}]",
      {
        toolDefinitions: [
          {
            name: "t",
            description: "d",
            script: "s.sh",
            parameters: { type: "object" },
            inputs: { a: 1 },
            contextProviders: ["c.sh"],
          },
        ],
      },
    ],
    [
      "inputs: {goal: string, paths: 'string[]', depth: number?}\npipeline: [{id: a, agent: b, prompt: c, timeout: 5m}, {id: d, parallel: [{id: e, wait: 90}]}]\noutputs: {x: '{{ steps.a.output }}'}",
      {
        pipeline: {
          inputs: {
            type: "object",
            properties: {
              goal: { type: "string" },
              paths: { type: "array", items: { type: "string" } },
              depth: { type: "number" },
            },
            required: ["goal", "paths"],
            additionalProperties: false,
          },
          steps: [
            { id: "a", agent: "b", prompt: "c", timeout: 300_000 },
            { id: "d", parallel: [{ id: "e", wait: 90_000 }] },
          ],
          outputs: { x: "{{ steps.a.output }}" },
        },
      },
    ],
    ["output: {type: object, required: [a]}", { result: { type: "object", required: ["a"] } }],
    ["result: {type: object, required: [a]}", { result: { type: "object", required: ["a"] } }],
    [
      "postconditions: [{file: a.md, contains: b}, {command: npm test, timeout: 2m}, {schema: {type: object}, file: a.json}]",
      {
        postconditions: [
          { file: "a.md", contains: "b" },
          { command: "npm test", timeout: 120_000 },
          { schema: { type: "object" }, file: "a.json" },
        ],
      },
    ],
  ])("%s", (keys, part) => {
    const { agent, findings } = read(keys)
    expect(findings).toEqual([])
    expect(agent).toMatchObject(part)
    expect(writeAgent(cadre, agent, file).losses).toEqual([])
  })
})

describe("what it may not", () => {
  test.each<[string, readonly string[]]>([
    ["cache: forever", [expect.stringMatching(/^4:8 error field-type: `cache`.*or.*"forever".?$/)]],
    [
      "cache: {input: [a.md], inputs: [../up.md, 7]}",
      [
        expect.stringMatching(/^4:9 error key-unknown: `cache\.input`.*"inputs".*inputs.?$/),
        expect.stringMatching(/^4:33 error field-type: `cache\.inputs\.0`.*"\.\.\/up\.md".?$/),
        expect.stringMatching(/^4:43 error field-type: `cache\.inputs\.1`.*7.?$/),
      ],
    ],
    ["cache: {inputs: a.md}", [expect.stringMatching(/^4:17 error field-type: `cache\.inputs`/)]],
    ["context: fresh", [expect.stringMatching(/^4:10 error field-type: `context`.*fork, or.*"fresh".?$/)]],
    [
      "context: {ruels: true, files: a.md, fork: 'yes'}",
      [
        expect.stringMatching(
          /^4:11 error key-unknown: `context\.ruels`.*"rules".*environment, files, fork, initialPrompt, rules.?$/,
        ),
        expect.stringMatching(/^4:43 error field-type: `context\.fork`.*"yes".?$/),
        expect.stringMatching(/^4:31 error field-type: `context\.files`/),
      ],
    ],
    [
      "context: {files: [../up.md, /etc/passwd, a.md, ~/b.md, 7]}",
      [
        expect.stringMatching(/^4:19 error field-type: `context\.files\.0`.*the project.*"\.\.\/up\.md".?$/),
        expect.stringMatching(/^4:29 error field-type: `context\.files\.1`.*the project.*"\/etc\/passwd".?$/),
        expect.stringMatching(/^4:48 error field-type: `context\.files\.3`.*the project.*"~\/b\.md".?$/),
        expect.stringMatching(/^4:56 error field-type: `context\.files\.4`/),
      ],
    ],
    [
      "permissionMode: yolo",
      [
        '4:17 error field-type: `permissionMode` must be one of default, acceptEdits, auto, dontAsk, bypassPermissions, plan, manual, but it is "yolo".',
      ],
    ],
    [
      "mode: window",
      ['4:7 error field-type: `mode` must be one of headless, terminal, embedded, self, but it is "window".'],
    ],
    ["executor: a b", [expect.stringMatching(/^4:11 error field-type.*"a b".?$/)]],
    [
      "executor: claude\npipeline: [{ id: a, agent: b, prompt: c }]",
      [expect.stringMatching(/^4:1 error field-type.*combined/)],
    ],
    [
      "isolation: container",
      ['4:12 error field-type: `isolation` must be one of none, worktree, clone, but it is "container".'],
    ],
    ["memory: all", ['4:9 error field-type: `memory` must be one of user, project, local, but it is "all".']],
    [
      "template: {task: prepend, context: 5, taks: x}",
      [
        '4:39 error key-unknown: `taks` is not a key of `template`. Did you mean "task"? Known: context, task.',
        expect.stringMatching(/^4:18 error field-type.*"prepend".?$/),
        expect.stringMatching(/^4:36 error field-type.*text.*5.?$/),
      ],
    ],
    [
      "toolDefinitions: [x, {name: ' ', script: s, parameters: {type: array}, inputs: 1, contextProviders: c, sandbox: 1}]",
      [
        expect.stringMatching(/^4:19 error field-type.*description.*parameters/),
        "4:104 error key-unknown: `sandbox` is not a key of `toolDefinitions`. Known: contextProviders, description, inputs, name, parameters, script.",
        expect.stringMatching(/^4:29 error field-type: `toolDefinitions\[1\]\.name`/),
        "4:22 error field-missing: missing required field: toolDefinitions[1].description.",
        expect.stringMatching(/^4:57 error tool-parameters-type: `toolDefinitions\[1\]\.parameters`/),
        "4:80 error field-type: `toolDefinitions[1].inputs` must be keys and values.",
        expect.stringMatching(/^4:101 error field-type: `toolDefinitions\[1\]\.contextProviders`/),
      ],
    ],
    [
      "toolDefinitions:\n  - {name: t, description: d, script: s}\n  - {name: t, description: d, script: s, parameters: {type: object, properties: 5}}",
      [
        expect.stringMatching(/^6:12 error tool-duplicate.*"t".*ambiguous/),
        "6:81 error tool-parameters-schema: `toolDefinitions[1].parameters.properties` must map names to schemas.",
      ],
    ],
    [
      "result: {type: objekt}",
      [
        "4:16 error field-type: `result.type` must be one of array, boolean, integer, null, number, object, string, or a list of them.",
      ],
    ],
    ["output: {type: array}", [expect.stringMatching(/^4:9 error field-type: `output`/)]],
    [
      "postconditions: tests pass",
      ['4:17 error field-type: `postconditions` must be a list, but it is "tests pass".'],
    ],
    [
      "postconditions: [done, {file: ''}, {command: x, timeout: 0}, {file: a, timeout: 5}, {schema: 5}]",
      [
        expect.stringMatching(/^4:18 error field-type: `postconditions\.0`/),
        expect.stringMatching(/^4:31 error field-type: `postconditions\.1\.file`/),
        "4:58 error field-type: `postconditions.2.timeout` must be a time above 0.",
        expect.stringMatching(
          /^4:72 error key-unknown: `postconditions\.3\.timeout`.*`file`.*contains, file.?$/,
        ),
        expect.stringMatching(/^4:94 error field-type: `postconditions\.4\.schema`/),
      ],
    ],
    [
      "postconditions: [{schema: {type: objekt}}]",
      [
        "4:34 error field-type: `postconditions.0.schema.type` must be one of array, boolean, integer, null, number, object, string, or a list of them.",
      ],
    ],
  ])("%s", (keys, expected) => {
    expect(read(keys).findings).toEqual(expected)
  })

  test("what it hands in, under both of its names", () => {
    expect(read("output: {type: object}\nresult: {type: object}").findings).toEqual([
      expect.stringMatching(/^5:1 .*`result`/),
    ])
  })

  test("a schema under its older name is written back under the name it has now", () => {
    const { agent } = read("result: {type: object}")
    expect(writeAgent(cadre, agent, file).text).toContain("\noutput:\n  type: object\n")
  })

  test("parameters that the run itself sets, also in a list", () => {
    expect(
      read("model: [{model: a, parameters: {top_p: 1}}, {model: b, parameters: {stream: false}}]").findings,
    ).toEqual([expect.stringMatching(/^4:69 warning parameter-reserved: `model\.1\.parameters\.stream`/)])
  })

  test("a template that cannot be read, at the line where it cannot", () => {
    expect(read("template:\n  context: |\n    Hello.\n    On {% if %}\n").findings).toEqual([
      expect.stringMatching(/^7:\d+ error template-invalid.*Jinja.*\S/),
    ])
  })
})
