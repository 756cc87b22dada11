import { describe, expect, test } from "vitest"
import { defineAgent } from "../../src/agent/agent.ts"
import type { PipelineStep } from "../../src/agent/pipeline.ts"
import { createRuntime, type RuntimeOptions } from "../../src/assembly/create-runtime.ts"
import { definePipeline } from "../../src/definitions/pipelines/define.ts"
import type { Hook } from "../../src/run/ports/hook.ts"
import type { HookMoment } from "../../src/run/ports/hooked-moment.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { expectSound, recorded, sleep, stateOf } from "../kit.ts"
import { naming } from "../naming.ts"
import { type Answering, later, pipelineWorld, plain, treeOf, typed } from "./pipeline-kit.ts"

type Steps = readonly PipelineStep[]

const echo: Answering = (agent, task) => ({ text: `${agent} did ${task}` })

describe("steps", () => {
  test("a sequence hands what each step gave to the next, filled in once", async () => {
    const { run, store } = pipelineWorld({
      pipeline: {
        inputs: { goal: "string" },
        steps: [
          { id: "plan", agent: "planner", prompt: "Plan {{ inputs.goal }}" },
          {
            id: "do",
            agent: "worker",
            prompt: "{{ steps.plan.output }} / {{ steps.plan.value.parts | join('+') }}",
          },
        ],
      },
      agents: [typed("planner", { parts: { type: "array", items: { type: "string" } } }), plain("worker")],
      answers: (agent, task) =>
        agent === "planner" ? { value: { parts: ["{{ inputs.goal }}", "b"] } } : { text: `done: ${task}` },
    })
    const handle = run("the moon")
    const result = await handle.done
    expect([result.outcome, result.output]).toEqual([
      { type: "completed" },
      'done: {"parts":["{{ inputs.goal }}","b"]} / {{ inputs.goal }}+b',
    ])
    expect(await treeOf(store, handle.id)).toEqual([
      '  planner (agent): Plan the moon -> completed: {"parts":["{{ inputs.goal }}","b"]}',
      '  worker (agent): {"parts":["{{ inputs.goal }}","b"]} / {{ inputs.goal }}+b -> completed: done: {"parts":["{{ inputs.goal }}","b"]} / {{ inputs.goal }}+b',
      'flow (pipeline): the moon -> completed: done: {"parts":["{{ inputs.goal }}","b"]} / {{ inputs.goal }}+b',
    ])
    await expectSound(store, handle.id)
  })

  test("parallel steps run at once, and their results are found by id whichever ends first", async () => {
    let most = 0
    let now = 0
    const { run } = pipelineWorld({
      pipeline: {
        steps: [
          {
            id: "both",
            parallel: [
              { id: "slow", agent: "worker", prompt: "slow" },
              { id: "fast", agent: "worker", prompt: "fast" },
            ],
          },
          { id: "end", agent: "worker", prompt: "{{ steps.slow.output }}, {{ steps.both.value.fast }}" },
        ],
        outputs: { both: "{{ steps.both.value }}", end: "{{ steps.end.output }}" },
      },
      answers: async (_, task) => {
        most = Math.max(most, ++now)
        const answer = await later(task === "slow" ? 60 : 5, { text: `did ${task}` })
        now--
        return answer
      },
    })
    const result = await run().done
    expect([most, result.value]).toEqual([
      2,
      { both: { slow: "did slow", fast: "did fast" }, end: "did did slow, did fast" },
    ])
  })

  test("a map gives its results in the order of the list, works on so many items at once, and takes steps", async () => {
    let most = 0
    let now = 0
    const { run, asked } = pipelineWorld({
      pipeline: {
        inputs: { paths: "string[]" },
        steps: [
          {
            id: "each",
            map: "inputs.paths",
            as: "path",
            at_once: 2,
            steps: [
              { id: "read", agent: "worker", prompt: "{{ index }} {{ path }}" },
              { id: "sum", agent: "worker", prompt: "sum {{ steps.read.output }}" },
            ],
          },
        ],
      },
      answers: async (_, task) => {
        most = Math.max(most, ++now)
        const answer = await later(task.includes("a") ? 40 : 5, { text: `<${task}>` })
        now--
        return answer
      },
    })
    const result = await run(JSON.stringify({ paths: ["a", "b", "c", "d"] })).done
    expect([most, result.value, asked.length]).toEqual([
      2,
      ["<sum <0 a>>", "<sum <1 b>>", "<sum <2 c>>", "<sum <3 d>>"],
      8,
    ])
  })

  test("an empty list maps to an empty result, and nobody is asked", async () => {
    const { run, asked } = pipelineWorld({
      pipeline: {
        inputs: { paths: "string[]" },
        steps: [{ id: "each", map: "inputs.paths", agent: "worker", prompt: "{{ item }}" }],
        outputs: { all: "{{ steps.each.value }}", count: "{{ steps.each.value | length }}" },
      },
      answers: echo,
    })
    const result = await run('{"paths": []}').done
    expect([result.outcome, result.value, asked]).toEqual([{ type: "completed" }, { all: [], count: 0 }, []])
  })

  test("a loop goes round until its condition holds, and sees the round before", async () => {
    const { run, asked } = pipelineWorld({
      pipeline: {
        steps: [
          {
            id: "mend",
            loop: { until: "steps.look.value.left == 0", max: 5 },
            steps: [
              { id: "fix", agent: "worker", prompt: "{{ round }}, before: {{ previous.look.output }}" },
              { id: "look", agent: "judge", prompt: "{{ steps.fix.output }}" },
            ],
          },
        ],
        outputs: { rounds: "{{ steps.mend.rounds }}", last: "{{ steps.mend.value }}" },
      },
      agents: [plain("worker"), typed("judge", { left: { type: "integer" } })],
      answers: (agent, task) =>
        agent === "judge" ? { value: { left: 3 - Number(/^\d/.exec(task)![0]) } } : { text: task },
    })
    expect((await run().done).value).toEqual({ rounds: 3, last: { left: 0 } })
    expect(asked.filter((task) => task.startsWith("worker"))).toEqual([
      "worker: 1, before: ",
      'worker: 2, before: {"left":2}',
      'worker: 3, before: {"left":1}',
    ])
  })

  test("a cap that is reached is an outcome that says so, and what was there by then is kept", async () => {
    const pipeline = {
      steps: [
        {
          id: "mend",
          loop: { until: "'fine' in steps.fix.output", max: 2 },
          steps: [{ id: "fix", agent: "worker", prompt: "round {{ round }}" }],
        },
        { id: "after", agent: "worker", prompt: "{{ steps.mend.outcome }}, {{ steps.mend.output }}" },
      ],
    } as const
    const { run } = pipelineWorld({ pipeline, answers: echo })
    const result = await run().done
    expect(result.outcome).toEqual({
      type: "loop",
      reason: expect.stringMatching(/^step mend: .*2 rounds.*`'fine' in steps\.fix\.output`/),
    })
    const [mend, last] = pipeline.steps
    const lenient = pipelineWorld({
      pipeline: { steps: [{ ...mend, on_error: "continue" }, last] },
      answers: echo,
    })
    expect((await lenient.run().done).output).toBe("worker did loop, worker did round 2")
  })

  test("a step is skipped where its condition does not hold, and leaves an empty result", async () => {
    const { run, asked } = pipelineWorld({
      pipeline: {
        inputs: { deep: "boolean" },
        steps: [
          { id: "quick", agent: "worker", prompt: "quick" },
          { id: "deep", agent: "worker", prompt: "deep", when: "inputs.deep" },
        ],
        outputs: { deep: "{{ steps.deep.outcome }}", text: "[{{ steps.deep.output }}]" },
      },
      answers: echo,
    })
    expect((await run('{"deep": false}').done).value).toEqual({ deep: "skipped", text: "[]" })
    expect((await run('{"deep": true}').done).value).toEqual({ deep: "completed", text: "[worker did deep]" })
    expect(asked).toEqual(["worker: quick", "worker: quick", "worker: deep"])
  })

  test("without outputs it gives what the last step gave that had something to do", async () => {
    const { run } = pipelineWorld({
      pipeline: {
        inputs: { any: "boolean" },
        steps: [
          { id: "one", agent: "worker", prompt: "one", when: "inputs.any" },
          { id: "nap", wait: 1 },
        ],
      },
      answers: echo,
    })
    expect((await run('{"any": true}').done).output).toBe("worker did one")
    const nothing = await run('{"any": false}').done
    expect([nothing.outcome, nothing.output]).toEqual([{ type: "completed" }, "No step has any output."])
  })

  test("an approval rests the tree; a no ends the run as denied, and names the step", async () => {
    const { run, runtime, asked } = pipelineWorld({
      pipeline: {
        steps: [
          { id: "build", agent: "worker", prompt: "build" },
          { id: "gate", approval: "Ship {{ steps.build.output }}?" },
          { id: "ship", agent: "worker", prompt: "ship, {{ steps.gate.output }}" },
        ],
      },
      answers: echo,
    })
    const first = await run().done
    expect([first.status, first.approvals]).toEqual([
      "resting",
      [
        {
          run: first.run,
          call: "c2",
          tool: "approval",
          arguments: '{"message":"Ship worker did build?"}',
          way: [{ run: first.run, agent: "flow", task: "go" }],
        },
      ],
    ])
    await runtime.approve(first.run, "c2", "allow", "carefully")
    expect((await runtime.resume(first.run).done).output).toBe("worker did ship, carefully")
    const second = await run().done
    await runtime.approve(second.run, "c2", "deny", "not on a Friday")
    expect((await runtime.resume(second.run).done).outcome).toEqual({
      type: "denied",
      reason: "step gate: Not permitted: not on a Friday",
    })
    expect(asked).toEqual(["worker: build", "worker: ship, carefully", "worker: build"])
  })

  test("an approval that nobody gives in time is a no", async () => {
    const { run, runtime } = pipelineWorld({
      pipeline: { steps: [{ id: "gate", approval: "Now?", timeout: 20 }] },
      answers: echo,
    })
    const { run: id } = await run().done
    await sleep(30)
    expect((await runtime.resume(id).done).outcome).toEqual({
      type: "denied",
      reason: expect.stringMatching(/^step gate.*permitted/),
    })
  })

  test("while one branch waits for a person, the others go on", async () => {
    const { run, runtime, asked } = pipelineWorld({
      pipeline: {
        steps: [
          {
            id: "all",
            parallel: [
              { id: "gate", approval: "Go?" },
              {
                id: "many",
                map: [1, 2],
                steps: [
                  { id: "a", agent: "worker", prompt: "a{{ item }}" },
                  { id: "b", agent: "worker", prompt: "b{{ item }}" },
                ],
              },
              { id: "nap", wait: 30 },
            ],
          },
        ],
      },
      answers: echo,
    })
    const first = await run().done
    expect([first.status, [...asked].sort()]).toEqual([
      "resting",
      ["worker: a1", "worker: a2", "worker: b1", "worker: b2"],
    ])
    await runtime.approve(first.run, "c1", "allow")
    expect((await runtime.resume(first.run).done).value).toEqual({
      gate: "Approved.",
      many: ["worker did b1", "worker did b2"],
      nap: "",
    })
  })

  test("a wait holds no slot", async () => {
    const { run } = pipelineWorld({
      pipeline: {
        limits: { maxConcurrency: 1 },
        steps: [
          {
            id: "all",
            parallel: [
              { id: "nap", wait: 60 },
              { id: "work", agent: "worker", prompt: "meanwhile" },
            ],
          },
        ],
      },
      answers: echo,
    })
    const result = await run().done
    expect([result.value, result.proof.activeMs >= 60]).toEqual([
      { nap: "", work: "worker did meanwhile" },
      true,
    ])
  })
})

describe("failure", () => {
  const failing: Answering = (_, task) =>
    /^bad/.test(task) ? { fails: `no ${task}` } : { text: `did ${task}` }

  test("a step that fails ends the pipeline with its name, its agent and how its run ended; nothing after it starts", async () => {
    const { run, asked } = pipelineWorld({
      pipeline: {
        steps: [
          { id: "one", agent: "worker", prompt: "one" },
          { id: "two", agent: "worker", prompt: "bad" },
          { id: "three", agent: "worker", prompt: "three" },
        ],
      },
      answers: failing,
    })
    const { outcome, output, run: id } = await run().done
    expect([outcome, JSON.parse(output), asked]).toEqual([
      { type: "failed", reason: `step two (agent worker, run ${id}.2): no bad` },
      { one: "did one", two: null },
      ["worker: one", "worker: bad"],
    ])
  })

  test("with on_error: continue the pipeline goes on, and sees what went wrong", async () => {
    const { run } = pipelineWorld({
      pipeline: {
        steps: [
          { id: "try", agent: "worker", prompt: "bad", on_error: "continue" },
          { id: "then", agent: "worker", prompt: "{{ steps.try.outcome }}: {{ steps.try.error }}" },
        ],
      },
      answers: failing,
    })
    expect((await run().done).output).toBe("did failed: no bad")
  })

  test.each([
    [
      "map",
      { id: "all", map: ["a", "bad 1", "c", "bad 2"], at_once: 2, agent: "worker", prompt: "{{ item }}" },
    ],
    [
      "parallel",
      {
        id: "all",
        parallel: ["a", "bad 1", "c", "bad 2"].map((prompt, index) => ({
          id: `s${index}`,
          agent: "worker",
          prompt,
        })),
      },
    ],
  ] as const)("one that fails in a %s stops no other, and what they gave is not lost", async (kind, step) => {
    const { run, asked } = pipelineWorld({ pipeline: { steps: [step] }, answers: failing })
    const failed = await run().done
    const key = kind === "map" ? "all[1]" : "s1"
    const values =
      kind === "map" ? ["did a", null, "did c", null] : { s0: "did a", s1: null, s2: "did c", s3: null }
    expect([failed.outcome, JSON.parse(failed.output).all, asked.length]).toEqual([
      {
        type: "failed",
        reason: expect.stringMatching(
          new RegExp(`^step ${key.replace("[", "\\[")} \\(agent worker, run .*\\): no bad 1$`),
        ),
      },
      values,
      4,
    ])
    const lenient = pipelineWorld({
      pipeline: {
        steps: [{ ...step, on_error: "continue" }],
        outputs: { value: "{{ steps.all.value }}", outcome: "{{ steps.all.outcome }}" },
      },
      answers: failing,
    })
    const result = await lenient.run().done
    expect([result.outcome, result.value]).toEqual([
      { type: "completed" },
      { value: values, outcome: "failed" },
    ])
  })

  test("what failed beside others is seen behind them where the pipeline goes on", async () => {
    const { run } = pipelineWorld({
      pipeline: {
        steps: [
          {
            id: "both",
            on_error: "continue",
            parallel: [
              { id: "fine", agent: "worker", prompt: "fine" },
              { id: "wrong", agent: "worker", prompt: "bad" },
            ],
          },
        ],
        outputs: {
          fine: "{{ steps.fine.output }}",
          wrong: "{{ steps.wrong.outcome }}: {{ steps.wrong.error }}",
        },
      },
      answers: failing,
    })
    expect((await run().done).value).toEqual({ fine: "did fine", wrong: "failed: no bad" })
  })

  test.each([
    ["`when`", { id: "s", agent: "worker", prompt: "x", when: "1 / 0" }, "step s: its `when` failed: "],
    ["`map`", { id: "s", map: "1 / 0", agent: "worker", prompt: "x" }, "step s: its `map` failed: "],
    [
      "a map that is no list",
      { id: "s", map: "variables.list", agent: "worker", prompt: "x" },
      "step s: its `map` is null",
    ],
    ["a template", { id: "s", agent: "worker", prompt: "{{ variables.a.b.c }}" }, "could not be filled in: "],
    [
      "`until`",
      { id: "s", loop: { until: "1 / 0", max: 2 }, steps: [{ id: "t", wait: 1 }] },
      "step s: its `until` failed: ",
    ],
  ] as const)("%s that cannot be worked out fails its step", async (_, step, reason) => {
    const { run } = pipelineWorld({ pipeline: { steps: [step] }, answers: echo })
    const { outcome } = await run().done
    expect(outcome).toEqual({ type: "failed", reason: expect.stringContaining(reason) })
  })

  test("what does not fit its output schema fails the pipeline, and says what is wrong", async () => {
    const { run } = pipelineWorld({
      pipeline: {
        result: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
        steps: [{ id: "one", agent: "worker", prompt: "one" }],
        outputs: { n: "{{ steps.one.output | trim }}" },
      },
      answers: echo,
    })
    const { outcome, output } = await run().done
    expect([outcome, output]).toEqual([
      {
        type: "failed",
        reason: expect.stringMatching(/`output` schema: n: /),
      },
      '{"n":"worker did one"}',
    ])
  })

  test("an agent's fallback takes over before the step has failed", async () => {
    const first = defineAgent({ name: "first", instructions: "x", fallback: ["worker"] })
    const { run } = pipelineWorld({
      pipeline: { steps: [{ id: "one", agent: "first", prompt: "one" }] },
      agents: [first, plain("worker")],
      answers: (agent) => (agent === "first" ? { fails: "cannot" } : { text: "I can" }),
    })
    expect((await run().done).output).toBe("I can")
  })

  test("a step has the model and the variables it is given, filled in", async () => {
    const said = scriptedModel({ worker: [{ text: "done" }] })
    const { run, store } = pipelineWorld({
      pipeline: {
        steps: [
          { id: "one", agent: "worker", prompt: "one" },
          {
            id: "two",
            agent: "worker",
            prompt: "two",
            model: "other",
            variables: { level: "{{ task | length }}", note: "after {{ steps.one.output }}" },
          },
        ],
      },
      agents: [defineAgent({ name: "worker", instructions: "x", callVariables: ["level", "note"] })],
      answers: echo,
      options: { models: { test: said, other: said }, model: "test" },
    })
    const { id, done } = run("go on")
    expect((await done).outcome).toEqual({ type: "completed" })
    const started = await Promise.all([`${id}.1`, `${id}.2`].map((child) => stateOf(store, child)))
    expect(started.map(({ start }) => [start!.model.requested, start!.variables])).toEqual([
      [null, {}],
      ["other", { level: 5, note: "after done" }],
    ])
  })

  test("a step has the time it is given", async () => {
    const { run } = pipelineWorld({
      pipeline: { steps: [{ id: "one", agent: "worker", prompt: "one", timeout: 40 }] },
      answers: () => later(60_000, { text: "late" }),
    })
    const { outcome } = await run().done
    expect(outcome).toEqual({
      type: "failed",
      reason: expect.stringMatching(/^step one \(agent worker, run .*\): timed out$/),
    })
  })
})

describe("as an agent", () => {
  test("a model calls it by name and is told what its task must be; a wrong one starts nothing", async () => {
    const offered: string[] = []
    const flow = definePipeline({
      name: "flow",
      description: "Reviews files.",
      inputs: { paths: "string[]", goal: "string?" },
      steps: [{ id: "all", map: "inputs.paths", agent: "worker", prompt: "{{ item }}" }],
    })
    const replies = [
      { tool: "Agent", input: { agent: "flow", prompt: "just text" } },
      { tool: "Agent", input: { agent: "flow", prompt: '{"paths": ["a", "b"]}' } },
    ]
    const { runtime, store } = pipelineWorld({
      pipeline: { name: "unused", steps: [{ id: "nap", wait: 1 }] },
      agents: [flow, plain("worker"), plain("lead")],
      answers: echo,
      options: {
        layers: {
          model: [
            async (request, next) => {
              if (request.agent !== "lead") return next(request)
              offered.push(
                request.tools
                  .find(({ name }) => name === "Agent")!
                  .description.split("\n")
                  .find((line) => line.startsWith("- flow"))!,
              )
              const made = replies[request.turn - 1]
              const usage = { inputTokens: 1, outputTokens: 1 }
              if (!made) return { text: [...request.messages].at(-1)!.text, calls: [], usage, stop: "end" }
              return {
                text: "",
                calls: [{ wire: "w", tool: made.tool, arguments: JSON.stringify(made.input) }],
                usage,
                stop: "calls",
              }
            },
          ],
        },
      },
    })
    const handle = runtime.run("lead", "go")
    const { output } = await handle.done
    expect(offered[0]).toBe(
      "- flow: Reviews files. (Its prompt is a JSON object {paths: string[], goal?: string}.)",
    )
    expect(output).toContain('["worker did a","worker did b"]')
    const tree = await treeOf(store, handle.id)
    expect(tree.filter((line) => !line.startsWith("lead"))).toEqual([
      "    worker (agent): a -> completed: worker did a",
      "    worker (agent): b -> completed: worker did b",
      '  flow (pipeline): {"paths": ["a", "b"]} -> completed: ["worker did a","worker did b"]',
    ])
  })

  test("one pipeline hands typed inputs to another, and gets its value", async () => {
    const inner = definePipeline({
      name: "inner",
      inputs: { parts: "string[]", loud: { type: "boolean", default: false } },
      result: { type: "object", properties: { joined: { type: "string" } } },
      steps: [{ id: "one", agent: "worker", prompt: "{{ inputs.parts | join('-') }} {{ inputs.loud }}" }],
      outputs: { joined: "{{ steps.one.output }}" },
    })
    const { run } = pipelineWorld({
      pipeline: {
        steps: [
          { id: "sub", agent: "inner", inputs: { parts: ["{{ task }}", "b"] } },
          { id: "end", agent: "worker", prompt: "{{ steps.sub.value.joined }}" },
        ],
      },
      agents: [inner, plain("worker")],
      answers: (_, task) => ({ text: `<${task}>` }),
    })
    expect((await run("a").done).output).toBe("<<a-b False>>")
  })

  test.each([
    ["no object", "text", expect.stringMatching(/"flow".*a JSON object.*a JSON object.*\{goal/)],
    [
      "an unknown name",
      '{"gaol": "x"}',
      'there is no input "gaol". Did you mean "goal"? Known: goal, paths.',
    ],
    ["a value of a wrong type", '{"goal": "x", "paths": "y"}', 'Expected "array". The task must be'],
    ["one that is missing", '{"goal": "x"}', "paths"],
  ])("a task with %s starts nothing", async (_, task, message) => {
    const { run, store, asked } = pipelineWorld({
      pipeline: { inputs: { goal: "string", paths: "string[]" }, steps: [{ id: "nap", wait: 1 }] },
      answers: echo,
    })
    const failure = await run(task).done.catch((error) => error)
    expect([failure.code, failure.message]).toEqual(["INPUT_INVALID", naming(message)])
    expect(asked).toEqual([])
    for await (const head of store.list()) throw new Error(`there is a run ${head.run}`)
  })

  test.each([
    ["definePipeline", (steps: Steps) => definePipeline({ name: "flow", steps })],
    ["defineAgent", (steps: Steps) => defineAgent({ name: "flow", instructions: "", pipeline: { steps } })],
  ])("what is known to be wrong is told before a run starts, and no step runs (%s)", async (_, define) => {
    const { runtime, asked } = pipelineWorld({
      pipeline: { name: "fine", steps: [{ id: "nap", wait: 1 }] },
      answers: echo,
    })
    const refusal = {
      code: "AGENT_INVALID",
      message: expect.stringContaining("steps[1].agent: There is no agent `nobody`"),
    }
    const flow = define([
      { id: "one", agent: "worker", prompt: "x" },
      { id: "two", agent: "nobody", prompt: "x" },
    ])
    await expect(runtime.run(flow, "go").done).rejects.toMatchObject(refusal)
    const listed = createRuntime({ store: memoryStore(), agents: [flow, plain("worker")] })
    await expect(listed.run("flow", "go").done).rejects.toMatchObject(refusal)
    expect(asked).toEqual([])
  })

  test("it needs no model of its own", async () => {
    const runtime = createRuntime({
      store: memoryStore(),
      agents: [definePipeline({ name: "flow", steps: [{ id: "nap", wait: 1 }] })],
    })
    const result = await runtime.run("flow", "go").done
    expect([result.outcome, result.proof.model.resolved]).toEqual([{ type: "completed" }, "none"])
  })

  test("its result is recorded and used again like any other's", async () => {
    const { run, asked } = pipelineWorld({
      pipeline: { cache: true, steps: [{ id: "one", agent: "worker", prompt: "{{ task }}" }] },
      answers: echo,
    })
    const first = await run("x").done
    const second = await run("x").done
    expect([second.cached, second.output, asked]).toEqual([{ run: first.run }, first.output, ["worker: x"]])
  })

  test("what must hold at its end is checked, and nobody is told to mend it", async () => {
    const { run } = pipelineWorld({
      pipeline: {
        postconditions: [{ schema: { type: "object", required: ["n"] } }],
        steps: [{ id: "one", agent: "worker", prompt: "one" }],
        outputs: { m: 1 },
      },
      answers: echo,
    })
    const { outcome } = await run().done
    expect(outcome).toEqual({
      type: "failed",
      reason: expect.stringMatching(/^the postconditions do not hold: /),
    })
  })
})

describe("the bounds of the tree", () => {
  test("rounds that do nothing end, however they are nested", async () => {
    const idle = { id: "idle", agent: "worker", prompt: "x", when: "false" } as const
    const loop = (id: string, step: PipelineStep): PipelineStep => ({
      id,
      loop: { until: "false", max: 1_000 },
      on_error: "continue",
      steps: [step],
    })
    const { run, asked } = pipelineWorld({
      pipeline: { steps: [loop("a", loop("b", loop("c", loop("d", idle))))] },
      answers: echo,
    })
    const { outcome } = await run().done
    expect([outcome, asked]).toEqual([{ type: "completed" }, []])
  })

  const handing = (id: string) => ({ id, agent: "worker", prompt: id })
  const three = { steps: [{ id: "all", map: [1, 2, 3], agent: "worker", prompt: "{{ item }}" }] } as const

  test("runs that are known beforehand to be too many are refused before the first", async () => {
    const { run, asked } = pipelineWorld({ pipeline: { ...three, limits: { maxSpawns: 2 } }, answers: echo })
    await expect(run().done).rejects.toMatchObject({
      code: "LIMIT_INVALID",
      message: expect.stringMatching(
        /"flow" needs at least 3 subagent runs.*`maxSpawns` is 2\..*`maxSpawns` to 3/,
      ),
    })
    expect(asked).toEqual([])
  })

  test.each<[string, number, readonly PipelineStep[], object, number]>([
    ["steps one after the other", 1, [handing("a"), handing("b")], {}, 2],
    ["steps at once", 1, [{ id: "p", parallel: [handing("a"), handing("b")] }], {}, 2],
    [
      "a list of the inputs",
      2,
      [{ id: "m", map: "inputs.list", agent: "worker", prompt: "x" }],
      { list: [1, 2, 3] },
      3,
    ],
    ["steps for each item", 5, [{ id: "m", map: [1, 2, 3], steps: [handing("a"), handing("b")] }], {}, 6],
    [
      "the first round of a loop",
      1,
      [{ id: "l", loop: { until: "true", max: 9 }, steps: [handing("a"), handing("b")] }],
      {},
      2,
    ],
    [
      "a step whose condition holds",
      1,
      [handing("a"), { ...handing("b"), when: "inputs.list == None" }],
      { list: null },
      2,
    ],
  ])("counted beforehand: %s", async (_, maxSpawns, steps, inputs, needed) => {
    const pipeline = {
      inputs: { type: "object", properties: { list: {} } },
      steps,
      limits: { maxSpawns },
    } as const
    const { run, asked } = pipelineWorld({ pipeline, answers: echo })
    await expect(run(JSON.stringify(inputs)).done).rejects.toThrow(`needs at least ${needed} subagent runs`)
    expect(asked).toEqual([])
  })

  test.each<[string, readonly PipelineStep[]]>([
    ["a step that a result decides about", [handing("a"), { ...handing("b"), when: "steps.a.output == ''" }]],
    [
      "a list that a result gives",
      [
        handing("a"),
        { id: "m", map: "[1, 2] if steps.a.output == '' else []", agent: "worker", prompt: "x" },
      ],
    ],
    ["a step whose condition does not hold", [handing("a"), { ...handing("b"), when: "task == 'other'" }]],
  ])("not counted beforehand: %s", async (_, steps) => {
    const { run } = pipelineWorld({ pipeline: { steps, limits: { maxSpawns: 1 } }, answers: echo })
    expect((await run().done).outcome).toEqual({ type: "completed" })
  })

  test("a list that a step gives is counted before its first item begins, with the steps after it", async () => {
    const { run, asked } = pipelineWorld({
      pipeline: {
        steps: [
          handing("list"),
          { id: "all", map: "[1, 2, 3] if steps.list.output else []", agent: "worker", prompt: "{{ item }}" },
          handing("last"),
        ],
        limits: { maxSpawns: 4 },
      },
      answers: echo,
    })
    expect([(await run().done).outcome, asked.length]).toEqual([
      {
        type: "limit",
        limit: "spawns",
        reason: expect.stringMatching(/all.*3.*3.*1 more; of `maxSpawns: 4`, 3.*remain/),
      },
      1,
    ])
  })

  test("where nobody could count, the run that is one too many ends the pipeline as the limit", async () => {
    const { run, asked } = pipelineWorld({
      pipeline: {
        steps: [{ id: "l", loop: { until: "round == 5", max: 5 }, steps: [handing("a")] }],
        limits: { maxSpawns: 2 },
      },
      answers: echo,
    })
    const { outcome } = await run().done
    expect([outcome, asked.length]).toEqual([
      {
        type: "limit",
        limit: "spawns",
        reason: expect.stringMatching(/^step l\(3\)\.a.*higher/),
      },
      2,
    ])
  })

  test("tokens that are used up end it as that limit", async () => {
    const { run } = pipelineWorld({ pipeline: three, answers: echo, options: { limits: { maxTokens: 10 } } })
    expect((await run().done).outcome).toEqual({
      type: "limit",
      limit: "tokens",
      reason: expect.stringMatching(
        /^step all\[0\] \(agent worker, run .*\): it reached its limit of tokens$/,
      ),
    })
  })

  test("depth holds", async () => {
    const { run, asked } = pipelineWorld({
      pipeline: three,
      answers: echo,
      options: { limits: { maxDepth: 1 } },
    })
    expect([(await run().done).outcome, asked.length]).toEqual([{ type: "completed" }, 3])
    const deep = pipelineWorld({ pipeline: three, answers: echo, options: { limits: { maxDepth: 1 } } })
    const result = await deep.runtime.run("flow", "go", { depth: 1 }).done
    expect([result.outcome, deep.asked]).toEqual([
      {
        type: "failed",
        reason:
          "step all[0]: Maximum subagent nesting depth (1) reached. Cannot spawn 'worker' at depth 1. Finish with your own tools",
      },
      [],
    ])
  })

  test("calls are counted", async () => {
    const { run, asked } = pipelineWorld({
      pipeline: { ...three, limits: { maxToolCalls: 2 } },
      answers: echo,
    })
    expect([(await run().done).outcome, asked.length]).toEqual([{ type: "limit", limit: "tool-calls" }, 2])
  })

  test("a list of very many items is not planned beyond what there may be", async () => {
    const { run, store, asked } = pipelineWorld({
      pipeline: {
        inputs: { list: "integer[]" },
        limits: { maxToolCalls: 5, maxSpawns: 100_000 },
        steps: [{ id: "all", map: "inputs.list", agent: "worker", prompt: "{{ item }}" }],
      },
      answers: echo,
    })
    const handle = run(JSON.stringify({ list: Array(50_000).fill(1) }))
    expect((await handle.done).outcome).toEqual({ type: "limit", limit: "tool-calls" })
    expect([asked.length, (await stateOf(store, handle.id)).callCount]).toEqual([5, 6])
  })

  test("a deny rule on an agent holds, and the run ends as denied", async () => {
    const { run, asked } = pipelineWorld({
      pipeline: { steps: [{ id: "one", agent: "worker", prompt: "one" }] },
      answers: echo,
      options: { rules: [{ tool: "Agent(worker)", decision: "deny" }] },
    })
    expect([(await run().done).outcome, asked]).toEqual([
      {
        type: "denied",
        reason: expect.stringMatching(/^step one.*permitted.*Agent \(worker\).*the configuration/),
      },
      [],
    ])
  })

  test("an ask rule on an agent rests the tree", async () => {
    const { run, runtime } = pipelineWorld({
      pipeline: { steps: [{ id: "one", agent: "worker", prompt: "one" }] },
      answers: echo,
      options: { rules: [{ tool: "Agent(worker)", decision: "ask" }] },
    })
    const { run: id, approvals } = await run().done
    expect(approvals.map(({ tool }) => tool)).toEqual(["Agent"])
    await runtime.approve(id, approvals[0]!.call, "allow")
    expect((await runtime.resume(id).done).output).toBe("worker did one")
  })

  test("its children have no more tools than it has", async () => {
    const offered: (readonly string[])[] = []
    const { run } = pipelineWorld({
      pipeline: { tools: ["Agent"], steps: [{ id: "one", agent: "worker", prompt: "one" }] },
      answers: echo,
      options: {
        layers: {
          model: [(request, next) => (offered.push(request.tools.map(({ name }) => name)), next(request))],
        },
      },
    })
    await run().done
    expect(offered).toEqual([
      ["Agent", "AgentWait", "AgentStatus", "AgentCancel", "AgentSend", "AgentReport"],
    ])
  })

  test("a cancel reaches its children", async () => {
    const { run, store } = pipelineWorld({ pipeline: three, answers: () => later(60_000, { text: "late" }) })
    const handle = run()
    for (const child of [1, 2, 3]) await recorded(store, `${handle.id}.${child}`, "model-start")
    await handle.cancel("enough")
    await handle.done
    expect((await treeOf(store, handle.id)).map((line) => /-> ([^:]*)/.exec(line)![1])).toEqual(
      Array(4).fill("cancelled"),
    )
  })
})

describe("hooks", () => {
  const two = {
    steps: [
      { id: "one", agent: "worker", prompt: "one" },
      { id: "two", agent: "worker", prompt: "{{ steps.one.output }}" },
    ],
  } as const

  /** Its runs alone: those of its agents are judged like any other. */
  const ofFlow = (hook: Omit<Hook, "name" | "judge">): Partial<RuntimeOptions> => ({
    hooks: [
      {
        name: "watch",
        judge: async () => ({ type: "pass" }),
        ...hook,
        ...(hook.at && {
          at: Object.fromEntries(
            Object.entries(hook.at).map(([moment, ask]) => [
              moment,
              async (asked: HookMoment, ...rest: never[]) =>
                asked.agent === "flow" ? (ask as (...of: unknown[]) => unknown)(asked, ...rest) : undefined,
            ]),
          ) as NonNullable<Hook["at"]>,
        }),
      },
    ],
  })

  test("are asked at the moments that a run without a model has, and at no others", async () => {
    const seen: string[] = []
    const see = (moment: string) => async (asked: unknown) => {
      const { output = "" } = asked as { output?: string }
      seen.push(`${moment} ${output}`.trim())
      return undefined
    }
    const at = {
      run_start: see("start"),
      before_model: see("before"),
      after_model: see("after"),
      after_spawn: see("spawn"),
      stop: see("stop"),
      run_end: see("end"),
    }
    const { run } = pipelineWorld({ pipeline: two, answers: echo, options: ofFlow({ at }) })
    expect((await run().done).output).toBe("worker did worker did one")
    expect(seen).toEqual([
      "start",
      "spawn",
      "spawn",
      "stop worker did worker did one",
      "end worker did worker did one",
    ])
  })

  test("that object to its start have it denied before anything is planned", async () => {
    const { run, asked } = pipelineWorld({
      pipeline: two,
      answers: echo,
      options: ofFlow({ at: { run_start: async () => ({ type: "block", reason: "not today" }) } }),
    })
    const { outcome } = await run().done
    expect([outcome!.type, (outcome as { reason: string }).reason.includes("not today"), asked]).toEqual([
      "denied",
      true,
      [],
    ])
  })

  test("that object to its end are heard once: there is nobody to tell", async () => {
    let rounds = 0
    const { run, asked } = pipelineWorld({
      pipeline: two,
      answers: echo,
      options: ofFlow({ at: { stop: async () => (rounds++, { type: "block", reason: "do more" }) } }),
    })
    expect([(await run().done).output, rounds, asked.length]).toEqual(["worker did worker did one", 1, 2])
  })

  test("that want an agent first have it complete before the first step", async () => {
    const { run, asked } = pipelineWorld({
      pipeline: two,
      agents: [plain("worker"), plain("warden")],
      answers: echo,
      options: ofFlow({
        spawns: ["warden"],
        at: {
          run_start: async () => ({
            type: "pass",
            spawns: [{ agent: "warden", task: "look", mode: "before" }],
          }),
        },
      }),
    })
    expect([(await run().done).output, asked]).toEqual([
      "worker did worker did one",
      ["warden: look", "worker: one", "worker: worker did one"],
    ])
  })
})
