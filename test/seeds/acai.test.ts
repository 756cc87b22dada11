/** What acai's subagents (002) must do here: the rows of its acceptance list, in its order. */
import { describe, expect, test } from "vitest"
import { SubagentRegistry } from "../../src/files.ts"
import {
  createRuntime,
  defineAgent,
  defineTool,
  type ModelScript,
  memoryStore,
  type RunEvent,
  scriptedModel,
  type Tool,
} from "../../src/index.ts"
import { temporaryFolder } from "../file-kit.ts"
import { results, untilAborted } from "../kit.ts"
import { markdown, readFolder } from "./kit.ts"

const file = (yaml: string, body?: string) => markdown(`name: helper\ndescription: Helps.\n${yaml}`, body)

describe("002 row 1: what a file says", () => {
  test.each<readonly [string, string, string, string]>([
    ["no name", "helper.md", markdown("description: d"), "Name field is required"],
    [
      "a long name",
      "helper.md",
      markdown(`name: ${"a".repeat(65)}\ndescription: d`),
      "Name must be 1-64 characters long",
    ],
    [
      "other characters",
      "helper.md",
      markdown("name: Helper_1\ndescription: d"),
      "Name can only contain lowercase letters, numbers, and hyphens",
    ],
    [
      "a hyphen at an end",
      "helper-.md",
      markdown("name: helper-\ndescription: d"),
      "Name cannot start or end with a hyphen",
    ],
    [
      "two hyphens",
      "a--b.md",
      markdown("name: a--b\ndescription: d"),
      "Name cannot contain consecutive hyphens",
    ],
    [
      "another file's name",
      "other.md",
      file(""),
      'Name "helper" must match filename "other.md" (without .md)',
    ],
    ["no description", "helper.md", markdown("name: helper"), "Description field is required"],
    [
      "a long description",
      "helper.md",
      markdown(`name: helper\ndescription: ${"d".repeat(1025)}`),
      "Description must be 1-1024 characters long",
    ],
    // acai takes 0 for the default: seed-systems section 7, number 13.
    ...["0", "3601", "-1", "soon"].map(
      (timeout) =>
        [
          `timeout: ${timeout}`,
          "helper.md",
          file(`timeout: ${timeout}`),
          "Timeout must be a number between 1 and 3600 seconds",
        ] as const,
    ),
  ])("%s is told in acai's words, and not skipped in silence", (_, name, text, message) => {
    const { errors, registry } = readFolder("acai", { [name]: text })
    expect([errors[name]?.slice(0, message.length), registry.names()]).toEqual([message, []])
  })

  test.each([
    ["tools with commas, blanks dropped", file("tools: Read, , Grep ,"), { tools: ["Read", "Grep"] }],
    // Architecture, "lists": a YAML list is the same thing; acai drops the file.
    ["tools as a list", file("tools: [Read, Grep]"), { tools: ["Read", "Grep"] }],
    ["CRLF", file("tools: Read").replaceAll("\n", "\r\n"), { tools: ["Read"] }],
    ["a timeout", file("timeout: 60"), { tools: [], timeout: 60_000 }],
    // Architecture, "dialect rules": 300 s for acai's files, as the seed has it.
    ["no timeout", file(""), { tools: [], timeout: 300_000 }],
  ])("%s", (_, text, expected) => {
    const { errors, registry } = readFolder("acai", { "helper.md": text })
    const { tools, limits } = registry.get("helper")
    expect([errors, { timeout: 300_000, ...expected }]).toEqual([
      {},
      { tools: tools.allow, timeout: limits.timeout },
    ])
  })

  test("the project's file takes the place of the user's", () => {
    const base = temporaryFolder({
      "repo/.git/HEAD": "",
      "repo/.acai/subagents/helper.md": file("", "Project."),
      "home/.acai/subagents/helper.md": file("", "User."),
    })
    const registry = new SubagentRegistry()
    registry.autoDiscover({ cwd: `${base}/repo`, home: `${base}/home`, userFolder: `${base}/none` })
    expect(registry.all().map(({ name, instructions }) => [name, instructions])).toEqual([
      ["helper", "Project."],
    ])
  })

  const place = /\n\n<environment>\n[\s\S]*<\/environment>$/
  test.each([
    ["replaced", "Do {{task}}, then {{ task }}.", "$& {{task}}", "Do $& {{task}}, then $& {{task}}."],
    ["appended", "Do the work.", "Now.", "Do the work.\n\nNow."],
  ])("the task is %s, and the environment follows", async (_, body, task, prompt) => {
    const { registry } = readFolder("acai", { "helper.md": file("tools: []", body) })
    const runtime = createRuntime({
      agents: registry,
      store: memoryStore(),
      models: { m: scriptedModel({}) },
    })
    const { system, messages } = await runtime.preview("helper", task)
    expect({ prompt: system.replace(place, ""), place: place.test(system), messages }).toEqual({
      prompt,
      place: true,
      messages: [{ role: "user", text: expect.stringMatching(/Begin.*instructions/) }],
    })
  })
})

/** A lead whose calls come to something, and what. */
async function lead(
  calls: readonly object[],
  script: ModelScript,
  more: { files?: Readonly<Record<string, string>>; tools?: readonly Tool[] } = {},
) {
  const { files = {}, tools = [] } = more
  const { registry } = readFolder(
    "acai",
    files,
    tools.map(({ name }) => name),
  )
  registry.register(defineAgent({ name: "lead", instructions: "x" }))
  const store = memoryStore()
  const runtime = createRuntime({
    agents: registry,
    store,
    tools,
    models: {
      m: scriptedModel({
        lead: [{ calls: calls.map((input) => ({ tool: "Agent", input })) }, { text: "lead done" }],
        ...script,
      }),
    },
  })
  return { runtime, store, handle: runtime.run("lead", "go") }
}

const hang = (onAbort: () => void) =>
  defineTool({
    name: "hang",
    description: "hang",
    effect: "read",
    input: { type: "object" },
    execute: (_, { signal }) => {
      signal.addEventListener("abort", onAbort)
      return untilAborted(signal)
    },
  })

describe("002 row 2: time and abort", () => {
  test("the call's timeout beats the file's, which beats the format's default", async () => {
    const { runtime, handle } = await lead(
      [
        { type: "called", prompt: "x", timeout: 7 },
        { type: "filed", prompt: "x" },
        { type: "plain", prompt: "x" },
      ],
      Object.fromEntries(["called", "filed", "plain"].map((name) => [name, [{ text: "done" }]])),
      {
        files: {
          "called.md": markdown("name: called\ndescription: d\ntimeout: 60\ntools: []"),
          "filed.md": markdown("name: filed\ndescription: d\ntimeout: 60\ntools: []"),
          "plain.md": markdown("name: plain\ndescription: d\ntools: []"),
        },
      },
    )
    const timeouts: Record<string, number | undefined> = {}
    for await (const event of handle)
      if (event.type === "run-start" && event.run !== handle.id) timeouts[event.agent] = event.limits.timeout
    expect(timeouts).toEqual({ called: 7_000, filed: 60_000, plain: 300_000 })
    await runtime.close()
  })

  test("one that takes too long is told as that, what it said is kept, and no timer is left", async () => {
    let stopped = 0
    const before = process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length
    const { runtime, store, handle } = await lead(
      [{ type: "helper", prompt: "x", timeout: 1 }],
      { helper: [{ text: "Half of it.", calls: [{ tool: "hang" }] }] },
      { files: { "helper.md": file("tools: hang") }, tools: [hang(() => stopped++)] },
    )
    const { outcome } = await handle.done
    const told = await results(store, handle.id)
    await runtime.close()
    const after = process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length
    // Timers of earlier tests may end meanwhile.
    expect({ outcome, stopped, told, timers: Math.max(after - before, 0) }).toEqual({
      outcome: { type: "completed" },
      stopped: 1,
      told: ["The subagent did not complete: timed out.\nHalf of it."],
      timers: 0,
    })
  })

  test.each([
    ["with a time of its own", { timeout: 600 }],
    ["without one", {}],
  ])("the parent's abort stops a child %s", async (_, more) => {
    let stopped = 0
    const { runtime, handle } = await lead(
      [{ type: "helper", prompt: "x", ...more }],
      { helper: [{ calls: [{ tool: "hang" }] }] },
      { files: { "helper.md": file("tools: hang") }, tools: [hang(() => stopped++)] },
    )
    const ends: string[] = []
    const seen = (async () => {
      for await (const event of handle) {
        if (event.type === "tool-start") void handle.cancel("enough")
        if (event.type === "run-end") ends.push(event.outcome.type)
      }
    })()
    await handle.done
    await seen
    expect({ stopped, ends }).toEqual({ stopped: 1, ends: ["cancelled", "cancelled"] })
    await runtime.close()
  })
})

describe("002 row 3: names, models, recursion, parallel calls", () => {
  test("an unknown type lists the names there are", async () => {
    const { store, handle } = await lead(
      [{ type: "helpr", prompt: "x" }],
      {},
      { files: { "helper.md": file("tools: []") } },
    )
    await handle.done
    expect(await results(store, handle.id)).toEqual([
      "Subagent 'helpr' not found. Available: helper, lead. Did you mean \"helper\"?",
    ])
  })

  // Architecture, "model that cannot be resolved": acai files fall back to the default model, and say so.
  test("a model that nobody knows falls back to the default, with a warning", async () => {
    const { registry } = readFolder("acai", { "helper.md": file("model: nowhere:x\ntools: []") })
    const runtime = createRuntime({
      agents: registry,
      store: memoryStore(),
      models: { standard: scriptedModel({ helper: [{ text: "done" }] }, "standard") },
    })
    const { outcome, proof } = await runtime.run("helper", "go").done
    expect([outcome, proof.model.requested, proof.model.resolved, proof.warnings]).toEqual([
      { type: "completed" },
      "nowhere:x",
      "standard",
      [expect.stringContaining("nowhere:x")],
    ])
  })

  test("an agent that has Agent may call itself, as deep as the tree may be and no deeper", async () => {
    const { runtime, store, handle } = await lead(
      [{ type: "helper", prompt: "x" }],
      {
        helper: [{ calls: [{ tool: "Agent", input: { type: "helper", prompt: "x" } }] }, { text: "up" }],
      },
      { files: { "helper.md": file("tools: Agent") } },
    )
    await handle.done
    const told: (readonly string[])[] = []
    for await (const { run } of runtime.list({ root: handle.id })) told.push(await results(store, run))
    expect(told).toEqual([
      ["up"],
      ["up"],
      [
        expect.stringMatching(
          /"helper".*definition.*lists.*the depth limit \(maxDepth 3\) is reached\. Raise `maxDepth`, or leave.*up.?$/s,
        ),
      ],
      [
        "Maximum subagent nesting depth (3) reached. Cannot spawn 'helper' at depth 3. Finish with your own tools.",
      ],
    ])
  })

  test("parallel calls run at the same time, and neither sees the other", async () => {
    let [atWork, most] = [0, 0]
    const meet = defineTool({
      name: "meet",
      description: "meet",
      effect: "read",
      input: { type: "object" },
      async execute() {
        most = Math.max(most, ++atWork)
        await new Promise((resolve) => setTimeout(resolve, 50))
        atWork--
        return "met"
      },
    })
    const starts: RunEvent[] = []
    const { store, handle } = await lead(
      [
        { type: "helper", prompt: "left" },
        { type: "helper", prompt: "right" },
      ],
      { helper: [{ calls: [{ tool: "meet" }] }, { text: "done" }] },
      { files: { "helper.md": file("tools: meet") }, tools: [meet] },
    )
    for await (const event of handle) if (event.type === "run-start") starts.push(event)
    expect({
      most,
      tasks: starts.map((event) => "task" in event && event.task),
      told: await results(store, handle.id),
      below: [await results(store, `${handle.id}.1`), await results(store, `${handle.id}.2`)],
    }).toEqual({
      most: 2,
      tasks: ["go", "left", "right"],
      told: ["done", "done"],
      below: [["met"], ["met"]],
    })
  })
})
