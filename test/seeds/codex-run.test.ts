/** What Codex's subagents (001) must do here: the rows about runs of its acceptance list. */
import { describe, expect, test } from "vitest"
import {
  createRuntime,
  defineAgent,
  defineTool,
  memoryStore,
  type RunEvent,
  scriptedModel,
} from "../../src/index.ts"
import { markdown, readFolder } from "./kit.ts"

describe("001 row 4: a tool that the list does not have", () => {
  test("is not executed, nobody is asked, the words are Codex's own, and the run goes on", async () => {
    let ran = 0
    const { registry } = readFolder("codex-md", { "a.md": markdown("name: abc\ntools: [Read]") })
    const named = (name: string) =>
      defineTool({
        name,
        description: name,
        effect: "opaque",
        input: { type: "object" },
        execute: () => `${++ran}`,
      })
    const store = memoryStore()
    const runtime = createRuntime({
      agents: registry,
      store,
      tools: [named("Read"), named("Bash")],
      rules: [{ tool: "Bash", decision: "ask" }],
      models: {
        m: scriptedModel({ abc: [{ calls: [{ tool: "Bash" }, { tool: "Read" }] }, { text: "went on" }] }),
      },
    })
    const { run, status, output, approvals, proof } = await runtime.run("abc", "go").done
    const reason = "Tool `Bash` is not allowed for subagent `abc`; denying request."
    const ends = (await eventsOf(runtime, run)).flatMap((event) =>
      event.type === "tool-end" ? [event.result] : [],
    )
    expect({ ran, status, output, approvals, denied: proof.denied, ends }).toEqual({
      ran: 1,
      status: "ended",
      output: "went on",
      approvals: [],
      denied: [{ call: "c1", tool: "Bash", reason, by: { type: "tools" } }],
      ends: [
        { status: "denied", text: reason },
        { status: "ok", text: "1" },
      ],
    })
  })

  // Architecture, "tools: []": grants nothing in every dialect, with a warning; Codex takes it for everything.
  test("an empty list grants nothing, and warns", () => {
    const { registry } = readFolder("codex-md", { "a.md": markdown("name: abc\ntools: []") })
    expect([
      registry.get("abc").tools,
      registry.diagnostics().map(({ code, severity }) => [code, severity]),
    ]).toEqual([{ mode: "list", allow: [], deny: [] }, [["tools-none", "warning"]]])
  })
})

describe("001 row 6: lifecycle", () => {
  test("a child's start, words and end come in order, named, and its duration can be read off", async () => {
    const runtime = createRuntime({
      agents: ["lead", "worker"].map((name) => defineAgent({ name, instructions: "x" })),
      store: memoryStore(),
      models: {
        m: scriptedModel({
          lead: [{ calls: [{ tool: "Agent", input: { agent: "worker", prompt: "x" } }] }, { text: "done" }],
          worker: [{ text: "worked", delayMs: 60 }],
        }),
      },
    })
    const handle = runtime.run("lead", "go")
    const seen: unknown[] = []
    let [started, ended] = [0, 0]
    for await (const event of handle) {
      if (event.type === "child-start") seen.push(["started", event.agent, event.child.slice(26), event.call])
      if (event.type === "text-delta" && event.run !== handle.id) seen.push(["said", event.text])
      if (event.type === "child-end") seen.push(["ended", event.child.slice(26), event.outcome.type])
      if (event.type === "run-start" && event.run !== handle.id) started = event.at
      if (event.type === "run-end" && event.run !== handle.id) ended = event.at
    }
    expect(seen).toEqual([
      ["started", "worker", ".1", "c1"],
      ["said", "worked"],
      ["ended", ".1", "completed"],
    ])
    expect(ended - started).toBeGreaterThanOrEqual(60)
  })

  test('a child cannot spawn, unless its list names the tool for it (architecture, "depth")', async () => {
    const { registry } = readFolder("codex-md", {
      "lead.md": markdown("name: lead"),
      "plain.md": markdown("name: plain"),
      "named.md": markdown("name: named\ntools: [Agent]"),
    })
    const offered: Record<string, readonly string[]> = {}
    const runtime = createRuntime({
      agents: registry,
      store: memoryStore(),
      models: {
        m: scriptedModel({
          lead: [
            {
              calls: ["plain", "named"].map((agent) => ({ tool: "Agent", input: { agent, prompt: "x" } })),
            },
            { text: "done" },
          ],
          plain: [{ calls: [{ tool: "Agent", input: { agent: "named", prompt: "x" } }] }, { text: "alone" }],
          named: [{ text: "done" }],
        }),
      },
      layers: {
        model: [
          (request, next) => {
            offered[request.agent] = request.tools.map(({ name }) => name).filter((name) => name === "Agent")
            return next(request)
          },
        ],
      },
    })
    const { run } = await runtime.run("lead", "go").done
    const runs: string[] = []
    for await (const head of runtime.list({ root: run })) runs.push(head.agent)
    expect({ offered, runs }).toEqual({
      offered: { lead: ["Agent"], plain: [], named: ["Agent"] },
      runs: ["lead", "plain", "named"],
    })
  })
})

async function eventsOf(
  runtime: ReturnType<typeof createRuntime>,
  run: string,
): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = []
  const stop = new AbortController()
  for await (const event of runtime.follow(run, stop.signal)) {
    events.push(event)
    if (event.run === run && event.type === "run-end") break
  }
  return events
}
