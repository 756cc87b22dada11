import { describe, expect, test } from "vitest"
import type { Json } from "../../ground/message.ts"
import { checkCondition } from "../../language/expression/condition.ts"
import { readWhen } from "./when.ts"

const call = {
  event: "before_tool",
  agent: "lead",
  run: "r",
  depth: 0,
  parent: null,
  variables: { validation_model: "haiku", off: null, list: ["a", { b: 1 }], count: 3 },
  tool_name: "Bash",
  tool_input: { command: "cd x && pytest tests/", options: { deep: [1, 2] }, None: 1 },
  command: "cd x && pytest tests/",
} as const

function asked(text: string, offered: Readonly<Record<string, Json>> = call): unknown {
  const read = readWhen(text)
  if ("problems" in read) return read.problems
  const answer = checkCondition(read.condition, offered)
  return answer.type === "value" ? answer.isTrue : `fails: ${answer.problem.message}`
}

describe("when", () => {
  test.each<[string, boolean]>([
    ['tool_name == "Bash" and ("pytest" in command or "ruff" in command or "mypy" in command)', true],
    ["tool_name == 'Read'", false],
    ["variables.validation_model is not null", true],
    ["variables.validation_model is not None and variables.off is none", true],
    ["variables.off == null and variables.missing == None", true],
    ["not variables.missing", true],
    ["0 <= depth < 3", true],
    ["0 < depth < 3", false],
    ["variables.count in [1, 2, 3] and 4 not in [1, 2]", true],
    ["'a' in variables.list and variables.list[1].b == 1", true],
    ["tool_input['options'].deep[-1] == 2", true],
    ["tool_input.None == 1", true],
    ["command.startswith('cd') and command.split()[0].upper() == 'CD'", true],
    ["variables.get('missing', 'x') == 'x'", true],
    [
      "len(variables.list) == 2 and any(variables.list) and str(depth) == '0' and int('3') == variables.count",
      true,
    ],
    ["True and not False", true],
    ["'yes' if depth == 0 else ''", true],
    ["result", false],
    ["'x' in result", false],
    ["'x' not in result", true],
    ["tool_input.a.b.c == null", true],
    ["'x' in tool_input.a.b", false],
    ["'' in ''", true],
    // Bound as in Python: none of these was so before.
    ["variables.count + 1 is None", false],
    ["variables.count - 3 is not None", true],
    ["-variables.count ** 2 == -9 and 2 ** 3 ** 2 == 512", true],
    ["not variables.off is None", false],
    ["any(word in {'pytest', 'ruff'} for word in command.split())", true],
    ["[item for item in variables.list if item is not None][0] == 'a'", true],
    ["f'{tool_name}:{depth}' in {f'Bash:{n}' for n in range(3)}", true],
    ["{key: value for key, value in variables.items() if value is None} == {'off': None}", true],
    ["[event for event in ['x']] == ['x'] and event == 'before_tool'", true],
  ])("%s is %s", (text, answer) => expect(asked(text)).toBe(answer))

  test("YAML may fold it over lines", () => {
    expect(asked('tool_name == "Bash"\n  and "pytest"\n  in command\n')).toBe(true)
  })

  test.each<[string, number, RegExp]>([
    ["tool_nam == 'Bash'", 0, /^Unknown name "tool_nam".* Did you mean "tool_name"\? Known: agent, /],
    ["depth == 1 and validation_model", 15, /variable/],
    ["tool_name = 'Bash'", 10, /Unexpected "="/],
    ["tool_name == ", 13, /Unexpected end/],
    ["command matches 'x'", 8, /Unexpected "matches"/],
    ["any(word == x for word in command.split())", 12, /^Unknown name "x"/],
    ["[word for word in command.split()] == word", 38, /^Unknown name "word"/],
    [
      "depth == 0 and mcp_called('a', 'b')",
      15,
      /^Unknown function "mcp_called": it is Gobby's own.* Known: abs, all, any, /,
    ],
    ["lem(command) > 3", 0, /^Unknown function "lem"\. Did you mean "len"\? Known: abs, /],
    ["depth(1)", 0, /^Unknown function "depth"\. Known: abs, /],
    ["command | length > 3", 10, /^`length`.*Python.*len\(…\).?$/],
    ["variables.count is number", 19, /^`number` is a test of templates\./],
    ["variables.count is defined", 19, /^`is defined` is for templates\..*`is not None`/],
    ["tool_input.items", 11, /^`\.items`.*method.*true\..*`\["items"\]`/],
    ["lambda: 1", 0, /`lambda` cannot be used/],
    ["(".repeat(10_000), 100, /./],
    [`'${"x".repeat(1_000_000)}'`, 10_000, /condition.*10000.*characters/],
  ])("%.40s is refused before it is ever asked, at %i", (text, offset, message) => {
    expect(asked(text)).toMatchObject([{ offset, message: expect.stringMatching(message) }])
  })

  test.each<[string, RegExp]>([
    ["command > 3", /cannot be compared by size/],
    ["result.upper()", /none cannot be called/],
    ["1 / 0", /divides by zero/],
    ["'x' * 2000000", /more than 1000000 characters/],
    ["9 ** 99999", /digits|steps/],
    ["range(100000)", /more than 10000 items/],
    ["[*range(9000)] * 2", /items|steps/],
    ["[x for x in range(9000) for y in range(9000)]", /more than 10000 items/],
    ["[x for x in result]", /none cannot be looped over/],
    ["f'{command:>9999999}'", /more than 1000000 characters/],
  ])("%s fails as data", (text, message) => expect(asked(text)).toMatch(message))
})

describe("195: nothing but plain data can be reached", () => {
  test.each([
    "constructor.constructor('return process')().exit()",
    "this.constructor",
    "[].map.constructor('return 1')()",
    "''['con'+'structor']['constructor']('return 1')()",
    "''.constructor('x')",
    "tool_input.constructor.constructor('return process')()",
    "tool_input['constructor']('x')",
    "tool_input.__proto__",
    "tool_input['__proto__']['polluted']",
    "tool_input['__pro' ~ 'to__']",
    "variables.__class__.__mro__",
    "().__class__",
    "tool_input.toString()",
    "tool_input.hasOwnProperty('command')",
    "command.replace.call(1)",
    "`$" + "{process.exit()}`",
    "process.env.HOME",
    "globalThis",
    "require('fs')",
    "import('fs')",
    "function() {}",
    "x => x",
    "new Date()",
    "command =~ /(a+)+$/",
    "'{0.__class__}'.format(command)",
    "lambda: 1",
    "eval('1')",
    "variables.__defineGetter__('a', 1)",
    "variables.__lookupGetter__",
    "Object.getPrototypeOf(tool_input)",
    "command`x`",
    "tool_input?.command",
    "command.match('(a+)+$')",
    "variables['__proto__'].polluted = 1",
    "''.sub.constructor('return 1')()",
  ])("%s", (text) => {
    const answer = asked(text)
    expect(typeof answer === "object" || String(answer).startsWith("fails: ")).toBe(true)
  })

  test("what lies on every object of JavaScript is not there", () => {
    for (const name of ["constructor", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf"])
      expect([name, asked(`tool_input.${name} is null and variables['${name}'] is null`)]).toEqual([
        name,
        true,
      ])
  })

  test.each([
    "command.matchAll",
    "[].constructor.prototype.join",
    "(1).constructor",
    "''['con' + 'structor']",
  ])("%s is null", (text) => expect(asked(`(${text}) is null`)).toBe(true))

  test("a function, wherever it stands in the data, is refused and not called", () => {
    let called = 0
    const spy = (() => ++called) as never
    expect(asked("variables.a.b", { variables: { a: { b: spy } } })).toMatch(/^fails: .*plain JSON/)
    expect(asked("variables.a", { variables: { a: new (class Secret {})() as never } })).toMatch(/^fails: /)
    expect(called).toBe(0)
  })

  test("198: data is never read as an expression", () => {
    const hostile = "{{ 1 }} $" + "{1} {% x %} <% y %> ' or 1 == 1 or '"
    expect(asked("command == 'pytest'", { command: hostile })).toBe(false)
    expect(asked("command == variables.same", { command: hostile, variables: { same: hostile } })).toBe(true)
  })
})
