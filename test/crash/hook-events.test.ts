import { expect, test } from "vitest"
import { hookSource } from "../../src/lifecycle/source.ts"
import type { Store } from "../../src/run/store.ts"
import { orderedLog } from "../cases/support.ts"
import { expectSound, stateOf, tool, world } from "../kit.ts"
import { storeWith } from "./store-with.ts"

const bash = (command: string) => ({ tool: "Bash", input: { command } })
const spawn = (mode: string) => ({
  before_tool: [
    {
      when: '"pytest" in command',
      set_variable: { delegated: "{{ command }}" },
      inject_context: "once",
      spawn_agent: { agent: "runner", prompt: "Run {{ command }}", mode },
    },
  ],
})

const open = (mode: string, store?: Store) =>
  world({
    script: {
      lead: [{ calls: [bash("pytest")] }, { text: "done" }, { text: "done" }],
      runner: [{ calls: [bash("pytest")] }, { text: "green" }],
    },
    tools: [tool("Bash", ({ command }) => `ran ${command}`)],
    runtime: { lifecycle: hookSource([{ name: "project", of: "project", hooks: spawn(mode) }]) },
    ...(store && { store }),
  })

/** What may not change, wherever the process dies: who ran what, and what came of it. */
async function findings(store: Store, run: string) {
  await expectSound(store, run)
  const [lead, runner] = await Promise.all([stateOf(store, run), stateOf(store, `${run}.1`)])
  const log = await orderedLog(store, run)
  return {
    outcome: lead.end?.outcome,
    variables: lead.variables,
    texts: [...lead.messages].map(({ text }) => text).toSorted(),
    below: runner.evidence.calls,
    children: log.filter(({ type }) => type === "child-start").length,
    verdicts: log.filter(({ type, run: of }) => type === "hook-end" && of === run).length,
  }
}

test.each(["replace", "before", "background"])(
  "a hook that spawns (%s) does so once, wherever its log is cut off",
  async (mode) => {
    const { runtime, store } = open(mode)
    const { run } = await runtime.run("lead", "go").done
    const expected = await findings(store, run)
    expect(expected).toMatchObject({
      outcome: { type: "completed" },
      variables: { delegated: "pytest" },
      below: { Bash: 1 },
      children: 1,
      verdicts: 1,
    })
    const log = await orderedLog(store, run)
    for (let length = 1; length < log.length; length++) {
      const cut = await storeWith(log.slice(0, length), store)
      await open(mode, cut).runtime.resume(run).done
      expect({ length, ...(await findings(cut, run)) }).toEqual({ length, ...expected })
    }
  },
  30_000,
)
