import { expect, test } from "vitest"
import type { Json } from "../../src/ground/message.ts"
import type { Store } from "../../src/run/log/store.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { orderedLog } from "../cases/support.ts"
import { expectSound, stateOf } from "../kit.ts"
import { call, workflowWorld } from "../run/workflow-kit.ts"
import { storeWith } from "./store-with.ts"

const workflow = (entry: Json): Json => ({
  variables: { passed: 0 },
  steps: [
    {
      name: "plan",
      on_enter: { set_variable: { begun: "{{ step }}" } },
      transitions: { to: "build", on_transition: { set_variable: { passed: "{{ vars.passed + 1 }}" } } },
    },
    { name: "build", on_enter: entry, transitions: { to: "end", when: 'tool_name == "Edit"' } },
    { name: "end", allowed_tools: [] },
  ],
})

const script: ModelScript = {
  lead: [{ text: "early" }, call("Read"), call("Edit"), call("Bash"), { text: "done" }, { text: "done" }],
  helper: [{ text: "report" }],
}

const open = (entry: Json, store?: Store) =>
  workflowWorld(script, {
    agents: [
      { name: "lead", instructions: "x", workflow: workflow(entry) },
      { name: "helper", instructions: "x" },
    ],
    ...(store && { store }),
  })

/** What may not change, wherever the process dies: where the run got to, what it was told, and who worked for it. */
async function findings(store: Store, run: string) {
  await expectSound(store, run)
  const lead = await stateOf(store, run)
  const log = await orderedLog(store, run)
  return {
    outcome: lead.end?.outcome,
    variables: lead.variables,
    step: [lead.step?.name, lead.step?.complete],
    texts: [...lead.messages].map(({ text }) => text).toSorted(),
    children: log.filter(({ type }) => type === "child-start").length,
  }
}

test.each<[string, Json, number]>([
  ["nobody", { inject_context: "Build now." }, 0],
  ["somebody first", { spawn_agent: { agent: "helper", prompt: "Look." } }, 1],
  ["somebody beside it", { spawn_agent: { agent: "helper", prompt: "Look.", mode: "background" } }, 1],
])(
  "a run in a workflow that spawns %s goes on in its step, wherever its log is cut off",
  async (_, entry, children) => {
    const { runtime, store } = open(entry)
    const { run } = await runtime.run("lead", "go").done
    const expected = await findings(store, run)
    expect(expected).toMatchObject({
      outcome: { type: "completed" },
      variables: { begun: "plan", passed: 1 },
      step: ["end", true],
      children,
    })
    const log = await orderedLog(store, run)
    for (let length = 1; length < log.length; length++) {
      const cut = await storeWith(log.slice(0, length), store)
      await open(entry, cut).runtime.resume(run).done
      expect({ length, ...(await findings(cut, run)) }).toEqual({ length, ...expected })
    }
  },
)

test("a command of a step runs once at most, and the step is taken all the same", async () => {
  const entry = { run: "notify" }
  const { runtime, store, ran } = open(entry)
  const { run } = await runtime.run("lead", "go").done
  const isCommand = (line: string) => line.includes("notify")
  expect(ran.filter(isCommand)).toHaveLength(1)
  const log = await orderedLog(store, run)
  const starts = log.findIndex(({ type }) => type === "hook-start")
  expect(starts).toBeGreaterThan(0)
  for (let length = 1; length < log.length; length++) {
    const cut = await storeWith(log.slice(0, length), store)
    const again = open(entry, cut)
    await again.runtime.resume(run).done
    const { step, variables } = await findings(cut, run)
    expect({ length, step, passed: variables.passed, ran: again.ran.filter(isCommand).length }).toEqual({
      length,
      step: ["end", true],
      passed: 1,
      ran: length <= starts ? 1 : 0,
    })
  }
})
