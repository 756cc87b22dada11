import { expect, test } from "vitest"
import { type Access, defineTool } from "../../src/agent/tool.ts"
import type { Hook } from "../../src/run/ports/hook.ts"
import { results, sleep, stateOf, until, world } from "../kit.ts"

const accesses: Readonly<Record<string, readonly Access[]>> = {
  look: [{ type: "read", path: "/w/a" }],
  edit: [{ type: "write", path: "/w/a" }],
  run: [{ type: "command", text: "npm test" }],
  unclear: [{ type: "unclear", reason: "nobody knows" }],
  fetch: [{ type: "host", host: "example.com" }],
}

/** What began and what ended of the calls of one turn, as it came. */
function turnOf(names: readonly string[], asked: readonly string[] = [], hooks: readonly Hook[] = []) {
  const trace: string[] = []
  const tools = [...new Set(names)].map((name) =>
    defineTool({
      name,
      description: name,
      input: { type: "object" },
      effect: "read",
      ...(accesses[name] && { accesses: () => accesses[name]! }),
      async execute() {
        trace.push(name)
        await sleep(30)
        trace.push(`/${name}`)
        return name
      },
    }),
  )
  const opened = world({
    script: { a: [{ calls: names.map((name) => ({ tool: name, input: {} })) }, { text: "done" }] },
    agents: [{ name: "a", instructions: "x" }],
    tools,
    runtime: {
      hooks,
      rules: [
        ...asked.map((name) => ({ tool: name, decision: "ask" as const })),
        ...names
          .filter((name) => !asked.includes(name))
          .map((tool) => ({ tool, decision: "allow" as const })),
      ],
    },
  })
  return { ...opened, trace, handle: opened.runtime.run("a", "go") }
}

test.each([
  ["edit run", "edit /edit run /run"],
  ["edit look", "edit /edit look /look"],
  ["look edit", "look /look edit /edit"],
  ["run run", "run /run run /run"],
  ["unclear look", "unclear /unclear look /look"],
  ["look look edit look look", "look look /look /look edit /edit look look /look /look"],
  ["fetch edit", "fetch edit /fetch /edit"],
  ["edit fetch", "edit fetch /edit /fetch"],
  ["other other", "other other /other /other"],
  ["run other", "run other /run /other"],
])("the calls %s of one turn come about as %s", async (names, expected) => {
  const { handle, store, trace } = turnOf(names.split(" "))
  expect((await handle.done).outcome).toEqual({ type: "completed" })
  expect(trace.join(" ")).toBe(expected)
  expect(await results(store, handle.id)).toEqual(names.split(" "))
})

test.each([
  ["allow", "edit /edit run /run", ["edit", "run"]],
  ["deny", "run /run", [expect.stringContaining("Not permitted"), "run"]],
] as const)(
  "a run rests while a command waits for an edit that asks; %s lets it go on",
  async (decision, expected, told) => {
    const { handle, runtime, store, trace } = turnOf(["edit", "run"], ["edit"])
    expect((await handle.done).status).toBe("resting")
    expect(trace).toEqual([])
    await runtime.approve(handle.id, "c1", decision)
    expect((await runtime.resume(handle.id).done).outcome).toEqual({ type: "completed" })
    expect(trace.join(" ")).toBe(expected)
    expect(await results(store, handle.id)).toEqual(told)
  },
)

test("both of them ask at once, whichever comes first", async () => {
  const { handle, runtime, trace } = turnOf(["edit", "run"], ["edit", "run"])
  expect((await handle.done).status).toBe("resting")
  await runtime.approve(handle.id, "c2", "allow")
  expect((await runtime.resume(handle.id).done).status).toBe("resting")
  expect(trace).toEqual([])
  await runtime.approve(handle.id, "c1", "allow")
  expect((await runtime.resume(handle.id).done).outcome).toEqual({ type: "completed" })
  expect(trace.join(" ")).toBe("edit /edit run /run")
})

test("a run does not rest while hooks judge a command that waits for an edit that asks", async () => {
  let pass: (() => void) | undefined
  const judging = new Promise<void>((resolve) => {
    pass = resolve
  })
  const judged: string[] = []
  const judge: Hook["judge"] = async ({ tool }) => {
    judged.push(tool)
    if (tool === "run") await judging
    return { type: "pass" }
  }
  const { handle, runtime, store } = turnOf(["edit", "run"], ["edit"], [{ name: "h", judge }])
  await until(() => judged.includes("run"))
  await until(async () => (await stateOf(store, handle.id)).calls.at(0)?.status === "asking")
  expect((await runtime.read(handle.id)).status).toBe("open")
  pass!()
  expect((await handle.done).status).toBe("resting")
})

test("a run rests while its result waits for a call that asks", async () => {
  const { runtime } = world({
    script: {
      a: [
        {
          calls: [
            { tool: "write", input: {} },
            { tool: "submit_result", input: { n: 1 } },
          ],
        },
      ],
    },
    agents: [
      { name: "a", instructions: "x", result: { type: "object", properties: { n: { type: "number" } } } },
    ],
    tools: [
      defineTool({
        name: "write",
        description: "w",
        input: { type: "object" },
        effect: "read",
        execute: () => "ok",
      }),
    ],
    runtime: { rules: [{ tool: "write", decision: "ask" }] },
  })
  const handle = runtime.run("a", "go")
  expect((await handle.done).status).toBe("resting")
  await runtime.approve(handle.id, "c1", "allow")
  const { outcome, value } = await runtime.resume(handle.id).done
  expect({ outcome, value }).toEqual({ outcome: { type: "completed" }, value: { n: 1 } })
})
