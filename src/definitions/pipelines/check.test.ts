import { describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import { type Agent, createAgentList, defineAgent } from "../../agent/agent.ts"
import { getValueAt, type Json } from "../../ground/message.ts"
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

const agents = createAgentList([scanner, worker, other, listing, settable, guide])

/** `pipeline-name steps.1.prompt "steps.scam": …` */
function linesOf(agent: Agent): readonly string[] {
  return checkPipeline(agent, agents).map(({ code, path, offset = 0, length, message }) => {
    const written = getValueAt(agent.pipeline as unknown as Json, path)
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
    ["no steps", [], [expect.stringMatching(/^pipeline-invalid steps: `pipeline`.*least.*step/)]],
    [
      "a step that is none",
      ["x"],
      [expect.stringMatching(/^pipeline-invalid steps\.0: `pipeline\[0\]`.*keys.*values/)],
    ],
    [
      "nothing to do",
      [{ id: "a" }],
      [expect.stringMatching(/^pipeline-invalid steps\.0: `pipeline\[0\]`.*parallel.*wait.?$/)],
    ],
    [
      "two things to do",
      [{ id: "a", wait: 1, approval: "x" }],
      [
        expect.stringMatching(
          /^pipeline-invalid steps\.0: `pipeline\[0\]`.*`approval` and `wait`.*time.*steps/,
        ),
      ],
    ],
    [
      "no id",
      [{ agent: "worker", prompt: "x" }],
      [expect.stringMatching(/^pipeline-invalid steps\.0: `pipeline\[0\]`.*later.*steps/)],
    ],
    [
      "an id that cannot be looked up",
      [{ ...scan, id: "my-step" }],
      [expect.stringMatching(/^pipeline-invalid steps\.0\.id: `pipeline\[0\]\.id`.*letter.*letters/)],
    ],
    [
      "an unknown key",
      [{ ...scan, promt: "x" }],
      [
        expect.stringMatching(
          /^pipeline-invalid steps\.0\.promt: `promt`.*step.*agent.*"prompt".*agent, id, inputs, model, on_error, prompt, timeout, variables, when.?$/,
        ),
      ],
    ],
    [
      "values of a wrong type",
      [{ ...scan, timeout: -1, on_error: "stop", when: 3 }],
      [
        expect.stringMatching(
          /^pipeline-invalid steps\.0\.timeout: `pipeline\[0\]\.timeout` must be a.*time.*seconds.*1h.?$/,
        ),
        "pipeline-invalid steps.0.on_error: `pipeline[0].on_error` must be `continue`, or left out.",
        "pipeline-invalid steps.0.when: `pipeline[0].when` must be an expression in a text.",
      ],
    ],
    [
      "an unknown key of a loop",
      [{ id: "again", loop: { until: "true", max: 2, most: 3 }, steps: [scan] }],
      [
        expect.stringMatching(
          /^pipeline-invalid steps\.0\.loop\.most: `pipeline\[0\]\.loop\.most`.*loop.*max, until.?$/,
        ),
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
      [expect.stringMatching(/^pipeline-invalid steps\.0: `pipeline\[0\]`.*inputs.*Keep/)],
    ],
    [
      "a map of nothing",
      [{ id: "a", map: [1] }],
      [expect.stringMatching(/^pipeline-invalid steps\.0: `pipeline\[0\]`.*prompt.*steps/)],
    ],
    [
      "a map with a name that is taken",
      [{ ...scan, map: [1], as: "steps" }],
      [
        expect.stringMatching(
          /^pipeline-invalid steps\.0\.as: `pipeline\[0\]\.as`.*letters.*digits.*inputs, steps, task, variables, index, round, previous.?$/,
        ),
      ],
    ],
    [
      "a loop without a cap",
      [{ id: "a", loop: { until: "true" }, steps: [scan] }],
      [expect.stringMatching(/^pipeline-unbounded steps\.0\.loop.*1000/)],
    ],
    [
      "a cap that is none",
      [{ id: "a", loop: { until: "true", max: 0 }, steps: [scan] }],
      [expect.stringMatching(/^pipeline-unbounded steps\.0\.loop\.max.*1000/)],
    ],
    [
      "two steps of one id, one of them inside of another",
      [scan, { id: "p", parallel: [scan] }],
      [expect.stringMatching(/^pipeline-duplicate steps\.1\.parallel\.0\.id.*`scan`.*`steps\.scan`/)],
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
      [expect.stringMatching(/^pipeline-agent steps\.0\.agent: `guide`.*mode.*self.*headless/)],
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
      [expect.stringMatching(/^pipeline-name steps\.0\.prompt "steps\.scan".*`scan`.*later.*result/)],
    ],
    [
      "the step itself",
      [work("{{ steps.work.output }}")],
      [expect.stringMatching(/^pipeline-name steps\.0\.prompt "steps\.work": `steps\.work`.*step.*result/)],
    ],
    [
      "a step beside it",
      [{ id: "p", parallel: [scan, work("{{ steps.scan.output }}")] }],
      [
        expect.stringMatching(
          /^pipeline-name steps\.0\.parallel\.1\.prompt "steps\.scan": `scan`.*time.*result/,
        ),
      ],
    ],
    [
      "a step inside of a map",
      [{ id: "all", map: [1], steps: [scan] }, work("{{ steps.scan.output }}")],
      [
        expect.stringMatching(
          /^pipeline-name steps\.1\.prompt "steps\.scan": `scan`.*inside.*`all`.*outside.*`steps\.all`.?$/,
        ),
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
        expect.stringMatching(
          /^pipeline-type steps\.1\.prompt "steps\.scan\.value\.files\.path": `steps\.scan\.value\.files`.*list.*items.*`path`\. Use `map`, or `steps\.scan\.value\.files\[0\]\.path`.?$/,
        ),
      ],
    ],
    [
      "a key that is a method",
      [scan, work("{{ steps.scan.value.items }}")],
      [
        expect.stringMatching(
          /^pipeline-name steps\.1\.prompt "steps\.scan\.value\.items": `steps\.scan\.value\.items`.*method.*`steps\.scan\.value\["items"\]`.?$/,
        ),
      ],
    ],
    [
      "the value of an agent that gives none",
      [{ ...work("x"), id: "say" }, work("{{ steps.say.value }}")],
      [
        expect.stringMatching(
          /^pipeline-type steps\.1\.prompt "steps\.say\.value": `steps\.say`.*output.*schema.*`steps\.say\.output`.?$/,
        ),
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
        expect.stringMatching(
          /^pipeline-type steps\.1\.inputs\.paths\.0: By the inputs of `listing`, this.*text.*a number.?$/,
        ),
        expect.stringMatching(
          /^pipeline-type steps\.1\.inputs\.paths\.1: By the inputs of `listing`, this.*text.*a number.?$/,
        ),
        "pipeline-type steps.2.inputs.depth: By the inputs of `listing`, this must be a number, but it is a list.",
        "pipeline-type steps.2.inputs.paths: By the inputs of `listing`, this must be a list, but it is null.",
      ],
    ],
    [
      "a text where another pipeline takes an object",
      [{ id: "sub", agent: "listing", prompt: "Look at {{ task }}." }],
      [
        expect.stringMatching(
          /^pipeline-type steps\.0\.prompt: `listing`.*a JSON object \{depth: number, paths: string\[\]\}.*inputs.*instead/,
        ),
      ],
    ],
    [
      "variables that an agent does not let its callers set",
      [{ ...work("x"), agent: "settable", variables: { levle: 1 } }],
      [
        expect.stringMatching(
          /^pipeline-name steps\.0\.variables\.levle: `settable`.*callers.*`levle` \(`callVariables`\).*"level".*level.?$/,
        ),
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
        expect.stringMatching(
          /^pipeline-type steps\.1.*pipeline.*`work`.*but its `output` schema requires an object.*Define.*`outputs`.?$/,
        ),
      ],
      { result: { type: "object" } },
    ],
    [
      "a last step that gives another value than its output schema asks for",
      [{ ...scan, map: [1] }],
      [
        expect.stringMatching(
          /^pipeline-type steps\.0.*pipeline.*`scan`.*a list, but its `output` schema requires an object.*Define.*`outputs`.?$/,
        ),
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
      [expect.stringMatching(/^pipeline-wait steps\.0\.wait.*4000.*3600/)],
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
    expect(linesOf(both)).toEqual([expect.stringMatching(/^pipeline-invalid steps.*exclude/)])
  })

  test("a pipeline may not hand work to itself, unless it says so", () => {
    const own = pipeline([{ ...scan, agent: "tested" }])
    const known = (agent: Agent) => createAgentList([agent, scanner])
    expect(checkPipeline(own, known(own)).map(({ message }) => message)).toEqual([
      expect.stringMatching(/recursive.*allow/),
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
      list.map((agent) =>
        checkPipeline(agent, createAgentList([...list, scanner])).map(({ message }) => message),
      )
    const told = (way: string) => naming("pipelines", "the depth limit", `${way}`)
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
      /^Pipeline "bad": `inputs\.depth`.*default.*type.*integer.?$/,
    )
    expect(() =>
      definePipeline({ name: "bad", inputs: { goal: "text" }, steps: [{ id: "nap", wait: 1 }] }),
    ).toThrow(/^Pipeline "bad": `inputs\.goal`.*string, number, integer, boolean, object, array.*optional/)
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
