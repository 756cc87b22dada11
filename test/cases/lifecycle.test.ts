/** What hooks, conditions, templates and variables must not be able to do, each case as its list has it. */
import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { createHookSource } from "../../src/definitions/lifecycle/source.ts"
import { readWhen } from "../../src/definitions/lifecycle/when.ts"
import { withWorkflows } from "../../src/definitions/workflow/source.ts"
import type { Json } from "../../src/ground/message.ts"
import { checkCondition } from "../../src/language/expression/condition.ts"
import { parseTemplate, renderTemplate } from "../../src/language/template/index.ts"
import { note, run } from "./lifecycle-kit.ts"

describe("196: what would take for ever, or all there is, is refused or fails, soon", () => {
  test.each<[string, string]>([
    ["a megabyte", `'${"x".repeat(1_000_000)}' in command`],
    ["ten thousand levels", `${"(".repeat(10_000)}1${")".repeat(10_000)}`],
    ["ten thousand nots", `${"not ".repeat(10_000)}true`],
    ["a regular expression", "command =~ /(a+)+$/"],
    ["a method that takes one", "command.match('(a+)+$')"],
    ["a long repeat", "'x' * 1000000000"],
    ["a list repeated", "[1] * 1000000000"],
    ["a high power", "9 ** 99999 ** 9"],
    ["a power of powers", "(10 ** 4000) ** 4000"],
    ["a text repeated", "command * 300 == command"],
    ["a product of lists", "len(range(100000)) > 1 and (range(9999) | list) * 9999"],
    ["joining", "(range(9999) | list | join(command * 99)) == ''"],
  ])("%s", (_, text) => {
    const began = process.cpuUsage()
    const read = readWhen(text)
    const answer =
      "problems" in read ? "refused" : checkCondition(read.condition, { command: "a".repeat(5_000) }).type
    expect(["refused", "failed"]).toContain(answer)
    expect(process.cpuUsage(began).user).toBeLessThan(1_000_000)
  })

  test("of what is not there, anything is null", () => {
    const read = readWhen("result.a.b.c is null and tool_input['a']['b'] is null")
    expect("condition" in read && checkCondition(read.condition, {})).toEqual({ type: "value", isTrue: true })
  })
})

describe("197: a gate whose condition fails is shut; one that is no truth value counts as Python has it", () => {
  test.each<[string, string, Json, readonly string[], RegExp]>([
    ["an error blocks", "command > 3", { block: "no" }, [], /could not judge it: its `when` failed/],
    ["an error in what runs a command blocks", "1 / 0", { run: "true" }, [], /divides by zero/],
    [
      "an error in what spawns blocks",
      "1 / 0",
      { spawn_agent: { agent: "worker", prompt: "x" } },
      [],
      /divides by zero/,
    ],
    ["an error elsewhere is passed over", "1 / 0", { set_variable: { a: 1 } }, ["lead: hello"], /^noted$/],
    ["a text is true", "tool_name", { block: "no" }, [], /Not permitted: no/],
    ["an empty one is false", "''", { block: "no" }, ["lead: hello"], /^noted$/],
    ["a list is true", "[0]", { block: "no" }, [], /Not permitted: no/],
    ["null is false", "command", { block: "no" }, ["lead: hello"], /^noted$/],
  ])("%s", async (_, when, effect, noted, text) => {
    const found = await run({ before_tool: { when, ...(effect as object) } })
    expect([found.noted, found.results[0]]).toEqual([noted, expect.stringMatching(text)])
  })

  test("the failure is in the log", async () => {
    const { events } = await run({ before_tool: { when: "1 / 0", set_variable: { a: 1 } } })
    expect(events.find((event) => event.type === "hook-end")).toMatchObject({
      problems: [expect.stringMatching(/^project: before_tool: its `when` failed: .*divides by zero/)],
    })
  })
})

describe("198: what comes from a model or a tool is data, in conditions and in templates", () => {
  const hostile = "{{ 7 * 7 }} {% include '/etc/passwd' %} $" + "{7*7} <% 7*7 %> {{ variables.secret }}"
  test("in a reason", async () => {
    const { results: told } = await run(
      { before_tool: { block: "Not {{ tool_input.text }}" } },
      { script: { lead: [note(hostile), { text: "done" }] }, variables: { secret: "s3cret" } },
    )
    expect(told).toEqual([`Not permitted: Not ${hostile}`])
  })

  test("in a variable, a context and an argument, however often it is handed on", async () => {
    const { noted, state } = await run(
      {
        before_tool: [
          { set_variable: { said: "{{ tool_input.text }}" } },
          { set_variable: { again: "{{ variables.said }}" } },
          { inject_context: "{{ variables.again }}", rewrite_input: { text: "{{ variables.again }}" } },
        ],
      },
      { script: { lead: [note(hostile), { text: "done" }] } },
    )
    expect([noted, state.variables]).toEqual([[`lead: ${hostile}`], { said: hostile, again: hostile }])
    expect([...state.messages].at(-2)!.text).toBe(`Note from a hook: ${hostile}`)
  })

  test("a result is no condition", async () => {
    const { noted } = await run(
      { before_tool: { when: "tool_input.text == 'no'", block: "x" } },
      { script: { lead: [note("' or true or '"), { text: "done" }] } },
    )
    expect(noted).toEqual(["lead: ' or true or '"])
  })
})

describe("199: templates reach nothing beyond their values, and end", () => {
  test.each([
    "{{ self.__init__.__globals__ }}",
    "{% include '/etc/passwd' %}",
    "{% import 'os' as os %}",
    "{{ env.API_KEY }}",
    "{{ process.env.HOME }}",
    "{{ lookup('env', 'HOME') }}",
  ])("%s is refused before anything runs", async (text) => {
    await expect(run({ before_tool: { block: text } })).rejects.toMatchObject({ code: "HOOK_INVALID" })
  })

  test("what lies on every object of JavaScript is not called: the gate is shut", async () => {
    const text = "{{ task.constructor.constructor('return process')() }}"
    const { noted, results: told } = await run({ before_tool: { block: text } })
    expect([noted, told[0]]).toEqual([[], expect.stringMatching(/could not judge it: its `block` failed/)])
  })

  test.each([
    "{% for a in range(1000000000) %}x{% endfor %}",
    "{% for a in range(9999) %}{% for b in range(9999) %}{% for c in range(9999) %}x{% endfor %}{% endfor %}{% endfor %}",
    "{{ 'x' * 1000000000 }}",
  ])("%s is cut off", (text) => {
    const template = parseTemplate(text)
    const began = process.cpuUsage()
    expect(template.type === "template" && renderTemplate(template, {}).type).toBe("failed")
    expect(process.cpuUsage(began).user).toBeLessThan(2_000_000)
  })
})

describe("200: variables are typed, of their run, and bounded; they reach neither environment nor policy", () => {
  test.each<[string, { readonly [name: string]: Json }]>([
    ["__proto__", JSON.parse('{"__proto__": {"polluted": true}}')],
    ["a line break", { "a\nb": 1 }],
    ["a NUL", { "a\0b": 1 }],
    ["no name", { "": 1 }],
    ["too much", { a: "x".repeat(1_000_001) }],
    ["what is no JSON", { a: (() => 1) as never }],
  ])("%s cannot be set", async (_, variables) => {
    await expect(run({}, { variables })).rejects.toMatchObject({ code: "VARIABLE_INVALID" })
  })

  test("what a child sets stays its own", async () => {
    const { state } = await run(
      { before_tool: { when: "depth == 1", set_variable: { child: true } } },
      {
        agents: ["lead", "worker"].map((name) => ({ name, instructions: "x" })),
        script: {
          lead: [{ calls: [{ tool: "Agent", input: { agent: "worker", prompt: "x" } }] }, { text: "done" }],
          worker: [note("x"), { text: "done" }],
        },
      },
    )
    expect(state.variables).toEqual({})
  })
})

describe("206: nothing that is written in a hook or a workflow runs as a program", () => {
  const programs = [
    "import('fs')",
    "require('fs')",
    "process.binding('fs')",
    "process.mainModule.require('fs')",
  ]
  const places: readonly [string, (text: string) => { hooks?: Json; workflow?: Json }][] = [
    ["a condition", (when) => ({ hooks: { before_tool: { when, block: "no" } } })],
    ["a template", (text) => ({ hooks: { before_tool: { set_variable: { a: `{{ ${text} }}` } } } })],
    ["a transition", (when) => ({ workflow: { steps: [{ name: "a", transitions: { to: "a", when } }] } })],
    ["an exit", (when) => ({ workflow: { steps: [{ name: "a", exit_when: when }] } })],
    [
      "an entry",
      (text) => ({ workflow: { steps: [{ name: "a", on_enter: { inject_context: `{{ ${text} }}` } }] } }),
    ],
  ]
  test.each(places.flatMap(([place, written]) => programs.map((text) => [place, text, written] as const)))(
    "%s: %s",
    async (_, text, written) => {
      const { hooks = {}, workflow } = written(text)
      const lead = { name: "lead", instructions: "x", ...(workflow !== undefined && { workflow }) }
      const lifecycle = withWorkflows(createHookSource([{ name: "project", of: "project", hooks }]), [])
      await expect(run({}, { agents: [lead], runtime: { lifecycle } })).rejects.toMatchObject({
        code: expect.stringMatching(/^(?:HOOK|WORKFLOW)_INVALID$/),
      })
    },
  )

  test("no source has anything that could: neither node:vm nor code that is made of text", () => {
    const source = path.resolve(import.meta.dirname, "../../src")
    const made = /["'](?:node:)?vm["']|\bnew Function\b|(?<![\w.])eval\(/
    const found = readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .filter((name) => made.test(readFileSync(path.join(source, name), "utf8")))
    expect(found).toEqual([])
  })
})
