import { describe, expect, test } from "vitest"
import { createHookSource } from "../../src/definitions/lifecycle/source.ts"
import type { Json } from "../../src/ground/message.ts"
import type { RunEvent } from "../../src/run/log/event.ts"
import type { Store } from "../../src/run/log/store.ts"
import { orderedLog } from "../cases/support.ts"
import { expectSound, stateOf, tool, world } from "../kit.ts"
import { storeWith } from "./store-with.ts"

const bash = (command: string) => ({ tool: "Bash", input: { command } })
const spawn = (event: string, mode: string) => ({
  [event]: [
    {
      when: '"pytest" in command',
      set_variable: { delegated: "{{ command }}" },
      inject_context: "once",
      spawn_agent: { agent: "runner", prompt: "Run {{ command }}", mode },
    },
  ],
})

const open = (event: string, mode: string, store?: Store) =>
  world({
    script: {
      lead: [{ calls: [bash("pytest")] }, { text: "done" }, { text: "done" }],
      runner: [{ calls: [bash("pytest")] }, { text: "green" }],
    },
    tools: [tool("Bash", ({ command }) => `ran ${command}`)],
    runtime: { lifecycle: createHookSource([{ name: "project", of: "project", hooks: spawn(event, mode) }]) },
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

test.each([
  ["before_tool", "replace"],
  ["before_tool", "before"],
  ["before_tool", "background"],
  ["after_tool", "before"],
  ["after_tool", "background"],
])("a hook that spawns (%s: %s) does so once, wherever its log is cut off", async (event, mode) => {
  const { runtime, store } = open(event, mode)
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
    await open(event, mode, cut).runtime.resume(run).done
    expect({ length, ...(await findings(cut, run)) }).toEqual({ length, ...expected })
  }
})

const commanding: Json = {
  before_tool: [{ run: "before one" }, { run: "before two" }],
  before_spawn: { run: "spawn" },
  after_tool: [{ run: "after one" }, { run: "after two" }],
}

/** A call that can be repeated, and one whose agent fails and has somebody else do it; with every command that ran. */
function openCommands(hooks: Json, store?: Store) {
  const ran = new Map<string, number>()
  const bash = tool(
    "Bash",
    ({ command }, { run, call }) => {
      const key = shortened(`${run} ${call} ${command}`)
      ran.set(key, (ran.get(key) ?? 0) + 1)
      return { text: "", evidence: { commands: [{ command: String(command), exitCode: 0 }] } }
    },
    { effect: "opaque" },
  )
  const opened = world({
    agents: [
      { name: "lead", instructions: "x" },
      { name: "first", instructions: "x", fallback: ["second"] },
      { name: "second", instructions: "x" },
    ],
    script: {
      lead: [
        { calls: [{ tool: "Look", input: {} }] },
        { calls: [{ tool: "Agent", input: { agent: "first", prompt: "work" } }] },
        { text: "done" },
      ],
      first: [{ error: { message: "500" } }],
      second: [{ text: "report" }],
    },
    tools: [bash, tool("Look", () => "seen", { effect: "read" })],
    runtime: { lifecycle: createHookSource([{ name: "project", of: "project", hooks }]) },
    ...(store && { store }),
  })
  return { ...opened, ran }
}

const shortened = (text: string) => text.replaceAll(/[0-9a-z]{26}/g, "R")

test("36: no command that judges a call, sees its result or judges a fallback is run twice, wherever the log is cut off", async () => {
  const { runtime, store, ran } = openCommands(commanding)
  const { run, outcome } = await runtime.run("lead", "go").done
  expect(outcome).toEqual({ type: "completed" })
  expect([...ran]).toEqual(
    [
      ["c1", "before one", "before two", "after one", "after two"],
      ["c2", "before one", "before two", "spawn"],
      ["fallback R.1 second", "before one", "before two", "spawn"],
      ["c2", "after one", "after two"],
    ].flatMap(([call, ...all]) => all.map((command) => [`R ${call} ${command}`, 1])),
  )
  const log = (await orderedLog(store, run)) as unknown as readonly RunEvent[]
  for (let length = 1; length < log.length; length++) {
    const begun = log
      .slice(0, length)
      .flatMap((event) =>
        event.type === "hook-start" ? [shortened(`${event.run} ${event.call} ${event.command}`)] : [],
      )
    const cut = await storeWith((await orderedLog(store, run)).slice(0, length), store)
    const resumed = openCommands(commanding, cut)
    await resumed.runtime.resume(run).done
    await expectSound(cut, run)
    const again = [...resumed.ran].filter(([key, count]) => count > 1 || begun.includes(key))
    const { end } = await stateOf(cut, run)
    expect({ length, again, ended: end !== undefined }).toEqual({ length, again: [], ended: true })
  }
})

describe("36: hooks that judge who is next where an agent failed", () => {
  const hooks: Json = {
    before_spawn: [
      {
        run: "spawn",
        set_variable: { last: "{{ subagent }}", before: "{{ variables.last }}" },
        inject_context: "Mind {{ subagent }}.",
      },
      { when: 'subagent == "second"', block: "not second" },
    ],
    run_end: { agents: "lead", set_variable: { ended: true } },
  }
  const opened = (store?: Store) => {
    const ran: string[] = []
    const { runtime, store: used } = world({
      agents: [
        { name: "lead", instructions: "x" },
        { name: "first", instructions: "x", fallback: ["second", "third"] },
        { name: "second", instructions: "x" },
        { name: "third", instructions: "x" },
      ],
      script: {
        lead: [{ calls: [{ tool: "Agent", input: { agent: "first", prompt: "work" } }] }, { text: "done" }],
        first: [{ error: { message: "500" } }],
        third: [{ text: "report" }],
      },
      tools: [
        tool("Bash", ({ command }, { call }) => {
          ran.push(shortened(call))
          return { text: "", evidence: { commands: [{ command: String(command), exitCode: 0 }] } }
        }),
      ],
      runtime: { lifecycle: createHookSource([{ name: "project", of: "project", hooks }]) },
      ...(store && { store }),
    })
    return { runtime, store: used, ran }
  }
  const findingsOf = async (store: Store, run: string) => {
    await expectSound(store, run)
    const { variables, messages, end } = await stateOf(store, run)
    const texts = [...messages].map(({ text }) => text.replaceAll(run, "R"))
    return { variables, texts, outcome: end?.outcome }
  }
  const whole = async () => {
    const { runtime, store, ran } = opened()
    const { run } = await runtime.run("lead", "go").done
    return { run, store, ran, log: (await orderedLog(store, run)) as unknown as readonly RunEvent[] }
  }
  const resumed = async ({ run, store, log }: Awaited<ReturnType<typeof whole>>, length: number) => {
    const cut = await storeWith(log.slice(0, length) as never, store)
    const { runtime, ran } = opened(cut)
    await runtime.resume(run).done
    return { ran, ...(await findingsOf(cut, run)) }
  }

  const variables = { last: "third", before: "second", ended: true }
  const texts = [
    "go",
    "",
    expect.stringMatching(/second could not begin: not second[\s\S]*report/),
    ...["first", "second", "third"].map((name) => `Note from a hook: Mind ${name}.`),
    "done",
  ]

  test("set variables and tell the model as for a first choice, once, wherever the log is cut off", async () => {
    const undisturbed = await whole()
    const expected = { variables, texts, outcome: { type: "completed" } }
    expect(await findingsOf(undisturbed.store, undisturbed.run)).toEqual(expected)
    expect(undisturbed.ran).toEqual(["c1", "fallback R.1 second", "fallback R.1 third"])
    const { log } = undisturbed
    for (let length = 1; length < log.length; length++) {
      // Where nobody saw a command end, the next test says what comes of it.
      if (log[length - 1]!.type === "hook-start") continue
      const { ran: _, ...found } = await resumed(undisturbed, length)
      expect({ length, ...found }).toEqual({ length, ...expected })
    }
  })

  test("block no other agent than the one whose command nobody saw end", async () => {
    const undisturbed = await whole()
    const { log, run } = undisturbed
    const begun = (call: string) =>
      log.findIndex((event) => event.type === "hook-start" && event.call === call) + 1
    const second = await resumed(undisturbed, begun(`fallback ${run}.1 second`))
    expect([second.ran, second.texts[2]]).toEqual([
      ["fallback R.1 third"],
      expect.stringMatching(/second could not begin: the command of the hook [\s\S]*report/),
    ])
    const third = await resumed(undisturbed, begun(`fallback ${run}.1 third`))
    expect([third.ran, third.texts[2]]).toEqual([
      [],
      expect.stringMatching(/second could not begin: not second; third could not begin: the command of the/),
    ])
  })

  test("block all of them in a log that does not say which it was", async () => {
    const undisturbed = await whole()
    const at = undisturbed.log.findIndex((event) => event.type === "hook-start" && event.call !== "c1")
    const older = { ...undisturbed.log[at]!, call: `fallback ${undisturbed.run}.1` } as RunEvent
    const log = [...undisturbed.log.slice(0, at), older]
    const { ran, texts } = await resumed({ ...undisturbed, log }, log.length)
    expect([ran, texts[2]]).toEqual([[], expect.stringMatching(/second could not[\s\S]*third could not/)])
  })
})

test("a command that judged the fallback of whom a hook spawned at a moment does not count as one of that moment", async () => {
  const hooks: Json = {
    run_start: { agents: "lead", spawn_agent: { agent: "first", prompt: "look" } },
    before_spawn: { run: "spawn" },
  }
  const { runtime, store } = openCommands(hooks)
  const { run } = await runtime.run("lead", "go").done
  const log = await orderedLog(store, run)
  const replaced = log.findIndex((event) => event.type === "child-start" && "fallbackOf" in event)
  const cut = await storeWith(log.slice(0, replaced + 1), store)
  const { outcome } = await openCommands(hooks, cut).runtime.resume(run).done
  expect(outcome).toEqual({ type: "completed" })
})

test("a command that judged what a postcondition runs is not run again: that is looked at after another turn", async () => {
  const ran: string[] = []
  const opened = (store?: Store) =>
    world({
      agents: [{ name: "lead", instructions: "x", postconditions: [{ command: "look" }] }],
      script: { lead: [{ text: "done" }, { text: "done again" }] },
      tools: [
        tool("Bash", ({ command }, { call }) => {
          ran.push(`${call} ${command}`)
          return { text: "", evidence: { commands: [{ command: String(command), exitCode: 0 }] } }
        }),
      ],
      runtime: {
        lifecycle: createHookSource([
          { name: "project", of: "project", hooks: { before_tool: { run: "judge" } } },
        ]),
        checkPostcondition: (_, { command }) => command("look"),
      },
      ...(store && { store }),
    })
  const { runtime, store } = opened()
  const { run } = await runtime.run("lead", "go").done
  expect(ran.splice(0)).toEqual(["check-1-1 judge", "check-1-1 look"])
  const log = await orderedLog(store, run)
  const cut = await storeWith(log.slice(0, log.findIndex(({ type }) => type === "hook-start") + 1), store)
  const { outcome, output } = await opened(cut).runtime.resume(run).done
  expect(ran).toEqual(["check-2-1 judge", "check-2-1 look"])
  expect({ outcome, output }).toEqual({ outcome: { type: "completed" }, output: "done again" })
})

test.each([
  ["tool-start", [{ context: ["c1 unknown"] }]],
  ["hook-start", [{ problems: [expect.stringMatching(/already seen a result/)] }]],
])(
  "36: hooks hear of a call whose end nobody saw, unless one was at work on that: cut at %s",
  async (type, heard) => {
    const hooks: Json = {
      after_tool: { inject_context: "c1 {{ status }}", run: "after" },
    }
    const opened = (store?: Store) =>
      world({
        script: { lead: [{ calls: [{ tool: "Act", input: {} }] }, { text: "done" }] },
        tools: [
          tool("Act", () => "acted", { effect: "opaque" }),
          tool("Bash", () => ({ text: "", evidence: { commands: [{ command: "after", exitCode: 0 }] } })),
        ],
        runtime: { lifecycle: createHookSource([{ name: "project", of: "project", hooks }]) },
        ...(store && { store }),
      })
    const { runtime, store } = opened()
    const { run } = await runtime.run("lead", "go").done
    const log = await orderedLog(store, run)
    const cut = await storeWith(log.slice(0, log.findIndex((event) => event.type === type) + 1), store)
    await opened(cut).runtime.resume(run).done
    const ends = (await orderedLog(cut, run)) as unknown as readonly RunEvent[]
    expect(ends.flatMap((event) => (event.type === "tool-end" ? [event.hooks] : []))).toEqual(heard)
  },
)
