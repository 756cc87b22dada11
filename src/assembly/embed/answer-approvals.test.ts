import { expect, test } from "vitest"
import { tool, world } from "../../../test/kit.ts"
import { answerApprovals } from "./answer-approvals.ts"

const use = (...names: readonly string[]) => ({ calls: names.map((name) => ({ tool: name, input: {} })) })

function asking() {
  const ran: string[] = []
  const tools = ["first", "second", "third"].map((name) => tool(name, () => (ran.push(name) ? "ok" : "")))
  const { runtime } = world({
    script: { a: [use("first", "second"), use("third"), { text: "Done." }] },
    tools,
    runtime: { rules: tools.map(({ name }) => ({ tool: name, decision: "ask" as const })) },
  })
  return { runtime, ran }
}

test("every approval is decided once, and the run goes on to its end", async () => {
  const { runtime, ran } = asking()
  const asked: string[] = []
  const result = await answerApprovals(runtime, runtime.run("a", "go"), async ({ tool: name }) => {
    asked.push(name)
    return name === "second" ? { decision: "deny", note: "not this one" } : "allow"
  })
  expect({
    type: result.outcome?.type,
    asked,
    ran,
    denied: result.proof.denied.map(({ tool }) => tool),
  }).toEqual({
    type: "completed",
    asked: ["first", "second", "third"],
    ran: ["first", "third"],
    denied: ["second"],
  })
})

test("a run rests whose approvals are left", async () => {
  const { runtime, ran } = asking()
  const result = await answerApprovals(runtime, runtime.run("a", "go"), () => "leave")
  expect([result.status, result.approvals.length, ran]).toEqual(["resting", 2, []])
})

test("a decision that throws leaves the run resting", async () => {
  const { runtime } = asking()
  const run = runtime.run("a", "go")
  await expect(
    answerApprovals(runtime, run, () => {
      throw new Error("no answer")
    }),
  ).rejects.toThrow("no answer")
  expect((await runtime.read(run.id)).status).toBe("resting")
})

test("a resumed run keeps the type of its value, and a tool may return JSON", async () => {
  const { runtime } = world({
    script: { a: [use("count"), { text: "Done." }] },
    tools: [tool("count", () => ({ json: { items: [1, 2] } }))],
  })
  const run = runtime.run("a", "go")
  await run.done
  const events: string[] = []
  for await (const event of run) if (event.type === "tool-end") events.push(event.result.text)
  expect(events.map((text) => JSON.parse(text))).toEqual([{ items: [1, 2] }])
  const again: typeof run = runtime.resume(run)
  expect((await again.done).output).toBe("Done.")
})
