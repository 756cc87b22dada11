import { describe, expect, test } from "vitest"
import { defineAgent } from "../../src/agent/agent.ts"
import { results, world } from "../kit.ts"
import { naming } from "../naming.ts"

const agents = ["headless", "terminal", "embedded"].map((mode) => ({
  name: mode,
  instructions: "Work.",
  mode: mode as "headless",
}))

describe("modes", () => {
  test("headless is here", async () => {
    const { runtime } = world({ script: { headless: [{ text: "done" }] }, agents })
    expect((await runtime.run("headless", "go").done).outcome).toEqual({ type: "completed" })
  })

  test.each(["terminal", "embedded"])("%s is refused with the modes that work", async (mode) => {
    const { runtime } = world({ script: { [mode]: [{ text: "done" }] }, agents })
    await expect(runtime.run(mode, "go").done).rejects.toMatchObject({
      code: "MODE_REFUSED",
      message: naming(`"${mode}"`, "support", `${mode}\``),
    })
  })

  test("whoever hands work to one that is refused is told, and goes on", async () => {
    const { runtime, store } = world({
      script: {
        lead: [{ calls: [{ tool: "Agent", input: { agent: "terminal", prompt: "x" } }] }, { text: "alone" }],
      },
      agents: [{ name: "lead", instructions: "Lead." }, ...agents],
    })
    const handle = runtime.run("lead", "go")
    expect((await handle.done).output).toBe("alone")
    expect(await results(store, handle.id)).toEqual([
      expect.stringMatching(/^Cannot spawn 'terminal': Agent "terminal" cannot start: /),
    ])
  })

  test("a mode that nobody knows is refused where the agent is defined", () => {
    expect(() => defineAgent({ name: "a", instructions: "Work.", mode: "window" as never })).toThrow(
      'Agent "a": "mode" must be one of headless, terminal, embedded, self, but it is "window".',
    )
  })
})
