import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { describe, expect, test } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import type { Tool } from "../../src/agent/tool.ts"
import { createHookSource } from "../../src/definitions/lifecycle/source.ts"
import { faultyStore } from "../../src/faces/testing/faulty-store.ts"
import type { RunOptions } from "../../src/run/face/runtime.ts"
import type { ResultCache } from "../../src/run/ports/recorded-result.ts"
import { createMemoryCache } from "../../src/world/cache/memory-cache.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { agentControlTools } from "../../src/world/tools/subagents.ts"
import { collect, expectSound, stateOf, tool, world } from "../kit.ts"
import { cached, folder, isHit, type Setting, says, twice } from "./cache-kit.ts"

test("the second run is answered with the first one's result: a run of two events that costs nothing", async () => {
  const cache = createMemoryCache()
  const { runtime, store } = world({ script: says, agents: [cached], runtime: { cache } })
  const first = await runtime.run("a", "go").done
  expect(first.cached).toBeUndefined()
  const handle = runtime.run("a", "go")
  const events = await collect(handle)
  expect(events.map(({ type }) => type)).toEqual(["run-start", "run-end"])
  const { proof, ...result } = await handle.done
  expect(result).toEqual({
    run: handle.id,
    agent: "a",
    cached: { run: first.run },
    status: "ended",
    outcome: { type: "completed" },
    output: "the answer",
    approvals: [],
  })
  expect({ usage: proof.usage.inclusive, turns: proof.turns }).toEqual({ usage: {}, turns: 0 })
  expect((await stateOf(store, handle.id)).end?.cached).toEqual({ run: first.run })
})

test("a value comes back as it was handed in", async () => {
  const agents = [
    { ...cached, result: { type: "object", properties: { n: { type: "number" } } } },
  ] as readonly AgentInput[]
  const script = { a: [{ calls: [{ tool: "submit_result", input: { n: 7 } }] }] }
  const [first, second] = await twice({ agents, script })
  expect(second).toMatchObject({ cached: { run: first!.run }, value: { n: 7 }, output: '{"n":7}' })
})

describe("what is not the same is worked out", () => {
  const settings: Readonly<Record<string, { first?: Setting; second: Setting }>> = {
    "another task": { second: { task: "go elsewhere" } },
    "another definition": { second: { agents: [{ ...cached, instructions: "You are another a." }] } },
    "another tool": {
      first: { agents: [{ ...cached, tools: ["look"] }], tools: [tool("look")] },
      second: { agents: [{ ...cached, tools: ["look", "see"] }], tools: [tool("look"), tool("see")] },
    },
    "another variable": { second: { options: { variables: { language: "fr" } } } },
    "another model": {
      second: { options: { model: scriptedModel(says, "another") } },
    },
    "another folder": { second: { options: { cwd: os.tmpdir() } } },
    "other rights": { second: { runtime: { rules: [{ tool: "Read", decision: "deny" }] } } },
    "a hook more": {
      second: { runtime: { hooks: [{ name: "h", judge: async () => ({ type: "pass" }) }] } },
    },
    "another definition of those that it may call": {
      first: { agents: [cached, { name: "b", instructions: "You are b." }] },
      second: { agents: [cached, { name: "b", instructions: "You are another b." }] },
    },
    "no cache wanted": { second: { options: { cache: "skip" } } },
    "no cache in the definition": { first: { agents: [{ ...cached, cache: false }] }, second: {} },
  }
  for (const [name, { first = {}, second }] of Object.entries(settings))
    test(name, async () => {
      expect([await isHit(first, second), await isHit(first, first)]).toEqual([
        false,
        name !== "no cache in the definition",
      ])
    })
})

describe("inputs", () => {
  const inputs = (...patterns: readonly string[]) => [{ ...cached, cache: { inputs: patterns } }]
  const changes: Readonly<
    Record<string, { pattern: string; change: (folder: string) => void; hit: boolean }>
  > = {
    "a file that is named and changes": {
      pattern: "in.txt",
      change: (at) => fs.writeFileSync(path.join(at, "in.txt"), "two"),
      hit: false,
    },
    "a file that is named and is touched": {
      pattern: "./in.txt",
      change: (at) => fs.utimesSync(path.join(at, "in.txt"), 1, 1),
      hit: true,
    },
    "a file that was missing and is there": {
      pattern: "new.txt",
      change: (at) => fs.writeFileSync(path.join(at, "new.txt"), ""),
      hit: false,
    },
    "a file that is still missing": { pattern: "new.txt", change: () => {}, hit: true },
    "a file that is gone": {
      pattern: "in.txt",
      change: (at) => fs.rmSync(path.join(at, "in.txt")),
      hit: false,
    },
    "a new file that a pattern matches": {
      pattern: "**/*.txt",
      change: (at) => fs.writeFileSync(path.join(at, "sub", "new.txt"), ""),
      hit: false,
    },
    "a file that a pattern matches and that has another name": {
      pattern: "**/*.txt",
      change: (at) => fs.renameSync(path.join(at, "in.txt"), path.join(at, "out.txt")),
      hit: false,
    },
    "a file that no pattern matches": {
      pattern: "*.txt",
      change: (at) => fs.writeFileSync(path.join(at, "sub", "new.txt"), ""),
      hit: true,
    },
  }
  for (const [name, { pattern, change, hit }] of Object.entries(changes))
    test(name, async () => {
      const cwd = folder()
      fs.mkdirSync(path.join(cwd, "sub"))
      fs.writeFileSync(path.join(cwd, "in.txt"), "one")
      const cache = createMemoryCache()
      const setting = { agents: inputs(pattern), options: { cwd } }
      expect(await isHit(setting, setting, cache)).toBe(true)
      change(cwd)
      const [third] = await twice(setting, setting, cache)
      expect(third!.cached !== undefined).toBe(hit)
    })

  test("one that changes while the run is at work: its result is not kept", async () => {
    const cwd = folder()
    const file = path.join(cwd, "in.txt")
    fs.writeFileSync(file, "one")
    const setting = {
      agents: inputs("in.txt"),
      script: { a: [{ calls: [{ tool: "look" }] }, { text: "done" }] },
      tools: [tool("look", () => fs.appendFileSync(file, "more") ?? "ok")],
      options: { cwd },
    }
    expect(await isHit(setting)).toBe(false)
  })

  test("one that leads out of the folder: the run says that nothing is cached", async () => {
    const cwd = folder()
    fs.symlinkSync(os.tmpdir(), path.join(cwd, "link"))
    const [, second] = await twice({ agents: inputs("link/x"), options: { cwd } })
    expect(second!.cached).toBeUndefined()
    expect(second!.proof.warnings).toEqual([expect.stringMatching(/cache.*link\/x.*leads/)])
  })
})

describe("what a result does not stand for is not recorded", () => {
  const calling = (name: string, effect: Tool["effect"], execute?: () => unknown): Setting => ({
    script: { a: [{ calls: [{ tool: name }] }, { text: "done" }] },
    tools: [tool(name, execute, { effect })],
  })
  const below = (effect: Tool["effect"], mode: object = {}): Setting => ({
    agents: [cached, { name: "b", instructions: "You are b." }],
    script: {
      a: [
        { calls: [{ tool: "Agent", input: { agent: "b", prompt: "x", ...mode } }] },
        { text: "done" },
        { text: "done" },
      ],
      b: [{ calls: [{ tool: "act" }] }, { text: "report" }],
    },
    tools: [tool("act", undefined, { effect })],
  })
  const settings: Readonly<Record<string, { setting: Setting; hit: boolean }>> = {
    "a call that reads": { setting: calling("look", "read"), hit: true },
    "a call that failed": {
      setting: calling("look", "read", () => {
        throw new Error("no")
      }),
      hit: true,
    },
    "an opaque call": { setting: calling("act", "opaque"), hit: false },
    "a call that writes and can be repeated": { setting: calling("act", "idempotent"), hit: false },
    "a call with a key": { setting: calling("act", "keyed"), hit: false },
    "a child that reads": { setting: below("read"), hit: true },
    "a child in the background that reads": { setting: below("read", { background: true }), hit: true },
    "a child with an opaque call": { setting: below("opaque"), hit: false },
    "a child in the background with an opaque call": {
      setting: below("opaque", { background: true }),
      hit: false,
    },
    "a call that reads, under a hook with a command": {
      setting: {
        script: { a: [{ calls: [{ tool: "look" }] }, { text: "done" }] },
        tools: [
          tool("look", undefined, { effect: "read" }),
          tool("Bash", () => ({ text: "", evidence: { commands: [{ command: "x", exitCode: 0 }] } })),
        ],
        runtime: {
          lifecycle: createHookSource([{ name: "p", of: "project", hooks: { before_tool: { run: "x" } } }]),
        },
      },
      hit: false,
    },
    "a call that was denied, and one that was not": {
      setting: {
        script: { a: [{ calls: [{ tool: "look" }, { tool: "see" }] }, { text: "done" }] },
        tools: [tool("look"), tool("see")],
        runtime: { rules: [{ tool: "see", decision: "deny" }] },
      },
      hit: false,
    },
    "a run that failed": { setting: { script: { a: [{ error: { message: "500" } }] } }, hit: false },
    "a run without output": { setting: { script: { a: [{ text: "" }, { text: "" }] } }, hit: false },
    "a fork": {
      setting: {
        agents: [
          { ...cached, cache: false },
          { ...cached, name: "b", context: "fork" },
        ],
        script: {
          a: [{ calls: [{ tool: "Agent", input: { agent: "b", prompt: "x" } }] }, { text: "done" }],
          b: [{ text: "report" }, { text: "report" }],
        },
      },
      hit: false,
    },
  }
  for (const [name, { setting, hit }] of Object.entries(settings))
    test(name, async () => {
      const puts: string[] = []
      const memory = createMemoryCache()
      const cache: ResultCache = {
        ...memory,
        put: async (key, result) => {
          puts.push(result.output)
          await memory.put(key, result)
        },
      }
      expect([await isHit(setting, setting, cache), puts.length]).toEqual([hit, hit ? 1 : 0])
    })

  test("a run that was told more than its task", async () => {
    const cache = createMemoryCache()
    const script = { a: [{ calls: [{ tool: "look" }] }, { text: "done" }] }
    const opened = world({
      script,
      agents: [cached],
      tools: [tool("look", async (_, { run }) => (await opened.runtime.send(run, "and more"), "ok"))],
      runtime: { cache },
    })
    await opened.runtime.run("a", "go").done
    expect((await opened.runtime.run("a", "go").done).cached).toBeUndefined()
  })

  test("a run that continues another, though the task is the same", async () => {
    const cache = createMemoryCache()
    const { runtime } = world({ script: { a: [{ text: "x" }] }, agents: [cached], runtime: { cache } })
    const { run } = await runtime.run("a", "go").done
    const second = await runtime.run("a", "go", { continues: run }).done
    expect([second.output, second.cached]).toEqual(["x", undefined])
    expect((await runtime.run("a", "go").done).cached).toEqual({ run })
  })
})

test("a child with `cache` is answered, too, and its parent may be recorded for it; `skip` holds below", async () => {
  const agents = [{ name: "lead", instructions: "You lead." }, cached] as const
  const script = {
    ...says,
    lead: [{ calls: [{ tool: "Agent", input: { agent: "a", prompt: "go" } }] }, { text: "done" }],
  }
  const { runtime, store } = world({ script, agents, runtime: { cache: createMemoryCache() } })
  const cachedOf = async (options: RunOptions = {}) => {
    const { run } = await runtime.run("lead", "x", options).done
    return [run, (await stateOf(store, `${run}.1`)).end?.cached?.run]
  }
  const [first, none] = await cachedOf()
  const [, second] = await cachedOf()
  const [, skipped] = await cachedOf({ cache: "skip" })
  expect([none, second, skipped]).toEqual([undefined, `${first}.1`, undefined])
})

test("what must hold is looked at again: a result that it no longer holds for is worked out", async () => {
  const cwd = folder()
  let holds = true
  const agents = [{ ...cached, postconditions: [{ file: "out.txt" }] }]
  const checks: string[] = []
  const cache = createMemoryCache()
  const script = { a: [{ text: "the answer" }, { text: "mended" }] }
  const { runtime } = world({
    script,
    agents,
    runtime: {
      cache,
      checkPostcondition: async (_, { output }) => {
        checks.push(output)
        return holds ? { holds } : { holds: checks.length > 5, problem: "it is gone" }
      },
    },
  })
  const first = await runtime.run("a", "go", { cwd }).done
  const second = await runtime.run("a", "go", { cwd }).done
  expect([second.cached, second.postconditions?.[0]?.holds]).toEqual([{ run: first.run }, true])
  holds = false
  const third = await runtime.run("a", "go", { cwd }).done
  expect({ cached: third.cached, outcome: third.outcome?.type, turns: third.proof.turns }).toEqual({
    cached: undefined,
    outcome: "failed",
    turns: 2,
  })
  expect(checks).toEqual(["the answer", "the answer", "the answer", "the answer", "mended"])
})

test("wherever its process dies, a run is answered once resumed, and is a hit or a miss as it began", async () => {
  for (const dieAfter of [1, 2, 3]) {
    const cache = createMemoryCache()
    await world({ script: says, agents: [cached], runtime: { cache } }).runtime.run("a", "go").done
    for (const script of [says, { a: [{ text: "another" }] }]) {
      const store = memoryStore()
      const dying = world({
        script,
        agents: [cached],
        store: faultyStore(store, { dieAfter }),
        runtime: { cache },
      })
      const task = script === says ? "go" : "other"
      const { id, done } = dying.runtime.run("a", task)
      await done.catch(() => {})
      // What was found when it began holds, whatever is in the cache now.
      const { runtime } = world({ script, agents: [cached], store, runtime: { cache: createMemoryCache() } })
      const result = await runtime.resume(id, { force: true }).done
      expect([result.output, result.cached !== undefined]).toEqual(
        script === says ? ["the answer", true] : ["another", false],
      )
      await expectSound(store, id)
    }
  }
})

test("the tools that deal with runs below count as looking, and those that speak to others do not", async () => {
  const agents = [cached, { name: "b", instructions: "You are b." }]
  const work = (call: { tool: string; input: object }): Setting => ({
    agents,
    tools: agentControlTools().filter(({ name }) => name !== "Agent"),
    script: {
      a: [
        { calls: [{ tool: "Agent", input: { agent: "b", prompt: "x", background: true } }] },
        { calls: [call] },
        { text: "done" },
        { text: "done" },
      ],
      b: [{ text: "report", delayMs: 20 }, { text: "report" }],
    },
  })
  expect(await isHit(work({ tool: "AgentWait", input: {} }))).toBe(true)
  expect(await isHit(work({ tool: "AgentSend", input: { to: ".1", text: "hurry" } }))).toBe(false)
})
