import { afterEach, expect, test } from "vitest"
import type { ScriptedAnswer } from "../../src/faces/testing/model-server.ts"
import { results, tool } from "../kit.ts"
import { closeServers, plain, protocols, served } from "./support.ts"

afterEach(closeServers)

test("65: a provider that is overloaded for good ends the child as failed, its parent is told, and the work is kept", async () => {
  const overloaded: ScriptedAnswer = {
    fault: {
      type: "status",
      status: 529,
      error: { type: "overloaded_error", message: "Overloaded" },
      headers: { "retry-after": "0" },
    },
  }
  const ends = protocols.map(async (protocol) => {
    const { runtime, store, server, problems } = await served(
      protocol,
      ({ body, number }) => {
        if (!JSON.stringify(body).includes("You are child."))
          return number === 1
            ? { calls: [{ tool: "Agent", arguments: { agent: "child", prompt: "x" } }] }
            : { text: "done" }
        return number === 2 ? { text: "partial work", calls: [{ tool: "save", arguments: {} }] } : overloaded
      },
      { agents: [plain("lead"), plain("child")], tools: [tool("save")] },
    )
    const handle = runtime.run("lead", "go")
    const { outcome, output } = await handle.done
    const texts = await results(store, handle.id)
    return { outcome, output, texts, asked: server.requests.length, problems: problems() }
  })
  const expected = {
    outcome: { type: "completed" },
    output: "done",
    texts: [
      expect.stringMatching(/^The subagent did not complete: failed: .*529.*Overloaded.*\npartial work$/),
    ],
    // The lead twice, the child's good turn, and as many tries as one turn has.
    asked: 2 + 1 + 5,
    problems: [],
  }
  expect(await Promise.all(ends)).toEqual([expected, expected])
})
