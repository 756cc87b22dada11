import { describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import type { Json } from "../../ground/message.ts"
import { createValidator } from "../../ground/schema/schema.ts"
import { buildWorkflowSchema, workflowKeyNames, workflowParts } from "../formats/workflow-keys.ts"
import { readWorkflow } from "./read.ts"
import type { WorkflowPlace } from "./reading.ts"

const found = (written: Json, as: WorkflowPlace["as"] = "cadre") =>
  readWorkflow(written, { name: "w", as }).problems.map(
    ({ code, severity, path, offset, message }) =>
      `${severity === "warning" ? "warning: " : ""}${code === "workflow-invalid" ? "" : `${code}: `}${path.join(".")}${offset === undefined ? "" : `@${offset}`}: ${message}`,
  )

const step = (keys: { readonly [key: string]: Json }): Json => ({ steps: [{ name: "a", ...keys }] })

describe("what is wrong is told, with its place", () => {
  test.each<[string, Json, readonly string[]]>([
    ["no map", "steps", [": a workflow must be keys and values."]],
    ["no steps", {}, [": a workflow needs `steps`."]],
    ["an empty list of steps", { steps: [] }, [expect.stringMatching(/^steps.*workflow.*least/)]],
    ["a step without a name", { steps: [{}] }, ["steps.0: a step needs `name`."]],
    ["a step that is a text", { steps: ["a"] }, [expect.stringMatching(/^steps\.0.*keys.*values/)]],
    [
      "a key that is nearly right",
      step({ allowed_tool: [] }),
      [expect.stringMatching(/^steps\.0\.allowed_tool: `allowed_tool`.*step.*"allowed_tools"/)],
    ],
    [
      "a key of the workflow that nobody knows",
      { steps: [{ name: "a" }], exit_conditon: "x" },
      [expect.stringMatching(/^exit_conditon: .*Did you mean "exit_condition"\?/)],
    ],
    [
      "a wrong type",
      step({ allowed_tools: 3 }),
      [expect.stringMatching(/^steps\.0\.allowed_tools: `allowed_tools`.*all.*commas/)],
    ],
    ...["allowed_tools", "blocked_tools", "allowed_mcp_tools", "blocked_mcp_tools"].map(
      (key): [string, Json, readonly string[]] => [
        `\`${key}\` left blank, which would forbid nothing`,
        step({ [key]: null }),
        [expect.stringContaining(`steps.0.${key}: \`${key}\` must be `)],
      ],
    ),
    [
      "a condition left blank, which would always hold",
      step({ transitions: { to: "a", when: null } }),
      ["steps.0.transitions.when: `when` must be text."],
    ],
    [
      "tools of servers without a server",
      step({ blocked_mcp_tools: ["tasks", "tasks:", "tasks:claim"], allowed_mcp_tools: ["claim"] }),
      [
        expect.stringMatching(/^steps\.0\.allowed_mcp_tools\.0: "claim".*server.*tools/),
        expect.stringMatching(/^steps\.0\.blocked_mcp_tools\.0: "tasks".*server.*tools/),
        expect.stringMatching(/^steps\.0\.blocked_mcp_tools\.1: "tasks:".*server.*tools/),
      ],
    ],
    [
      "another type of file",
      { type: "pipeline", steps: [{ name: "a" }] },
      [expect.stringMatching(/^type.*pipeline.*workflow/)],
    ],
    [
      "a tool with an argument",
      step({ allowed_tools: ["Read", "Bash(git *)"] }),
      [expect.stringMatching(/^steps\.0\.allowed_tools\.1: "Bash\(git \*\)" has an argument/)],
    ],
    [
      "a step that is not there",
      step({ transitions: [{ to: "bb" }] }),
      ['step-unknown: steps.0.transitions.0.to: There is no step "bb" to go to. Did you mean "a"? Known: a.'],
    ],
    [
      "two steps of one name",
      { steps: [{ name: "a" }, { name: "a" }] },
      [expect.stringMatching(/^step-duplicate: steps\.1\.name: There are two steps named "a"/)],
    ],
    [
      "a condition that is none",
      step({ exit_when: "vars.n and" }),
      [expect.stringMatching(/^steps\.0\.exit_when@10: /)],
    ],
    [
      "a condition with a name that nobody offers",
      step({ transitions: { to: "a", when: "task_claimd" } }),
      [expect.stringMatching(/^steps\.0\.transitions\.when@0.*Unknown.*"task_claimd".*variable/)],
    ],
    [
      "a template with one",
      step({ status_message: "Go: {{ taks }}" }),
      [expect.stringMatching(/^steps\.0\.status_message@7: Unknown name "taks".*Did you mean "task"\?/)],
    ],
    [
      "an effect that nobody knows",
      step({ on_enter: [{ set_variables: { n: 1 } }] }),
      [
        expect.stringMatching(
          /^steps\.0\.on_enter\.0\.set_variables: There is no effect "set_variables"\. Did you mean "set_variable"\?/,
        ),
      ],
    ],
    [
      "nothing to do",
      step({ on_exit: [{ when: "true" }] }),
      [expect.stringMatching(/^steps\.0\.on_exit\.0.*least.*effect/)],
    ],
    [
      "a block",
      step({ on_enter: { block: "no" } }),
      [expect.stringMatching(/^steps\.0\.on_enter\.block.*call.*block/)],
    ],
    [
      "a call that is not there",
      step({ on_success: { rewrite_input: { a: 1 } } }),
      [expect.stringMatching(/^steps\.0\.on_success\.rewrite_input.*rewritten/)],
    ],
    [
      "an agent in place of one",
      step({ on_enter: { spawn_agent: { agent: "x", prompt: "y", mode: "replace" } } }),
      [expect.stringMatching(/^steps\.0\.on_enter\.spawn_agent.*call.*replace/)],
    ],
    [
      "variables that cannot be set",
      { variables: { task: 1 }, steps: [{ name: "a" }] },
      [expect.stringMatching(/^variables: the variable "task" cannot be set/)],
    ],
    [
      "a setting that nobody knows",
      { settings: { rounds: 1 }, steps: [{ name: "a" }] },
      [expect.stringMatching(/^settings\.rounds: `rounds` is not a key of `settings`\./)],
    ],
    [
      "too many rounds",
      { settings: { premature_stop_max_attempts: 0 }, steps: [{ name: "a" }] },
      [expect.stringMatching(/whole.*number.*100/)],
    ],
    [
      "a way to stop that nobody knows",
      { on_premature_stop: { action: "shout" }, steps: [{ name: "a" }] },
      [expect.stringMatching(/^on_premature_stop\.action: /)],
    ],
  ])("%s", (_, written, expected) => {
    expect(found(written)).toEqual(expected)
    expect(readWorkflow(written, { name: "w", as: "cadre" }).workflow).toBeUndefined()
  })
})

describe("of Gobby's own files", () => {
  test("what forbids nothing is passed over, and told", () => {
    const written: Json = {
      enabled: false,
      triggers: {},
      steps: [{ name: "a", on_enter: [{ action: "call_mcp_tool", server_name: "x" }] }],
    }
    expect(found(written, "gobby")).toEqual([
      expect.stringMatching(
        /^warning: workflow-unheard: steps\.0\.on_enter\.0\.action: Gobby's `call_mcp_tool` is not supported here: /,
      ),
    ])
    expect(readWorkflow(written, { name: "w", as: "gobby" }).workflow?.steps[0]).toMatchObject({
      name: "a",
      onEnter: [],
    })
  })

  test.each<[string, Json, readonly string[]]>([
    [
      "a key that is nobody's",
      step({ allowed_when: 1 }),
      [expect.stringMatching(/^steps\.0\.allowed_when: `allowed_when`.*step/)],
    ],
    [
      "an action that is nobody's",
      step({ on_enter: [{ action: "inject_mesage", content: "x" }] }),
      [
        expect.stringMatching(
          /^steps\.0\.on_enter\.0\.action: there is no action "inject_mesage"\. Did you mean "inject_message"\?/,
        ),
      ],
    ],
    [
      "a gate, where there is no call",
      step({ on_enter: [{ action: "block_tools", rules: [] }] }),
      [expect.stringMatching(/^steps\.0\.on_enter\.0\.action.*call.*block/)],
    ],
    [
      "a name that is nobody's: the condition does not hold",
      step({ exit_when: "task_completed or user_exit" }),
      [
        expect.stringMatching(
          /^warning: workflow-unheard: steps\.0\.exit_when@0: Unknown name "task_completed"/,
        ),
        expect.stringMatching(/^warning: workflow-unheard: steps\.0\.exit_when@18: Unknown name "user_exit"/),
      ],
    ],
    [
      "variables need no `variables.`",
      {
        variables: { claimed: false },
        steps: [{ name: "a", exit_when: "claimed and mcp_called('s', 't')" }],
      },
      [],
    ],
    [
      "a rule that warns",
      step({ rules: [{ when: "true", action: "warn", message: "m" }] }),
      [expect.stringMatching(/^warning: workflow-unheard: steps\.0\.rules\.0\.action: `action: warn`/)],
    ],
    [
      "a rule with a name that is nobody's",
      step({ rules: [{ when: "editing_other_file()", action: "block" }] }),
      [expect.stringMatching(/^steps\.0\.rules\.0\.when@0: Unknown name "editing_other_file"/)],
    ],
    [
      "a rule that is nowhere",
      step({ check_rules: ["no_push"] }),
      [
        expect.stringMatching(
          /^workflow-foreign: steps\.0\.check_rules\.0.*"no_push".*Write it below `rule_definitions`.?$/,
        ),
      ],
    ],
    [
      "a rule that was to be imported",
      { imports: ["worker-safety"], steps: [{ name: "a", check_rules: ["no_push"] }] },
      [expect.stringMatching(/Copy them to `\.gobby\/rules\/worker-safety\.yaml`\.$/)],
    ],
    [
      "a blocked command without a pattern",
      step({ blocked_commands: [{ reason: "r" }] }),
      [expect.stringMatching(/^steps\.0\.blocked_commands\.0.*blocked/)],
    ],
    [
      "a map in place of a list",
      step({ blocked_commands: { pattern: "x" } }),
      [expect.stringMatching(/^steps\.0\.blocked_commands: `blocked_commands`.*each.*entry/)],
    ],
    [
      "a setting of Gobby's",
      { settings: { theme: 1 }, steps: [{ name: "a" }] },
      [expect.stringMatching(/^warning: workflow-unheard: settings\.theme: /)],
    ],
  ])("%s", (_, written, expected) => expect(found(written, "gobby")).toEqual(expected))

  test.each(["exit_conditions", "on_mcp_before"])("%s in a step is refused", (key) => {
    expect(found(step({ [key]: [] }), "gobby")).toEqual([
      naming(`workflow-foreign: steps.0.${key}: \`${key}\``, "Write "),
    ])
  })
})

test("null is the same as left out, except where that allows more", () => {
  const empty = Object.fromEntries(
    workflowParts.step.filter(({ required, narrows }) => !required && !narrows).map(({ key }) => [key, null]),
  )
  expect(found({ description: null, steps: [{ name: "a", ...empty }] })).toEqual([])
})

test("its name is that of its place, where it has none", () => {
  const read = (written: Json) => readWorkflow(written, { name: "place", as: "cadre" }).workflow?.name
  expect([read({ steps: [{ name: "a" }] }), read({ name: "own", steps: [{ name: "a" }] })]).toEqual([
    "place",
    "own",
  ])
})

describe("the JSON Schema", () => {
  const whole = {
    name: "dev",
    version: "1.0",
    type: "step",
    variables: { n: 1 },
    on_premature_stop: "Go on.",
    steps: [
      {
        name: "a",
        allowed_tools: "all",
        blocked_mcp_tools: ["x:*"],
        on_enter: { set_variable: { n: 2 } },
        on_success: [{ tool: "Read", run: "notify" }],
        transitions: [{ to: "a", when: "vars.n" }],
      },
    ],
  }

  test("takes a workflow, and refuses what the reader refuses", async () => {
    const check = createValidator(buildWorkflowSchema())
    const { name: _, ...unnamed } = whole.steps[0]!
    const wrong = { ...whole, steps: [{ ...whole.steps[0]!, allowed: [] }] }
    expect([
      await check(whole),
      found(whole),
      "problem" in (await check(wrong)),
      "problem" in (await check({ ...whole, steps: [unnamed] })),
      "problem" in (await check({ ...whole, on_premature_stop: { rounds: 1 } })),
    ]).toEqual([{ value: whole }, [], true, true, true])
  })

  test("has every key", () => {
    const { $defs } = buildWorkflowSchema() as { $defs: { [part: string]: { properties: object } } }
    expect(
      Object.entries($defs).flatMap(([part, { properties }]) =>
        Object.keys(properties).map((key) => `${part}.${key}`),
      ),
    ).toEqual(workflowKeyNames)
  })
})
