import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { Json } from "../../ground/message.ts"
import { validator } from "../../ground/schema/schema.ts"
import { configurationSchema } from "./schema.ts"
import { splitWords } from "./split-words.ts"
import { readBoth } from "./support.ts"

let folder = ""
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-executors-")))
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

function read(files: Parameters<typeof readBoth>[1]) {
  const { configuration, findings } = readBoth(folder, files)
  return { executors: configuration.executors, findings }
}

const every = `
executors:
  all:
    command: [~/bin/agent, run, "{prompt_file}"]
    prompt: file
    result: json
    text: result.text
    value: result.value
    options: { model: "--model {}", tools: [--tools, "{}"] }
    timeout: 600000
    environment: [ACME_API_KEY]
    sandbox: required
    network: full
    writable: [~/.agent]
    visible: [tools]
  line:
    command: agent -p 'two words' "a \\"b\\""
  none:
`

test("every key, and a command as a list or as one line", () => {
  expect(read({ user: every })).toEqual({
    executors: {
      all: {
        command: [path.join(folder, "home/bin/agent"), "run", "{prompt_file}"],
        prompt: "file",
        result: "json",
        text: "result.text",
        value: "result.value",
        options: { model: ["--model", "{}"], tools: ["--tools", "{}"] },
        timeout: 600_000,
        environment: ["ACME_API_KEY"],
        sandbox: "required",
        network: "full",
        writable: [path.join(folder, "home/.agent")],
        visible: [path.join(folder, "user/tools")],
      },
      line: { command: ["agent", "-p", "two words", 'a "b"'] },
    },
    findings: [],
  })
})

describe("what is wrong with one leaves it out, and says where and why", () => {
  test.each<[string, string]>([
    ["command: 1", "`executors.one.command` must be text; put 1 in quotes, or a list; it is left out."],
    ["command: [agent, 1]", "`executors.one.command` must be texts; put 1 in quotes; it is left out."],
    ["command: []", "`executors.one.command` must begin with the name of a program; it is left out."],
    [
      "command: agent | tee log",
      "`executors.one.command` has | in it, and no shell reads it: put it in quotes, or write the words as a list; it is left out.",
    ],
    ["command: agent 'x", "`executors.one.command` has a ' that is not closed; it is left out."],
    ["prompt: file", "`executors.one` names no program: give it a `command`; it is left out."],
    [
      "command: agent, prompt: file",
      "`executors.one` is given its prompt as a file, but `{prompt_file}` is in none of its arguments: put it there; it is left out.",
    ],
    [
      "command: agent, prompt: argument",
      "`executors.one` is given its prompt as an argument, but `{prompt}` is in none of its arguments: put it there; it is left out.",
    ],
    [
      'command: [agent, "{prompt}"]',
      "`executors.one` has `{prompt}` in its arguments, which stands for nothing with `prompt: stdin`: set `prompt: argument`, or take it out; it is left out.",
    ],
    [
      "command: agent, prompt: pipe",
      "`executors.one.prompt` must be one of stdin, file, argument; it is left out.",
    ],
    [
      "command: agent, text: a..b",
      "`executors.one.text` must be names with dots between them, such as `result.text`; it is left out.",
    ],
    [
      "command: agent, text: result",
      "`executors.one` has `text`, which is found in a JSON value, but prints text: set `result: json`, or take it out; it is left out.",
    ],
    [
      "command: agent, result: text, value: out.0",
      "`executors.one` has `value`, which is found in a JSON value, but prints text: set `result: json`, or take it out; it is left out.",
    ],
    [
      "command: agent, usage: {cost: total_cost_usd}",
      "`executors.one` has `usage`, which is found in a JSON value, but prints text",
    ],
    [
      "command: agent, result: json, usage: {tokens: usage}",
      '`executors.one.usage` has "tokens", but it has input, output, cost; it is left out.',
    ],
    [
      "command: agent, result: json, usage: {cost: 1}",
      "`executors.one.usage` at cost must be text; it is left out.",
    ],
    [
      "command: agent, options: {modle: --model}",
      '`executors.one.options` has "modle", but it has model, effort, tools, noTools, disallowedTools, uses, disallowedUses, schema; it is left out.',
    ],
    [
      "command: agent, options: {model: --model}",
      "`executors.one.options` has at model no `{}`, which stands for what the agent says; it is left out.",
    ],
    [
      "command: agent, options: {noTools: [--tools, '{}']}",
      "`executors.one.options` has at noTools what must be words for no tools at all, without `{}`: nothing is there to stand for it; it is left out.",
    ],
    [
      "command: agent, options: {tools: [--allowedTools, '{}']}",
      "`executors.one.options` has `--allowedTools` at tools, which approves tools in advance and takes none away. `--tools` does, as in [--tools, '{}', --allowedTools, '{}']; it is left out.",
    ],
    [
      "command: agent, options: {uses: '--allowed-tools={}'}",
      "`executors.one.options` has `--allowedTools` at uses, which approves tools in advance and takes none away. `--tools` does, as in [--tools, '{}', --allowedTools, '{}']; it is left out.",
    ],
    [
      "command: agent, environment: [A=b]",
      "`executors.one.environment` holds names alone: a value would be written out here. To set one, let the command begin with `env NAME=value`; it is left out.",
    ],
    ["command: agent, timeout: 0", "`executors.one.timeout` must be a number, 1 or more; it is left out."],
  ])("%s", (keys, message) => {
    const { executors, findings } = read({ user: `executors: {one: {${keys}}}\n` })
    expect(executors).toEqual({})
    expect(findings[0]).toContain(message)
  })

  test("a misspelled key", () => {
    expect(read({ user: "executors: {one: {command: agent, promt: file}}\n" })).toEqual({
      executors: {},
      findings: [
        'configuration-key 1:35 `executors.one.promt` is no setting and has no effect. Did you mean "prompt"? Known: command, environment, network, options, prompt, result, sandbox, text, timeout, usage, value, visible, writable.',
        "configuration-type 1:18 `executors.one` is wrong in a part that cannot be left out alone; it is left out.",
      ],
    })
  })

  test("a key that is written out is not shown", () => {
    const secret = "sk-ant-api03-0123456789abcdefghij"
    const { executors, findings } = read({ user: `executors: {one: {command: agent --key ${secret}}}\n` })
    expect(executors).toEqual({})
    expect(findings[0]).toContain("such as `environment: [ACME_API_KEY]`")
    expect(findings.join()).not.toContain(secret)
  })
})

describe("a project's file", () => {
  test("adds executors, and changes none of the person's", () => {
    expect(
      read({
        user: "executors: {mine: {command: agent -p}}\n",
        project: "executors: {mine: {command: other}, theirs: {command: ./bin/agent, timeout: 5}}\n",
      }),
    ).toEqual({
      executors: {
        mine: { command: ["agent", "-p"] },
        theirs: { command: [path.join(folder, "project/bin/agent")], timeout: 5 },
      },
      findings: [],
    })
  })

  test.each(["environment: [KEY]", "sandbox: off", "network: full", "writable: [x]", "visible: [x]"])(
    "cannot say %s",
    (key) => {
      const [name] = key.split(":")
      const { executors, findings } = read({ project: `executors: {one: {command: agent, ${key}}}\n` })
      expect(executors).toEqual({})
      expect(findings[0]).toContain(
        `\`executors.one.${name}\` is left out: only your own configuration may say it, because a project's file could give a program of its own your keys, or the run of your files, with it.`,
      )
    },
  )
})

test("editors know the keys", async () => {
  const check = validator(configurationSchema())
  const entry = (executor: Json) => check({ executors: { one: executor } })
  expect(
    await entry({ command: "agent -p", prompt: "stdin", options: { model: ["--model", "{}"] } }),
  ).toHaveProperty("value")
  for (const wrong of [{}, { command: [] }, { command: "a", prompt: "pipe" }, { command: "a", x: 1 }])
    expect(await entry(wrong as Json)).toHaveProperty("problem")
})

test.each<[string, readonly string[] | string]>([
  ["a  b\tc", ["a", "b", "c"]],
  ["a '' \"\"", ["a", "", ""]],
  [`a'b c'"d e"\\ f`, ["ab cd e f"]],
  ['"a\\\\b\\"c\\d"', ['a\\b"c\\d']],
  ["'$HOME `x`'", ["$HOME `x`"]],
  ["a $HOME", "has $ in it, and no shell reads it: put it in quotes, or write the words as a list"],
  ["", []],
])("words of %s", (text, expected) => {
  expect(splitWords(text)).toEqual(typeof expected === "string" ? { problem: expected } : { words: expected })
})
