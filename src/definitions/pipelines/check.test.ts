import { describe, expect, test } from "vitest"
import { type Agent, agentList, defineAgent } from "../../agent/agent.ts"
import { type Json, valueAt } from "../../ground/message.ts"
import { checkPipeline } from "./check.ts"
import { definePipeline } from "./define.ts"
import { readInputs } from "./inputs.ts"

const list = { type: "array", items: { type: "object", properties: { path: { type: "string" } } } }
const scanner = defineAgent({
  name: "scanner",
  instructions: "Scan.",
  result: { type: "object", properties: { files: list, count: { type: "integer" }, items: list } },
})
const worker = defineAgent({ name: "worker", instructions: "Work." })
const other = definePipeline({
  name: "other",
  inputs: { goal: "string", depth: "number?" },
  steps: [{ id: "one", agent: "worker", prompt: "{{ inputs.goal }}" }],
})

/** An agent with a pipeline that may have any shape, as in a file. */
const pipeline = (
  steps: Json,
  more: { inputs?: Json; outputs?: Json; result?: { [key: string]: Json }; limits?: Agent["limits"] } = {},
): Agent => {
  const { inputs, outputs, result, limits = {} } = more
  const read = inputs === undefined ? undefined : readInputs(inputs as { [name: string]: Json })
  return {
    ...worker,
    name: "tested",
    limits,
    ...(result && { result }),
    pipeline: {
      steps: steps as never,
      ...(read && "schema" in read && { inputs: read.schema }),
      ...(outputs !== undefined && { outputs: outputs as never }),
    },
  }
}

const listing = definePipeline({
  name: "listing",
  inputs: { depth: "number", paths: "string[]" },
  steps: [{ id: "one", agent: "worker", prompt: "x" }],
})
const settable = defineAgent({ name: "settable", instructions: "Work.", callVariables: ["level"] })

const guide = defineAgent({ name: "guide", instructions: "Guide.", mode: "self" })

const agents = agentList([scanner, worker, other, listing, settable, guide])

/** `pipeline-name steps.1.prompt "steps.scam": …` */
function linesOf(agent: Agent): readonly string[] {
  return checkPipeline(agent, agents).map(({ code, path, offset = 0, length, message }) => {
    const written = valueAt(agent.pipeline as unknown as Json, path)
    const text = length === undefined ? "" : ` "${String(written).slice(offset, offset + length)}"`
    return `${code} ${path.join(".")}${text}: ${message}`
  })
}

const scan = { id: "scan", agent: "scanner", prompt: "Look." }
const work = (prompt: string, more = {}) => ({ id: "work", agent: "worker", prompt, ...more })

describe("what is right", () => {
  test.each<[string, Json, Parameters<typeof pipeline>[1]?]>([
    [
      "a template with an input",
      [work("Do {{ inputs.goal }}, {{ task }}, {{ variables.x }}")],
      { inputs: { goal: "string" } },
    ],
    [
      "a value of a typed agent",
      [scan, work("{{ steps.scan.value.files[0].path }} {{ steps.scan.output }}")],
    ],
    [
      "a map over a typed list",
      [scan, { ...work("{{ file.path }} {{ index }}"), map: "steps.scan.value.files", as: "file" }],
    ],
    [
      "a map over what only a function gives",
      [scan, { ...work("{{ item }}"), map: "list(str(steps.scan.value.count))" }],
    ],
    [
      "a map over what a loop picks, with a name of its own",
      [
        scan,
        {
          ...work("{{ item.path }}", { when: "any(path.endswith('.ts') for path in variables.paths)" }),
          map: "[file for file in steps.scan.value.files if file.path not in {'a', task}]",
        },
      ],
    ],
    ["a map over a list that is written out", [{ ...work("{{ item }}"), map: ["a", "b"] }]],
    [
      "what a map gives, item by item",
      [
        scan,
        { id: "all", map: [1], agent: "scanner", prompt: "x" },
        work("{{ steps.all.value[0].files }} {{ steps.all.each[0].outcome }}"),
      ],
    ],
    [
      "members of a parallel step, by themselves and together",
      [
        { id: "both", parallel: [scan, { id: "say", agent: "worker", prompt: "x" }] },
        work("{{ steps.scan.value.count }} {{ steps.both.value.say }}"),
      ],
    ],
    [
      "a loop that looks at its round and at the one before",
      [
        {
          id: "again",
          loop: { until: "steps.check.value.count == 0 or round > 2", max: 5 },
          steps: [
            { id: "fix", agent: "worker", prompt: "{{ previous.check.output }} {{ round }}" },
            { id: "check", agent: "scanner", prompt: "{{ steps.fix.output }}" },
          ],
        },
        work("{{ steps.again.rounds }} {{ steps.again.value.count }}"),
      ],
    ],
    [
      "names that a template makes itself",
      [scan, work("{% for f in steps.scan.value.files %}{{ f.path }}{{ loop.index }}{% endfor %}")],
    ],
    ["an object's key that is called like a method", [scan, work('{{ steps.scan.value["items"] }}')]],
    ["the inputs of another pipeline", [{ id: "sub", agent: "other", inputs: { goal: "{{ task }}" } }]],
    [
      "inputs of the types that another pipeline takes, or of none that can be told",
      [
        scan,
        {
          id: "sub",
          agent: "listing",
          inputs: {
            depth: "{{ steps.scan.value.count }}",
            paths: ["{{ task }}", "a {{ steps.scan.value.count }}"],
          },
        },
        {
          id: "more",
          agent: "listing",
          inputs: { depth: "{{ variables.depth + 1 }}", paths: "{{ variables.paths }}" },
        },
        { id: "written", agent: "listing", prompt: '{"depth": 1, "paths": {{ variables.paths | tojson }}}' },
        { id: "text", agent: "other", prompt: "the goal" },
      ],
    ],
    [
      "variables that an agent lets its callers set",
      [{ ...work("x"), agent: "settable", variables: { level: 1 } }],
    ],
    [
      "what its output schema asks for, and more",
      [scan],
      {
        outputs: { n: "{{ steps.scan.value.count }}", more: 1 },
        result: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
      },
    ],
    ["a last step that gives a value of its output schema", [scan], { result: { type: "object" } }],
    [
      "a last step that may leave it to the one before",
      [scan, work("x", { when: "task == 'more'" })],
      { result: { type: "object" } },
    ],
    ["outputs", [scan], { outputs: { files: "{{ steps.scan.value.files }}", n: 3 } }],
    [
      "an approval and a wait",
      [
        { id: "ask", approval: "Ship {{ task }}?", timeout: 1000 },
        { id: "nap", wait: 5 },
      ],
    ],
  ])("%s", (_, steps, more) => {
    expect(linesOf(pipeline(steps, more))).toEqual([])
  })
})

describe("what is wrong", () => {
  test.each<[string, Json, readonly string[], Parameters<typeof pipeline>[1]?]>([
    ["no steps", [], ["pipeline-invalid steps: `pipeline` must be a list of at least one step."]],
    [
      "a step that is none",
      ["x"],
      ["pipeline-invalid steps.0: `pipeline[0]` must be a step: keys and values, with an `id`."],
    ],
    [
      "nothing to do",
      [{ id: "a" }],
      [
        "pipeline-invalid steps.0: `pipeline[0]` does nothing. A step needs one of agent, parallel, map, loop, approval, wait.",
      ],
    ],
    [
      "two things to do",
      [{ id: "a", wait: 1, approval: "x" }],
      [
        "pipeline-invalid steps.0: `pipeline[0]` is `approval` and `wait` at the same time. Make two steps of it.",
      ],
    ],
    [
      "no id",
      [{ agent: "worker", prompt: "x" }],
      ["pipeline-invalid steps.0: `pipeline[0]` has no `id`, which later steps need to use its result."],
    ],
    [
      "an id that cannot be looked up",
      [{ ...scan, id: "my-step" }],
      [
        "pipeline-invalid steps.0.id: `pipeline[0].id` must be a letter or `_` and then letters, digits and `_`, because it is written as `steps.ID`.",
      ],
    ],
    [
      "an unknown key",
      [{ ...scan, promt: "x" }],
      [
        'pipeline-invalid steps.0.promt: `promt` is not a key of a step for an agent. Did you mean "prompt"? Known: agent, id, inputs, model, on_error, prompt, timeout, variables, when.',
      ],
    ],
    [
      "values of a wrong type",
      [{ ...scan, timeout: -1, on_error: "stop", when: 3 }],
      [
        "pipeline-invalid steps.0.timeout: `pipeline[0].timeout` must be a time above 0: in a file seconds, or such as 500ms, 30s, 5m, 1h.",
        "pipeline-invalid steps.0.on_error: `pipeline[0].on_error` must be `continue`, or left out.",
        "pipeline-invalid steps.0.when: `pipeline[0].when` must be an expression in a text.",
      ],
    ],
    [
      "an unknown key of a loop",
      [{ id: "again", loop: { until: "true", max: 2, most: 3 }, steps: [scan] }],
      [
        "pipeline-invalid steps.0.loop.most: `pipeline[0].loop.most` is not a key of a loop. Known: max, until.",
      ],
    ],
    [
      "no prompt",
      [{ id: "a", agent: "worker" }],
      ["pipeline-invalid steps.0: `pipeline[0]` has no `prompt`."],
    ],
    [
      "a prompt and inputs",
      [{ ...scan, inputs: {} }],
      ["pipeline-invalid steps.0: `pipeline[0]` has a `prompt` and `inputs`. Keep one of the two."],
    ],
    [
      "a map of nothing",
      [{ id: "a", map: [1] }],
      [
        "pipeline-invalid steps.0: `pipeline[0]` does nothing. A map needs an `agent` with its `prompt`, or `steps`.",
      ],
    ],
    [
      "a map with a name that is taken",
      [{ ...scan, map: [1], as: "steps" }],
      [
        "pipeline-invalid steps.0.as: `pipeline[0].as` must be a name of its own: letters, digits and `_`, and none of inputs, steps, task, variables, index, round, previous.",
      ],
    ],
    [
      "a loop without a cap",
      [{ id: "a", loop: { until: "true" }, steps: [scan] }],
      [
        "pipeline-unbounded steps.0.loop: The loop has no limit: `max` must be a whole number from 1 to 1000. The loop ends after that many rounds.",
      ],
    ],
    [
      "a cap that is none",
      [{ id: "a", loop: { until: "true", max: 0 }, steps: [scan] }],
      [
        "pipeline-unbounded steps.0.loop.max: The loop has no limit: `max` must be a whole number from 1 to 1000. The loop ends after that many rounds.",
      ],
    ],
    [
      "two steps of one id, one of them inside of another",
      [scan, { id: "p", parallel: [scan] }],
      [
        "pipeline-duplicate steps.1.parallel.0.id: There are two steps `scan`, so it is unclear which one `steps.scan` means. Give each step its own id.",
      ],
    ],
    [
      "an agent that does not exist",
      [{ ...scan, agent: "scaner" }],
      [
        'pipeline-agent steps.0.agent: There is no agent `scaner`, so this step would fail. Did you mean "scanner"? Known: guide, listing, other, scanner, settable, worker.',
      ],
    ],
    [
      "an agent that the run that calls it would take on",
      [work("x", { agent: "guide" })],
      [
        "pipeline-agent steps.0.agent: `guide` cannot run a step: its `mode` is self, but a step needs an agent that runs by itself (`headless`).",
      ],
    ],
    [
      "a text that cannot be read",
      [work("{{ task")],
      ['pipeline-expression steps.0.prompt "{{ task": Invalid template: This is not closed: }} is missing.'],
    ],
    [
      "an expression that cannot be read",
      [work("x", { when: "task ==" })],
      [expect.stringMatching(/^pipeline-expression steps\.0\.when ".*": Invalid expression: /) as never],
    ],
    [
      "an unknown name",
      [work("{{ imputs.goal }}")],
      [
        'pipeline-name steps.0.prompt "imputs": `imputs` is not a known name. Did you mean "inputs"? Known: inputs, steps, task, variables.',
      ],
    ],
    [
      "a step without its `steps.`",
      [scan, work("{{ scan.output }}")],
      ['pipeline-name steps.1.prompt "scan": `scan` is not a known name. Write `steps.scan`.'],
    ],
    [
      "an unknown input",
      [work("{{ inputs.gaol }}")],
      [
        'pipeline-name steps.0.prompt "inputs.gaol": `inputs` has no `gaol`. Did you mean "goal"? Known: goal.',
      ],
      { inputs: { goal: "string" } },
    ],
    [
      "an unknown step",
      [scan, work("{{ steps.scam.output }}")],
      [
        'pipeline-name steps.1.prompt "steps.scam": There is no step `scam`. Did you mean "scan"? Known: scan.',
      ],
    ],
    [
      "a step that comes later",
      [work("{{ steps.scan.output }}"), scan],
      ['pipeline-name steps.0.prompt "steps.scan": The step `scan` comes later, so it has no result yet.'],
    ],
    [
      "the step itself",
      [work("{{ steps.work.output }}")],
      [
        'pipeline-name steps.0.prompt "steps.work": `steps.work` is this step itself, which has no result yet.',
      ],
    ],
    [
      "a step beside it",
      [{ id: "p", parallel: [scan, work("{{ steps.scan.output }}")] }],
      [
        'pipeline-name steps.0.parallel.1.prompt "steps.scan": `scan` runs at the same time as this step, so it has no result yet.',
      ],
    ],
    [
      "a step inside of a map",
      [{ id: "all", map: [1], steps: [scan] }, work("{{ steps.scan.output }}")],
      [
        'pipeline-name steps.1.prompt "steps.scan": `scan` is a step inside of `all` and can be used only there. From outside, use `steps.all`.',
      ],
    ],
    [
      "a round outside of a loop",
      [work("{{ round }} {{ index }}")],
      [
        'pipeline-name steps.0.prompt "round": `round` exists only inside of a loop. Known: inputs, steps, task, variables.',
        'pipeline-name steps.0.prompt "index": `index` exists only inside of a map. Known: inputs, steps, task, variables.',
      ],
    ],
    [
      "a key that an agent's output does not have",
      [scan, work("{{ steps.scan.value.fles }}")],
      [
        'pipeline-name steps.1.prompt "steps.scan.value.fles": `steps.scan.value` has no `fles`. Did you mean "files"? Known: count, files, items.',
      ],
    ],
    [
      "a key of a list",
      [scan, work("{{ steps.scan.value.files.path }}")],
      [
        'pipeline-type steps.1.prompt "steps.scan.value.files.path": `steps.scan.value.files` is a list, and only its items have `path`. Use `map`, or `steps.scan.value.files[0].path`.',
      ],
    ],
    [
      "a key that is a method",
      [scan, work("{{ steps.scan.value.items }}")],
      [
        'pipeline-name steps.1.prompt "steps.scan.value.items": `steps.scan.value.items` is a method. For the value of that name, write `steps.scan.value["items"]`.',
      ],
    ],
    [
      "the value of an agent that gives none",
      [{ ...work("x"), id: "say" }, work("{{ steps.say.value }}")],
      [
        'pipeline-type steps.1.prompt "steps.say.value": `steps.say` has no value, because its agent has no `output` schema. Use its text, `steps.say.output`.',
      ],
    ],
    [
      "a map over a text",
      [
        { ...work("x"), id: "say" },
        { ...work("x"), map: "steps.say.output" },
      ],
      ["pipeline-type steps.1.map: `map` needs a list, but `steps.say.output` is text."],
    ],
    [
      "a map over an input that is a number",
      [{ ...work("x"), map: "inputs.n" }],
      ["pipeline-type steps.0.map: `map` needs a list, but `inputs.n` is a number."],
      { inputs: { n: "number" } },
    ],
    [
      "inputs that another pipeline does not have, or needs",
      [{ id: "sub", agent: "other", inputs: { gaol: "x" } }],
      [
        'pipeline-name steps.0.inputs.gaol: `other` has no input `gaol`. Did you mean "goal"? Known: depth, goal.',
        "pipeline-type steps.0.inputs: `other` needs the input `goal`, which is missing.",
      ],
    ],
    [
      "inputs of other types than another pipeline takes",
      [
        scan,
        {
          id: "sub",
          agent: "listing",
          inputs: { depth: "deep", paths: [1, "{{ steps.scan.value.count }}"] },
        },
        { id: "more", agent: "listing", inputs: { depth: "{{ steps.scan.value.files }}", paths: null } },
      ],
      [
        "pipeline-type steps.1.inputs.depth: By the inputs of `listing`, this must be a number, but it is text.",
        "pipeline-type steps.1.inputs.paths.0: By the inputs of `listing`, this must be text, but it is a number.",
        "pipeline-type steps.1.inputs.paths.1: By the inputs of `listing`, this must be text, but it is a number.",
        "pipeline-type steps.2.inputs.depth: By the inputs of `listing`, this must be a number, but it is a list.",
        "pipeline-type steps.2.inputs.paths: By the inputs of `listing`, this must be a list, but it is null.",
      ],
    ],
    [
      "a text where another pipeline takes an object",
      [{ id: "sub", agent: "listing", prompt: "Look at {{ task }}." }],
      [
        "pipeline-type steps.0.prompt: `listing` takes a JSON object {depth: number, paths: string[]}, and this text can never be that. Write `inputs` instead of `prompt`.",
      ],
    ],
    [
      "variables that an agent does not let its callers set",
      [{ ...work("x"), agent: "settable", variables: { levle: 1 } }],
      [
        'pipeline-name steps.0.variables.levle: `settable` does not let its callers set `levle` (`callVariables`). Did you mean "level"? Known: level.',
      ],
    ],
    [
      "outputs that are not what its output schema asks for",
      [scan],
      [
        'pipeline-name outputs.whom: The `output` schema has no `whom`. Did you mean "who"? Known: n, who.',
        "pipeline-type outputs: The `output` schema requires `who`, which is missing.",
        "pipeline-type outputs.n: By the `output` schema, this must be a number, but it is text.",
      ],
      {
        outputs: { n: "{{ steps.scan.output }}", whom: "x" },
        result: {
          type: "object",
          properties: { n: { type: "number" }, who: { type: "string" } },
          required: ["n", "who"],
          additionalProperties: false,
        },
      },
    ],
    [
      "a last step that gives no value for its output schema",
      [scan, work("x")],
      [
        "pipeline-type steps.1: The pipeline ends with the result of `work`, which is text without a value, but its `output` schema requires an object. Define the result with `outputs`.",
      ],
      { result: { type: "object" } },
    ],
    [
      "a last step that gives another value than its output schema asks for",
      [{ ...scan, map: [1] }],
      [
        "pipeline-type steps.0: The pipeline ends with the result of `scan`, which is a list, but its `output` schema requires an object. Define the result with `outputs`.",
      ],
      { result: { type: "object" } },
    ],
    [
      "an output of nothing",
      [scan],
      [
        'pipeline-name outputs.deep.0 "steps.scam": There is no step `scam`. Did you mean "scan"? Known: scan.',
      ],
      { outputs: { deep: ["{{ steps.scam.output }}"] } },
    ],
    [
      "a wait that outlasts the run",
      [{ id: "nap", wait: 4_000_000 }],
      [
        "pipeline-wait steps.0.wait: The step waits 4000 s, but the whole run may take only 3600 s, so it would time out. Raise `limits.timeout`.",
      ],
    ],
  ])("%s", (_, steps, lines, more) => {
    expect(linesOf(pipeline(steps, more))).toEqual(lines)
  })

  test("steps nested too deep are refused before anything follows them", () => {
    let steps: Json = [scan]
    for (let depth = 0; depth < 50; depth++) steps = [{ id: `p${depth}`, parallel: steps }]
    expect(linesOf(pipeline(steps)).map((line) => line.slice(0, 30))).toEqual([
      "pipeline-invalid steps.0.paral",
    ])
  })

  test("a pipeline has no workflow besides", () => {
    const both = { ...pipeline([scan]), workflow: "plan-first" }
    expect(linesOf(both)).toEqual([
      "pipeline-invalid steps: `pipeline` and `workflow` exclude each other: a pipeline has no model that could follow a workflow. Give the workflow to the agents that run its steps.",
    ])
  })

  test("a pipeline may not hand work to itself, unless it says so", () => {
    const own = pipeline([{ ...scan, agent: "tested" }])
    const known = (agent: Agent) => agentList([agent, scanner])
    expect(checkPipeline(own, known(own)).map(({ message }) => message)).toEqual([
      "The pipeline calls itself. Remove the step, or write `recursive: true` in its definition to allow it.",
    ])
    const allowed = { ...own, recursive: true }
    expect(checkPipeline(allowed, known(allowed))).toEqual([])
  })

  test("nor to others that hand it back, unless one of them says so", () => {
    const handing = (name: string, to: string, more: Partial<Agent> = {}): Agent => ({
      ...pipeline([{ id: "all", parallel: [{ ...scan, id: "on", agent: to }] }]),
      name,
      ...more,
    })
    const found = (...list: readonly Agent[]) =>
      list.map((agent) => checkPipeline(agent, agentList([...list, scanner])).map(({ message }) => message))
    const told = (way: string) =>
      `The pipelines call each other in a circle that only the depth limit would end: ${way}. Remove one of these steps, or write \`recursive: true\` in one of them that ends the circle itself.`
    expect(found(handing("a", "b"), handing("b", "c"), handing("c", "b"), handing("d", "scanner"))).toEqual([
      [],
      [told("`b` → `c` → `b`")],
      [told("`c` → `b` → `c`")],
      [],
    ])
    expect(found(handing("b", "c"), handing("c", "b", { recursive: true }))).toEqual([[], []])
  })
})

describe("in code", () => {
  test("definePipeline says every problem at once", () => {
    expect(() =>
      definePipeline({
        name: "bad",
        inputs: { goal: "string" },
        steps: [
          { id: "a", agent: "worker", prompt: "{{ inputs.gaol }}" },
          { id: "b", agent: "worker", prompt: "{{ steps.c.output }}" },
        ],
      }),
    ).toThrow(
      'Pipeline "bad": steps[0].prompt: `inputs` has no `gaol`. Did you mean "goal"? Known: goal; steps[1].prompt: There is no step `c`. Did you mean "a"? Known: a.',
    )
    const misfit = {
      depth: { type: "integer", default: "2" },
      paths: { type: "array", default: [] },
    } as const
    expect(() => definePipeline({ name: "bad", inputs: misfit, steps: [{ id: "nap", wait: 1 }] })).toThrow(
      'Pipeline "bad": `inputs.depth` has a default that is not of its type, integer.',
    )
    expect(() =>
      definePipeline({ name: "bad", inputs: { goal: "text" }, steps: [{ id: "nap", wait: 1 }] }),
    ).toThrow(
      'Pipeline "bad": `inputs.goal` must be a JSON Schema or one of string, number, integer, boolean, object, array, with `[]` for a list and `?` for an optional input.',
    )
  })

  test("it is an agent like any other, in plain data", () => {
    const agent = definePipeline({
      name: "tiny",
      description: "Waits.",
      inputs: { goal: "string", paths: "string[]", depth: { type: "number", default: 2 } },
      steps: [{ id: "nap", wait: 1 }],
      outputs: { goal: "{{ inputs.goal }}" },
    })
    expect(agent).toEqual({
      name: "tiny",
      description: "Waits.",
      instructions: "",
      tools: { mode: "inherit", allow: [], deny: [] },
      limits: {},
      rules: [],
      variables: {},
      pipeline: {
        inputs: {
          type: "object",
          properties: {
            goal: { type: "string" },
            paths: { type: "array", items: { type: "string" } },
            depth: { type: "number", default: 2 },
          },
          required: ["goal", "paths"],
          additionalProperties: false,
        },
        steps: [{ id: "nap", wait: 1 }],
        outputs: { goal: "{{ inputs.goal }}" },
      },
      origin: { format: "code" },
    })
  })
})
