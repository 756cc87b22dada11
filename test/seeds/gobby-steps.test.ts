/** What the steps of Gobby's agents (004) must do here: row 4 of its acceptance list, from files as Gobby has them. */
import { describe, expect, test } from "vitest"
import { createRuntime, defineTool, type ModelScript, memoryStore, scriptedModel } from "../../src/index.ts"
import { results, stateOf } from "../kit.ts"
import { readFolder } from "./kit.ts"

const tools = ["Read", "Edit", "Bash", "mcp__tasks__claim", "mcp__tasks__get", "mcp__other__get"]
const discovery = ["list_mcp_servers", "list_tools", "get_tool_schema", "search_tools", "get_skill"]
const everything = [...tools, ...discovery.map((name) => `mcp__gobby__${name}`)]

const call = (tool: string, input: object = {}) => ({ calls: [{ tool, input: { ...input } }] })
const calling = (...names: readonly string[]): ModelScript[string] => [
  ...names.map((name) => call(name)),
  { text: "done" },
]

/** A run of an agent with these steps, whose tools say what they are told to. */
async function run(yaml: string, turns: ModelScript[string]) {
  const { registry, errors } = readFolder(
    "gobby",
    { "worker.yaml": `description: Works.\ninstructions: You work.\n${yaml}` },
    everything,
  )
  expect(errors).toEqual({})
  const ran: string[] = []
  const store = memoryStore()
  const runtime = createRuntime({
    agents: registry,
    store,
    models: { m: scriptedModel({ worker: turns }) },
    tools: everything.map((name) =>
      defineTool<{ says?: string }>({
        name,
        description: name,
        effect: "read",
        input: { type: "object" },
        execute: ({ says = "ok" }) => {
          ran.push(name)
          if (says === "throw") throw new Error("it broke")
          return says
        },
      }),
    ),
  })
  const handle = runtime.run("worker", "go")
  const { proof } = await handle.done
  const { messages, step, variables } = await stateOf(store, handle.id)
  return {
    ran,
    told: await results(store, handle.id),
    notes: [...messages].flatMap(({ role, text }) => (role === "user" ? [text] : [])),
    step: step?.name,
    status: proof.workflow?.status,
    variables,
  }
}

describe("004 row 4: what may be used in a step", () => {
  test.each<[string, string, readonly string[], readonly string[]]>([
    ["what it allows", "allowed_tools: [Read]", ["Read", "Edit"], ["Read"]],
    ["all", "allowed_tools: all", ["Read", "Edit"], ["Read", "Edit"]],
    [
      "all, where it says nothing",
      "description: x",
      ["Read", "mcp__tasks__get"],
      ["Read", "mcp__tasks__get"],
    ],
    ["not what it blocks", "blocked_tools: [Edit]", ["Read", "Edit"], ["Read"]],
    [
      "not what it allows and blocks",
      "allowed_tools: [Read, Edit], blocked_tools: [Edit]",
      ["Read", "Edit"],
      ["Read"],
    ],
    [
      "a tool of a server",
      "allowed_tools: [], allowed_mcp_tools: ['tasks:claim']",
      ["mcp__tasks__claim", "mcp__tasks__get", "Read"],
      ["mcp__tasks__claim"],
    ],
    [
      "all tools of a server",
      "allowed_tools: [], allowed_mcp_tools: ['tasks:*']",
      ["mcp__tasks__claim", "mcp__tasks__get", "mcp__other__get"],
      ["mcp__tasks__claim", "mcp__tasks__get"],
    ],
    [
      "none of a server that is blocked",
      "blocked_mcp_tools: ['tasks:*']",
      ["mcp__tasks__get", "mcp__other__get"],
      ["mcp__other__get"],
    ],
    [
      "asking what there is, whatever it says",
      "allowed_tools: [], allowed_mcp_tools: [], blocked_mcp_tools: ['gobby:*']",
      [...discovery.map((name) => `mcp__gobby__${name}`), "mcp__tasks__get"],
      discovery.map((name) => `mcp__gobby__${name}`),
    ],
  ])("%s", async (_, step, called, expected) => {
    expect((await run(`steps: [{ name: build, ${step} }]`, calling(...called))).ran).toEqual(expected)
  })

  test("what may not is refused in Gobby's words", async () => {
    const { told } = await run("steps: [{ name: build, allowed_tools: [Read] }]", calling("Edit"))
    expect(told).toEqual([
      "Not permitted: Tool 'Edit' is not allowed in the 'build' step.\nAllowed tools: Read",
    ])
  })

  test.each<[string, readonly string[], readonly string[]]>([
    [
      "the third time in a row is cut off",
      ["Edit", "Edit", "Edit"],
      ["Not permitted", "Not permitted", "Not run: this same call"],
    ],
    [
      "another call in between begins anew",
      ["Edit", "Edit", "Read", "Edit", "Edit"],
      ["Not permitted", "Not permitted", "ok", "Not permitted", "Not permitted"],
    ],
  ])("what is tried again although it was refused: %s", async (_, called, expected) => {
    const { told } = await run("steps: [{ name: build, allowed_tools: [Read] }]", calling(...called))
    expect(told).toEqual(expected.map((text) => expect.stringMatching(new RegExp(`^${text}`))))
  })
})

describe("004 row 4: from step to step", () => {
  const claiming = `step_variables: { claimed: false, failed: false }
steps:
  - name: claim
    status_message: Claim your task.
    on_mcp_success: [{ server: tasks, tool: claim, action: set_variable, variable: claimed, value: true }]
    on_mcp_error: [{ server: tasks, tool: claim, action: set_variable, variable: failed, value: true }]
    transitions: [{ to: build, when: vars.claimed }, { to: mend, when: vars.failed }]
  - { name: build, status_message: "Build it, {{ vars.claimed }}." }
  - { name: mend }
exit_condition: current_step == 'build'
`
  const claim = (says: string) => call("mcp__tasks__claim", { says })

  test.each<[string, ModelScript[string][number], string, string, object]>([
    ["a success leads on", claim("claimed"), "build", "complete", { claimed: true, failed: false }],
    ["a success of another tool does not", call("mcp__tasks__get"), "claim", "unfinished", {}],
    ["nor one that says it failed", claim('{"success": false}'), "mend", "unfinished", { failed: true }],
    ["also in its result", claim('{"result": "{\\"error\\": \\"taken\\"}"}'), "mend", "unfinished", {}],
    // Gobby: a transport failure does nothing. Here a call that failed is one, whoever says so.
    ["nor one that broke", claim("throw"), "mend", "unfinished", { failed: true }],
  ])("%s", async (_, turn, step, status, variables) => {
    const ended = await run(claiming, [turn, ...Array.from({ length: 5 }, () => ({ text: "done" }))])
    expect(ended).toMatchObject({ step, status, variables })
  })

  test("after a failure that nobody takes note of, it stays", async () => {
    const yaml = "steps: [{ name: a, transitions: [{ to: b }] }, { name: b }]"
    const turns = (says: string): ModelScript[string] => [
      call("mcp__tasks__get", { says }),
      ...Array.from({ length: 5 }, () => ({ text: "done" })),
    ]
    expect([(await run(yaml, turns('{"error": "no"}'))).step, (await run(yaml, turns("fine"))).step]).toEqual(
      ["a", "b"],
    )
  })

  test("the model is told where it is, with the step's message, and where it has come to", async () => {
    const { notes } = await run(claiming, [claim("claimed"), { text: "done" }])
    expect(notes.slice(1)).toEqual([
      expect.stringMatching(/^You are in the step 'claim' .*\nClaim your task\.\n/),
      expect.stringMatching(
        /^Step transition: claim → build\nYou are in the step 'build' .*\nBuild it, True\.\n/,
      ),
    ])
  })

  // Gobby declares these four and follows none. Architecture, "new action type?": one list of effects, for all of them alike.
  test("on_enter, on_exit, on_transition and exit_when are followed", async () => {
    const yaml = `steps:
  - name: a
    on_enter: [{ action: set_variable, variable: entered, value: a }]
    on_exit: [{ action: set_variable, variable: left, value: a }]
    transitions: [{ to: b, on_transition: [{ action: set_variable, variable: passed, value: b }] }]
  - { name: b, exit_when: "vars.passed == 'b'" }
  - { name: c }
`
    expect(await run(yaml, calling("Read"))).toMatchObject({
      step: "c",
      variables: { entered: "a", left: "a", passed: "b" },
    })
  })
})
