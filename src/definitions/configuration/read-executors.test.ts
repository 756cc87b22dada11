import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { Json } from "../../ground/message.ts"
import { createValidator } from "../../ground/schema/schema.ts"
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
    [
      "command: 1",
      "`executors.one.command` must be text; put 1 in quotes, or a list. No run starts with this setting.",
    ],
    [
      "command: [agent, 1]",
      "`executors.one.command` must be a list of texts; put 1 in quotes. No run starts with this setting.",
    ],
    [
      "command: []",
      "`executors.one.command` must begin with the name of a program. No run starts with this setting.",
    ],
    [
      "command: agent | tee log",
      "`executors.one.command` contains |, but it does not run in a shell: put it in quotes, or write the words as a list. No run starts with this setting.",
    ],
    ["command: agent 'x", "`executors.one.command` has an unclosed '. No run starts with this setting."],
    ["prompt: file", "`executors.one` names no program: add a `command`. No run starts with this setting."],
    [
      "command: agent, prompt: file",
      "`executors.one` gets its prompt as a file, but none of its arguments has `{prompt_file}`: add it. No run starts with this setting.",
    ],
    [
      "command: agent, prompt: argument",
      "`executors.one` gets its prompt as an argument, but none of its arguments has `{prompt}`: add it. No run starts with this setting.",
    ],
    [
      'command: [agent, "{prompt}"]',
      "`executors.one` has `{prompt}` in its arguments, which has no meaning with `prompt: stdin`: set `prompt: argument`, or remove it. No run starts with this setting.",
    ],
    [
      "command: agent, prompt: pipe",
      "`executors.one.prompt` must be one of stdin, file, argument. No run starts with this setting.",
    ],
    [
      "command: agent, text: a..b",
      "`executors.one.text` must be names separated by dots, such as `result.text`. No run starts with this setting.",
    ],
    [
      "command: agent, text: result",
      "`executors.one` has `text`, which needs a JSON result, but prints text: set `result: json`, or remove `text`. No run starts with this setting.",
    ],
    [
      "command: agent, result: text, value: out.0",
      "`executors.one` has `value`, which needs a JSON result, but prints text: set `result: json`, or remove `value`. No run starts with this setting.",
    ],
    [
      "command: agent, usage: {cost: total_cost_usd}",
      "`executors.one` has `usage`, which needs a JSON result, but prints text",
    ],
    [
      "command: agent, result: json, usage: {tokens: usage}",
      '`executors.one.usage` has the unknown key "tokens". Known: input, output, cost. No run starts with this setting.',
    ],
    [
      "command: agent, result: json, usage: {cost: 1}",
      "`executors.one.usage` at cost must be text. No run starts with this setting.",
    ],
    [
      "command: agent, options: {modle: --model}",
      '`executors.one.options` has the unknown key "modle". Known: model, effort, tools, noTools, disallowedTools, uses, disallowedUses, schema. No run starts with this setting.',
    ],
    [
      "command: agent, options: {model: --model}",
      "`executors.one.options` has no `{}` at model, which marks the place of the agent's value. No run starts with this setting.",
    ],
    [
      "command: agent, options: {noTools: [--tools, '{}']}",
      "`executors.one.options` must have at noTools the words for no tools at all, without `{}`. No run starts with this setting.",
    ],
    [
      "command: agent, options: {tools: [--allowedTools, '{}']}",
      "`executors.one.options` has `--allowedTools` at tools, which approves tools in advance and removes none. Use `--tools`, as in [--tools, '{}', --allowedTools, '{}']. No run starts with this setting.",
    ],
    [
      "command: agent, options: {uses: '--allowed-tools={}'}",
      "`executors.one.options` has `--allowedTools` at uses, which approves tools in advance and removes none. Use `--tools`, as in [--tools, '{}', --allowedTools, '{}']. No run starts with this setting.",
    ],
    [
      "command: agent, environment: [A=b]",
      "`executors.one.environment` must contain only names, because a value would be visible here. To set a value, begin the command with `env NAME=value`. No run starts with this setting.",
    ],
    [
      "command: agent, timeout: 0",
      "`executors.one.timeout` must be a number, 1 or more. No run starts with this setting.",
    ],
  ])("%s", (keys, message) => {
    const { executors, findings } = read({ user: `executors: {one: {${keys}}}\n` })
    expect(executors).toEqual({})
    expect(findings[0]).toContain(message)
  })

  test("a misspelled key", () => {
    expect(read({ user: "executors: {one: {command: agent, promt: file}}\n" })).toEqual({
      executors: {},
      findings: [
        'configuration-key 1:35 `executors.one.promt` is not a setting and has no effect. Did you mean "prompt"? Known: command, environment, network, options, prompt, result, sandbox, text, timeout, usage, value, visible, writable.',
        "configuration-type 1:18 `executors.one` has an invalid part. No run starts with this setting.",
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
        `\`executors.one.${name}\` is not allowed in a project's configuration: only your own may set it. A project could use it to give its own program your keys, or access to your files.`,
      )
    },
  )
})

test("editors know the keys", async () => {
  const check = createValidator(configurationSchema())
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
  ["a $HOME", "contains $, but it does not run in a shell: put it in quotes, or write the words as a list"],
  ["", []],
])("words of %s", (text, expected) => {
  expect(splitWords(text)).toEqual(typeof expected === "string" ? { problem: expected } : { words: expected })
})
