/** What hooks of Gobby's kind (004) must do here: row 3 of its acceptance list. */
import { describe, expect, test } from "vitest"
import { checkHooks } from "../../src/definitions/lifecycle/check.ts"
import { createHookSource } from "../../src/definitions/lifecycle/source.ts"
import { readWhen } from "../../src/definitions/lifecycle/when.ts"
import type { Json } from "../../src/ground/message.ts"
import { checkCondition } from "../../src/language/expression/condition.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { results, tool, world } from "../kit.ts"

const bash = (command: string) => ({ calls: [{ tool: "Bash", input: { command } }] })

/** A lead that runs one command under hooks, with every command that really ran. */
async function run(
  hooks: Json,
  command = "pytest tests/",
  runner: ModelScript[string] = [{ text: "3 passed" }],
) {
  const ran: string[] = []
  const { runtime, store } = world({
    script: { lead: [bash(command), { text: "done" }, { text: "done" }], runner },
    tools: [
      tool("Bash", (input, { agent }) => {
        ran.push(`${agent}: ${input.command}`)
        return `ran ${input.command}`
      }),
    ],
    runtime: { lifecycle: createHookSource([{ name: "lifecycle", of: "project", hooks }]) },
  })
  const handle = runtime.run("lead", "go")
  const tasks: string[] = []
  for await (const event of handle) if (event.type === "run-start") tasks.push(event.task)
  return { ran, tasks, told: (await results(store, handle.id))[0]! }
}

const spawning = (more: object = {}): Json => ({
  on_before_tool: [
    {
      when: 'tool_name == "Bash" and ("pytest" in command or "ruff" in command)',
      spawn_agent: { agent: "runner", prompt: "Run and report: {{ tool_input.command }}", ...more },
    },
  ],
})

describe("004 row 3: a hook that spawns", () => {
  test.each<[string, string, readonly string[]]>([
    [
      "where its condition holds, with the text filled in",
      "ruff check",
      ["go", "Run and report: ruff check"],
    ],
    [
      "what is filled in is never read again",
      "pytest {{ 7 * 7 }}",
      ["go", "Run and report: pytest {{ 7 * 7 }}"],
    ],
    ["not where it does not", "ls", ["go"]],
  ])("%s", async (_, command, tasks) => {
    expect((await run(spawning(), command)).tasks).toEqual(tasks)
  })

  // Architecture, "a hook that spawns": `replace` by default; in Gobby a side call blocks nothing unless it says so.
  const fails = [{ error: { kind: "fatal", message: "no" } as never }]
  test.each<[string, object, ModelScript[string], readonly string[], RegExp]>([
    ["replaces the call", {}, [{ text: "3 passed" }], [], /call.*run.*3 passed/s],
    ["replaces it also where it fails", {}, fails, [], /call.*run.*did not complete/s],
    ["comes before it", { mode: "before" }, [{ text: "ready" }], ["lead: pytest tests/"], /^ran/],
    ["comes before it, and fails", { mode: "before" }, fails, [], /was not run/],
    ["works beside it", { mode: "background" }, [{ text: "later" }], ["lead: pytest tests/"], /^ran/],
    ["works beside it, and fails", { mode: "background" }, fails, ["lead: pytest tests/"], /^ran/],
  ])("%s", async (_, more, runner, expected, text) => {
    const { ran, told } = await run(spawning(more), "pytest tests/", runner)
    expect([ran, told]).toEqual([expected, expect.stringMatching(text)])
  })

  test("a hook without an effect is refused before anything runs, and a second block is told", async () => {
    await expect(run({ before_tool: { when: "true" } })).rejects.toMatchObject({ code: "HOOK_INVALID" })
    const around = {
      agents: new Map(),
      tools: new Set<string>(),
      skills: new Set<string>(),
      locked: [],
      of: "project" as const,
      holders: ["lead"],
    }
    const effects = ["one", "two"].map((reason) => ({ type: "block", reason }))
    expect(checkHooks({ before_tool: { effects } }, "set", around)).toMatchObject([
      { code: "hook-never", path: ["before_tool", "effects", 1] },
    ])
  })
})

const call: Readonly<Record<string, Json>> = {
  event: "before_tool",
  tool_name: "Bash",
  command: "cd src && pytest tests/",
  tool_input: { command: "cd src && pytest tests/", list: [1, 2, 3] },
  variables: { on: true, off: false, none: null, count: 3, name: "Ann", map: { a: { b: 1 } } },
  depth: 1,
}

function answer(text: string): boolean | "fails" | "refused" {
  const read = readWhen(text)
  if (!("condition" in read)) return "refused"
  const held = checkCondition(read.condition, call)
  return held.type === "value" ? held.isTrue : "fails"
}

describe("004 row 3: what `when` can say", () => {
  test.each<[string, boolean]>([
    // Values come through `and` and `or`, as in Python.
    ["(variables.none or variables.name) == 'Ann'", true],
    ["(variables.on and variables.count) == 3", true],
    ["not variables.off and not variables.none", true],
    ["0 < depth <= 1 < variables.count", true],
    ["'pytest' in command and 'ruff' not in command", true],
    ["variables.none is none and variables.on is not none", true],
    ["1 + 2 * 3 - 4 == 3 and 7 // 2 == 3 and 7 % 4 == 3", true],
    ["'yes' == ('yes' if variables.on else 'no')", true],
    ["depth in [1, 2] and depth in (1, 2) and 'a' in variables.map", true],
    ["tool_input.list[-1] == 3 and tool_input['list'][0] == 1", true],
    ["variables.map.a.b == variables['map']['a']['b']", true],
    ["variables.get('missing', 'x') == 'x' and 'count' in variables.keys()", true],
    ["command.startswith('cd') and command.strip().lower().endswith('tests/')", true],
    ["command.split()[0].upper() == 'CD' and tool_input.list.count(2) == 1", true],
    ["len(tool_input.list) == 3 and str(depth) == '1' and int('3') == variables.count and bool('x')", true],
    ["true and True and not false and not False and none is None", true],
    ['tool_name == "Bash"\n  and depth\n  == 1', true],
    ["any(x > 1 for x in tool_input.list) and not all(x > 1 for x in tool_input.list)", true],
    ["[x for x in tool_input.list if x != 2] == [1, 3]", true],
    [
      "any(w in ('pytest', 'tox') or w.startswith('python3.') for w in str(tool_input.get('command', '')).split())",
      true,
    ],
    ["(tool_input.get('arguments') or {}).get('commit') is None", true],
  ])("%s", (text, expected) => expect(answer(text)).toBe(expected))

  // The issue: what is not there is null, and nothing is in null. In Gobby a key that is missing is an error.
  test.each<[string, boolean]>([
    ["variables.missing is none", true],
    ["variables.missing.deeper is none", true],
    ["'x' in variables.missing", false],
    ["result", false],
  ])("what is not there is null: %s", (text, expected) => expect(answer(text)).toBe(expected))

  test.each([
    "lambda: 1",
    "variables.__class__",
    "().__class__.__bases__[0].__subclasses__()",
    "__import__('os').system('id')",
    "open('/etc/passwd')",
    "command.format(variables)",
    "'{0.__class__}'.format(command)",
    "globals()",
    "exec('1')",
    "command.encode()",
    "tool_input.list.append(4)",
    "variables.update({'a': 1})",
    "variables.name := 'x'",
    "re.match('(a+)+$', command)",
  ])("an escape is refused or fails: %s", (text) => expect(["refused", "fails"]).toContain(answer(text)))

  test.each<[string, Json, readonly string[]]>([
    ["what blocks fails closed", { block: "no" }, []],
    ["what runs a command fails closed", { run: "true" }, []],
    ["what spawns in its place fails closed", { spawn_agent: { agent: "runner", prompt: "x" } }, []],
    [
      "what spawns beside it fails open",
      { spawn_agent: { agent: "runner", prompt: "x", mode: "background" } },
      ["lead: ls"],
    ],
    ["what sets a variable fails open", { set_variable: { a: 1 } }, ["lead: ls"]],
    ["what tells the model fails open", { inject_context: "x" }, ["lead: ls"]],
    ["what rewrites fails open", { rewrite_input: { command: "x" } }, ["lead: ls"]],
  ])("where it fails, %s", async (_, effect, ran) => {
    const hooks: Json = { before_tool: { when: "command > 3", ...(effect as { [key: string]: Json }) } }
    expect((await run(hooks, "ls")).ran).toEqual(ran)
  })

  test.each([
    "[x for x in range(9999) for y in range(9999)] and false",
    "10 ** 10 ** 10 < 1",
    "f'{depth:999999999}' == ''",
    "{command: x for x in result} == {}",
    "not tool_input.missing.get('x')",
    "'a' < depth",
  ])("a gate is not open because its condition cannot be worked out: %s", async (when) => {
    expect((await run({ before_tool: { when, block: "no" } }, "ls")).ran).toEqual([])
  })

  test("the first block wins, later hooks see earlier writes, and contexts add up", async () => {
    const { told } = await run(
      {
        before_tool: [
          { set_variable: { seen: "{{ command }}" } },
          { when: "variables.seen == 'ls'", block: "first" },
          { block: "second" },
        ],
      },
      "ls",
    )
    expect(told).toBe("Not permitted: first")
  })
})
