import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import type { Json } from "../../ground/message.ts"
import { createValidator } from "../../ground/schema/schema.ts"
import { buildConfigurationSchema } from "./schema.ts"
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
    ["command: 1", naming("`executors.one.command` must be text", "1", "quotes")],
    ["command: [agent, 1]", expect.stringMatching(/^`executors\.one\.command`.*texts.*1.*quotes/)],
    ["command: []", expect.stringMatching(/^`executors\.one\.command`.*begin/)],
    [
      "command: agent | tee log",
      expect.stringMatching(/^`executors\.one\.command` contains \|.*shell.*quotes/),
    ],
    ["command: agent 'x", naming("`executors.one.command` has an unclosed '")],
    ["prompt: file", expect.stringMatching(/^`executors\.one`.*program/)],
    [
      "command: agent, prompt: file",
      expect.stringMatching(/^`executors\.one`.*gets.*a file.*`\{prompt_file\}`/),
    ],
    [
      "command: agent, prompt: argument",
      expect.stringMatching(/^`executors\.one`.*gets.*an argument.*`\{prompt\}`/),
    ],
    [
      'command: [agent, "{prompt}"]',
      expect.stringMatching(/^`executors\.one`.*`\{prompt\}`.*meaning.*stdin`: set `prompt: argument`/),
    ],
    ["command: agent, prompt: pipe", naming("`executors.one.prompt`", "stdin, file, argument")],
    ["command: agent, text: a..b", expect.stringMatching(/^`executors\.one\.text`.*dots/)],
    ["command: agent, text: result", expect.stringMatching(/^`executors\.one`.*`text`.*prints.*`text`/)],
    [
      "command: agent, result: text, value: out.0",
      expect.stringMatching(/^`executors\.one`.*`value`.*prints.*`value`/),
    ],
    [
      "command: agent, usage: {cost: total_cost_usd}",
      expect.stringMatching(/^`executors\.one`.*`usage`.*prints/),
    ],
    [
      "command: agent, result: json, usage: {tokens: usage}",
      naming("`executors.one.usage`", '"tokens"', "input, output, cost"),
    ],
    ["command: agent, result: json, usage: {cost: 1}", naming("`executors.one.usage` at cost must be text")],
    [
      "command: agent, options: {modle: --model}",
      naming(
        "`executors.one.options`",
        '"modle"',
        "model, effort, tools, noTools, disallowedTools, uses, disallowedUses, schema",
      ),
    ],
    [
      "command: agent, options: {model: --model}",
      expect.stringMatching(/^`executors\.one\.options`.*model.*marks/),
    ],
    [
      "command: agent, options: {noTools: [--tools, '{}']}",
      expect.stringMatching(/^`executors\.one\.options`.*noTools/),
    ],
    [
      "command: agent, options: {tools: [--allowedTools, '{}']}",
      expect.stringMatching(/^`executors\.one\.options` has `--allowedTools` at tools.*--allowedTools/),
    ],
    [
      "command: agent, options: {uses: '--allowed-tools={}'}",
      expect.stringMatching(/^`executors\.one\.options` has `--allowedTools` at uses.*--allowedTools/),
    ],
    ["command: agent, environment: [A=b]", expect.stringMatching(/^`executors\.one\.environment`.*visible/)],
    ["command: agent, timeout: 0", naming("`executors.one.timeout` must be a number", "1")],
  ])("%s", (keys, message) => {
    const { executors, findings } = read({ user: `executors: {one: {${keys}}}\n` })
    expect(executors).toEqual({})
    expect(findings[0]).toEqual(naming(message))
  })

  test("a misspelled key", () => {
    expect(read({ user: "executors: {one: {command: agent, promt: file}}\n" })).toEqual({
      executors: {},
      findings: [
        expect.stringMatching(
          /^configuration-key 1:35 `executors\.one\.promt`.*"prompt".*command, environment, network, options, prompt, result, sandbox, text, timeout, usage, value, visible, writable.?$/,
        ),
        expect.stringMatching(/^configuration-type 1:18 `executors\.one`/),
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
      expect(findings[0]).toEqual(naming(`\`executors.one.${name}\``, "access"))
    },
  )
})

test("editors know the keys", async () => {
  const check = createValidator(buildConfigurationSchema())
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
  ["a $HOME", expect.stringMatching(/^contains \$.*shell.*quotes/)],
  ["", []],
])("words of %s", (text, expected) => {
  expect(splitWords(text)).toEqual(Array.isArray(expected) ? { words: expected } : { problem: expected })
})
