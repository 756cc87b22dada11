import { expect, test } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import { pipelinePlanner } from "../../src/world/planners/pipeline.ts"
import { results } from "../kit.ts"
import { around, short, start, use } from "./around-kit.ts"
import { pipelineWorld } from "./pipeline-kit.ts"

test("a message for a pipeline is refused, and whoever could read it is named", async () => {
  let begun!: () => void
  let answer!: () => void
  const isAsked = new Promise<void>((resolve) => {
    begun = resolve
  })
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const { run, runtime } = pipelineWorld({
    pipeline: { steps: [{ id: "one", agent: "worker", prompt: "one" }] },
    answers: async () => {
      begun()
      await isAnswered
      return { text: "done" }
    },
  })
  const handle = run()
  await isAsked
  await expect(runtime.send(handle.id, "Hurry.")).rejects.toMatchObject({
    code: "MESSAGE_REFUSED",
    message: expect.stringContaining(`${handle.id}.1 (worker)`),
  })
  expect(await runtime.send(`${handle.id}.1`, "Hurry.")).toBe("recorded")
  answer()
  expect((await handle.done).proof.undelivered).toEqual([])
})

test("a model that writes to a pipeline, from above or from below, is told that nobody reads it", async () => {
  const flow: AgentInput = {
    name: "flow",
    instructions: "",
    pipeline: {
      steps: [
        { id: "nap", wait: 100 },
        { id: "one", agent: "worker", prompt: "one" },
      ],
    },
  }
  const send = (to: string) => ({ calls: [use("AgentSend", { to, text: "hello" })] })
  const { runtime, store } = around(
    {
      lead: [{ calls: [start("flow")] }, send(".1"), { text: "done" }],
      worker: [send("parent"), { text: "done" }],
    },
    {
      agents: [flow, { name: "worker", instructions: "w" }, { name: "lead", instructions: "l" }],
      runtime: { planners: { pipeline: pipelinePlanner } },
    },
  )
  const handle = runtime.run("lead", "go")
  await handle.done
  const told = expect.stringMatching(/R\.1.*pipeline.*drives.*messages/)
  expect([
    short(await results(store, handle.id))[1],
    ...short(await results(store, `${handle.id}.1.1`)),
  ]).toEqual([told, told])
})
