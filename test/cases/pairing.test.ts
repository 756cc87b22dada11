import fc from "fast-check"
import { afterEach, describe, expect, test } from "vitest"
import type { ScriptedAnswer, ServedRequest } from "../../src/faces/testing/model-server.ts"
import type { StoredEvent } from "../../src/run/log/store.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { storeWith } from "../crash/store-with.ts"
import { expectSound, results, sleep, tool } from "../kit.ts"
import { brokenHistories, client, closeServers, plain, protocols, requestOf, served } from "./support.ts"

afterEach(closeServers)

const use = (name: string, input = {}, id?: string) => ({
  tool: name,
  arguments: input,
  ...(id !== undefined && { id }),
})

describe.each(protocols)("a strict server of %s refuses nothing", (protocol) => {
  /** Everything a call can come to: run, fail, wait for a person, be handed on, be unknown, be no JSON. */
  const call = fc.constantFrom(
    use("work"),
    use("work", {}, "same"),
    use("fails", {}, ""),
    use("change", {}, "same"),
    use("nobody"),
    { tool: "work", arguments: '{"cut": "' },
    use("Agent", { agent: "leaf", prompt: "x" }),
    use("Agent", { agent: "leaf", prompt: "x", background: true }),
  )
  const turn = fc.record({ text: fc.constantFrom("", " ", "words"), calls: fc.array(call, { maxLength: 4 }) })

  test("47: any log, cut anywhere and resumed, goes on with a history in which each call has its result", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ lead: fc.array(turn, { maxLength: 3 }), leaf: fc.array(turn, { maxLength: 1 }) }),
        async (script) => {
          const recorded = recordingStore()
          const parts = {
            agents: [plain("lead"), plain("leaf")],
            tools: [tool("work"), tool("fails", () => Promise.reject(new Error("no"))), opaque],
            runtime: { rules: [{ tool: "change", decision: "ask" as const }], limits: { maxTurns: 8 } },
          }
          const answer = (request: ServedRequest) => nextTurn(request, script)
          const { runtime, problems, server } = await served(protocol, answer, {
            ...parts,
            store: recorded.store,
          })
          const root = runtime.run("lead", "go")
          await finish(runtime, root.id, root.done)
          const log = [...recorded.log]
          await Promise.all(
            log.map(async (_, index) => {
              const store = await storeWith(log.slice(0, index + 1), recorded.store)
              const later = await served(protocol, answer, { ...parts, store })
              await finish(later.runtime, root.id, later.runtime.resume(root.id).done)
              expect({ index, problems: later.problems() }).toEqual({ index, problems: [] })
              await expectSound(store, root.id)
            }),
          )
          expect(problems()).toEqual([])
          await server.close()
        },
      ),
      { numRuns: 8 },
    )
  })

  test.each<[string, readonly ScriptedAnswer[]]>([
    ["only white space", [{ text: " \n\t" }, { text: "done" }]],
    ["only thinking", [{ reasoning: "hm" }, { text: "done" }]],
    ["nothing at all", [{}, { text: "done" }]],
    ["an empty text", [{ text: "" }, { text: "done" }]],
    ["thinking and white space", [{ reasoning: "hm", text: " " }, { text: "done" }]],
    ["calls and white space", [{ text: " \n", calls: [use("work")] }, { text: "done" }]],
    ["calls and thinking", [{ reasoning: "hm", calls: [use("work")] }, {}, { text: "done" }]],
  ])("49: a turn of %s makes a valid next request", async (_, script) => {
    const { runtime, store, problems, server } = await served(protocol, script, { tools: [tool("work")] })
    const handle = runtime.run("a", "go")
    expect(await handle.done).toMatchObject({ outcome: { type: "completed" }, output: "done" })
    expect([server.requests.length, problems()]).toEqual([script.length, []])
    await expectSound(store, handle.id)
  })

  test("99: results that come in reverse are sent in the order of the calls", async () => {
    const names = ["slow", "middle", "fast"]
    const { runtime, store, server, problems } = await served(
      protocol,
      [{ calls: names.map((name) => use(name)) }, { text: "done" }],
      {
        tools: names.map((name, index) =>
          tool(name, () => sleep(40 - index * 20).then(() => `${name} result`)),
        ),
      },
    )
    const handle = runtime.run("a", "go")
    await handle.done
    const ended = recordedTypes(store, handle.id, "tool-end")
    expect(await ended).toEqual(["c3", "c2", "c1"])
    expect(await results(store, handle.id)).toEqual(names.map((name) => `${name} result`))
    const { text } = server.requests[1]!
    const places = names.map((name) => text.indexOf(`${name} result`))
    expect(places).toEqual([...places].sort((left, right) => left - right))
    expect(problems()).toEqual([])
  })
})

describe.each([["anthropic"]] as const)("a client of %s mends a history that is not sound", (protocol) => {
  test.each(brokenHistories())("%s: %s", async (_, __, histories) => {
    const { server, problems } = await served(protocol, () => ({ text: "fine" }))
    const model = client(protocol, server)
    for (const messages of histories) await model.stream(requestOf(messages), () => {})
    expect([server.requests.length, problems()]).toEqual([histories.length, []])
    for (const { text } of server.requests) expect(text).not.toContain("an orphan's words")
  })
})

const opaque = tool("change", () => "changed", { effect: "opaque" })

/** The turn that a request is for, told from what is in it: the agent's name and how often it has spoken. */
function nextTurn(
  { body }: ServedRequest,
  script: { readonly [agent: string]: readonly ScriptedAnswer[] },
): ScriptedAnswer {
  const agent = JSON.stringify(body).includes("You are leaf.") ? "leaf" : "lead"
  const spoken = (body.messages as { role: string }[]).filter(({ role }) => role === "assistant").length
  return script[agent]![spoken] ?? { text: "done" }
}

/** Approves whatever a run rests on, until it has ended. */
async function finish(
  runtime: Awaited<ReturnType<typeof served>>["runtime"],
  root: string,
  first: Promise<{ status: string; approvals: readonly { run: string; call: string }[] }>,
): Promise<void> {
  let result = await first
  while (result.status !== "ended") {
    for (const { run, call } of result.approvals) await runtime.approve(run, call, "allow")
    result = await runtime.resume(root).done
  }
}

/** A store, and what was recorded in it, in order over all runs. */
function recordingStore() {
  const inner = memoryStore()
  const log: StoredEvent[] = []
  const store: typeof inner = {
    ...inner,
    async create(event) {
      const answer = await inner.create(event)
      if (answer === "created") log.push(event)
      return answer
    },
    async append(claim, events, options) {
      const answer = await inner.append(claim, events, options)
      if (answer === "ok") log.push(...events)
      return answer
    },
  }
  return { store, log }
}

async function recordedTypes(
  store: ReturnType<typeof memoryStore>,
  run: string,
  type: string,
): Promise<readonly string[]> {
  const calls: string[] = []
  for await (const event of store.read(run))
    if (event.type === type) calls.push((event as unknown as { call: string }).call)
  return calls
}
