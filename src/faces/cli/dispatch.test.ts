import fs from "node:fs"
import { describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import { CadreError } from "../../ground/errors.ts"
import { version } from "../../ground/version.ts"
import { type CliCommand, defineCommand } from "./command.ts"
import type { ListedCommand } from "./commands.ts"
import { dispatch } from "./dispatch.ts"
import { exitCode } from "./exit-code.ts"
import { UsageError } from "./usage-error.ts"

const show = defineCommand({
  name: "show",
  summary: "Show what was understood",
  arguments: [
    { name: "agent", doc: "Whom to show" },
    { name: "view", doc: "How", count: "optional", choices: ["short", "long"] },
    { name: "file", doc: "Where to look", count: "any" },
  ],
  options: {
    json: { type: "flag", short: "j", doc: "Print JSON" },
    format: { type: "value", short: "f", value: "FORMAT", doc: "The format", choices: ["text", "sarif"] },
    only: {
      type: "value",
      short: "o",
      value: "CODE",
      doc: "Only this rule, several times",
      repeatable: true,
    },
    names: { type: "flag", doc: "For completion", hidden: true },
  },
  examples: [{ line: "cadre show a --json", doc: "Show a as JSON" }],
  async run({ arguments: { agent, view, file }, options, colour, stdout }) {
    stdout.write(JSON.stringify({ agent, view, file, options, colour }))
    return exitCode.fine
  },
})

const failures: Readonly<Record<string, () => unknown>> = {
  usage: () => new UsageError("--a and --b exclude each other."),
  known: () => new CadreError("AGENT_UNKNOWN", 'There is no agent "a\u001b[31m".'),
  system: () => {
    try {
      return fs.readFileSync("/nowhere/a.md")
    } catch (thrown) {
      return thrown
    }
  },
  bug: () => new TypeError("x is not a function"),
  strange: () => "a text",
}

const fail = defineCommand({
  name: "fail",
  summary: "Fail in a chosen way",
  arguments: [{ name: "how", doc: "The way" }],
  options: {},
  examples: [],
  async run({ arguments: { how } }) {
    throw failures[how]?.()
  },
})

const problems = defineCommand({
  name: "problems",
  summary: "Find problems",
  usage: "cadre problems (FILE | --all)",
  arguments: [{ name: "file", doc: "Where", count: "some" }],
  options: {},
  examples: [],
  run: async () => exitCode.problems,
})

const loaded: string[] = []
const listed = (command: CliCommand): ListedCommand => ({
  name: command.name,
  summary: command.summary,
  load: async () => {
    loaded.push(command.name)
    return command
  },
})
const commands = [show, fail, problems].map(listed)

async function answer(line: string, environment: Readonly<Record<string, string>> = {}) {
  const stdout: string[] = []
  const stderr: string[] = []
  const code = await dispatch(
    line === "" ? [] : line.split(" "),
    {
      stdout: { write: (text) => stdout.push(text) },
      stderr: { write: (text) => stderr.push(text) },
      directory: "/",
      environment,
      isTerminal: false,
    },
    commands,
  )
  return { code, stdout: stdout.join(""), stderr: stderr.join("") }
}

describe("what a command gets", () => {
  const nothing = { file: [], options: {}, colour: "off" }
  test.each([
    ["show a", { agent: "a", ...nothing }],
    ["show a short x y", { agent: "a", view: "short", ...nothing, file: ["x", "y"] }],
    ["show -j a", { agent: "a", ...nothing, options: { json: true } }],
    ["show a --format sarif", { agent: "a", ...nothing, options: { format: "sarif" } }],
    ["show a --format=text -jfsarif", { agent: "a", ...nothing, options: { json: true, format: "sarif" } }],
    ["show a --only x -o y --only=-z", { agent: "a", ...nothing, options: { only: ["x", "y", "-z"] } }],
    ["show -- --json", { agent: "--json", ...nothing }],
    ["show a --names", { agent: "a", ...nothing, options: { names: true } }],
    ["--no-color show a", { agent: "a", ...nothing }],
  ])("%s", async (line, expected) => {
    const { code, stdout, stderr } = await answer(line)
    expect({ code, stderr, values: JSON.parse(stdout) }).toEqual({ code: 0, stderr: "", values: expected })
  })

  test.each([
    [{ FORCE_COLOR: "1" }, "show a", "on"],
    [{ FORCE_COLOR: "1" }, "show a --no-color", "off"],
    [{ FORCE_COLOR: "1" }, "--no-color show a", "off"],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, "show a", "off"],
  ])("colour with %j in %j", async (environment, line, colour) => {
    expect(JSON.parse((await answer(line, environment)).stdout).colour).toBe(colour)
  })
})

describe("a wrong command line is answered with 2, the nearest name and where to get help", () => {
  const general = 'Run "cadre --help" for help.'
  const special = 'Run "cadre help show" for help.'
  test.each([
    ["shw", 'Unknown command "shw". Did you mean "show"? Known: fail, help, problems, show.', general],
    ["prob", 'Unknown command "prob". Did you mean "problems"? Known: fail, help, problems, show.', general],
    ["xyzzy --json", 'Unknown command "xyzzy". Known: fail, help, problems, show.', general],
    ["help shw", 'Unknown command "shw". Did you mean "show"? Known: fail, help, problems, show.', general],
    ["help show fail", expect.stringMatching(/Unexpected.*argument.*"fail".?$/), general],
    [
      "--verson",
      'Unknown option "--verson" of "cadre". Did you mean "--version"? Known: --help, --no-color, --version.',
      general,
    ],
    [
      "show a --jsn",
      'Unknown option "--jsn" of "cadre show". Did you mean "--json"? Known: --format, --help, --json, --no-color, --only.',
      special,
    ],
    [
      "show a -x",
      'Unknown option "-x" of "cadre show". Known: --format, --help, --json, --no-color, --only.',
      special,
    ],
    ["show", "Missing argument AGENT. Usage: cadre show [OPTIONS] AGENT [VIEW] [FILE...]", special],
    [
      "problems",
      "Missing argument FILE. Usage: cadre problems (FILE | --all)",
      special.replace("show", "problems"),
    ],
    ["fail bug x", '"cadre fail" takes one argument. Unexpected: "x".', special.replace("show", "fail")],
    [
      "fail bug x y",
      '"cadre fail" takes one argument. Unexpected: "x" and 1 more.',
      special.replace("show", "fail"),
    ],
    ["show a lang", 'Unknown value "lang" for VIEW. Did you mean "long"? Known: long, short.', special],
    ["show a --format xml", 'Unknown value "xml" for --format. Known: sarif, text.', special],
    [
      "show a --format",
      expect.stringMatching(/^--format needs a.*value.*--format FORMAT.*--format=VALUE.?$/),
      special,
    ],
    ["show a -f --json", expect.stringMatching(/^-f needs a.*value.*-f FORMAT.*--format=VALUE.?$/), special],
    ["show a --json=yes", '--json takes no value. Remove "yes".', special],
    [
      "show a --__proto__",
      'Unknown option "--__proto__" of "cadre show". Known: --format, --help, --json, --no-color, --only.',
      special,
    ],
    ["fail usage", "--a and --b exclude each other.", special.replace("show", "fail")],
    ["\u001b[31m", 'Unknown command "\\u001b[31m". Known: fail, help, problems, show.', general],
  ])("cadre %s", async (line, message, help) => {
    expect(await answer(line)).toEqual({
      code: 2,
      stdout: /--json(?!=)/.test(line) ? expect.stringContaining('"code": "USAGE"') : "",
      stderr: naming("cadre: ", message, `\n${help}\n`),
    })
  })
})

describe("what fails in a command", () => {
  const fault = ["CADRE_DEBUG=1"]
  test.each([
    ["known", 1, 'There is no agent "a\\u{1b}[31m". (AGENT_UNKNOWN)'],
    ["system", 1, "ENOENT: no such file or directory, open '/nowhere/a.md'"],
    ["bug", 70, naming("x is not a function\n", ...fault)],
    ["strange", 70, naming("a text\n", ...fault)],
    ["anything", 70, naming("undefined\n", ...fault)],
  ])("%s", async (how, code, message) => {
    expect(await answer(`fail ${how}`)).toEqual({
      code,
      stdout: "",
      stderr: naming("cadre: ", message, "\n"),
    })
  })

  test("shows where with CADRE_DEBUG=1", async () => {
    const { code, stderr } = await answer("fail bug", { CADRE_DEBUG: "1" })
    expect(code).toBe(70)
    expect(stderr).toMatch(/^ {4}at .*dispatch\.test\.ts/m)
  })

  test("its own exit code is the one of the process", async () => {
    expect(await answer("problems a")).toEqual({ code: 1, stdout: "", stderr: "" })
  })
})

const overview = `cadre defines, checks, converts, routes, runs, observes and tests subagents.

Usage: cadre COMMAND [OPTIONS] [ARGUMENTS]

Commands:
  show      Show what was understood
  fail      Fail in a chosen way
  problems  Find problems
  help      Show the help of a command

Options:
  -h, --help      Show help
      --no-color  Print without colours (same as NO_COLOR=1)
  -v, --version   Print the version

Examples:
  cadre list
      List every agent that cadre finds here
  cadre check
      Check their files
  cadre help check
      Show the help of one command

Run "cadre help COMMAND" for the options and examples of a command.
`

const showHelp = `Show what was understood.

Usage: cadre show [OPTIONS] AGENT [VIEW] [FILE...]

Arguments:
  AGENT  Whom to show
  VIEW   How: short, long
  FILE   Where to look

Options:
  -j, --json           Print JSON
  -f, --format FORMAT  The format: text, sarif
  -o, --only CODE      Only this rule, several times
  -h, --help           Show help
      --no-color       Print without colours (same as NO_COLOR=1)

Examples:
  cadre show a --json
      Show a as JSON
`

describe("help and version", () => {
  test.each([
    ["--help", overview],
    ["-h", overview],
    ["help", overview],
    ["help help", overview],
    ["help --help", overview],
    ["--no-color --help", overview],
    ["--version", `${version}\n`],
    ["-v", `${version}\n`],
    ["--no-color --version show", `${version}\n`],
  ])("%s loads no command", async (line, expected) => {
    loaded.length = 0
    expect(await answer(line)).toEqual({ code: 0, stdout: expected, stderr: "" })
    expect(loaded).toEqual([])
  })

  test.each(["help show", "show --help", "show -h", "--help show", "show --wrong a --help"])(
    "%s loads one",
    async (line) => {
      loaded.length = 0
      expect(await answer(line)).toEqual({ code: 0, stdout: showHelp, stderr: "" })
      expect(loaded).toEqual(["show"])
    },
  )

  test("a word after -- is no wish for help", async () => {
    expect(JSON.parse((await answer("show -- --help")).stdout).agent).toBe("--help")
  })

  test("a usage that is written out is shown as it is", async () => {
    expect((await answer("help problems")).stdout).toContain("Usage: cadre problems (FILE | --all)\n")
  })

  test.each(["", "--no-color"])("nothing asked for is wrong, and explained: %j", async (line) => {
    expect(await answer(line)).toEqual({ code: 2, stdout: "", stderr: overview })
  })
})
