import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { naming } from "../naming.ts"
import { CommandWorld } from "../run-command-kit.ts"

let world: CommandWorld

beforeEach(() => {
  world = new CommandWorld()
  world.put("config/config.yaml", `model: "script:${world.scriptFile}"\n`)
  world.script({})
})
afterEach(() => world.remove())

/** An agent of the project called `bot`, with these lines in its front matter. */
const bot =
  (...lines: readonly string[]) =>
  () =>
    world.agent("bot", lines, "work/.cadre/agents")
const at = (line: number, column: number) => `.cadre/agents/bot.md:${line}:${column}`

interface Found {
  readonly code: string
  readonly severity: string
  readonly message: string
  readonly file: string | null
  readonly range: { readonly start: { readonly line: number; readonly column: number } }
}

const lineOf = ({ file, range: { start }, code, message }: Found): string =>
  `${file}:${start.line}:${start.column} ${code}: ${message}`

test.each([
  ["and nothing else is wrong", [], "4:7"],
  ["and something else is", ["hooks: { before_tool: [{ tools: Bash, block: hooked }] }"], "4:7"],
])("a mode in which no run starts is refused with its place, %s", async (_, lines, place) => {
  bot("mode: self", ...lines)()
  const { stderr } = await world.cadre("run", "bot", "Go.", "--trust")
  expect(stderr.split("\n")[0]).toMatch(
    new RegExp(`^cadre: Agent "bot" .*\`mode\` is self, .*bot\\.md:${place}\\)`),
  )
})

describe("what is written and keeps a run from starting is an error of check with the same code, place and words", () => {
  test.each<[string, () => void, string, string, RegExp]>([
    [
      "a tool of an MCP server",
      bot("tools: Read, mcp__github__list_issues"),
      at(4, 14),
      "tool-mcp",
      /^Agent "bot" names "mcp__github__list_issues",.*No MCP server is configured/,
    ],
    [
      "several of them, in other hosts' spellings",
      bot("tools: [Read, github/list, mcp_jira_get]"),
      at(4, 15),
      "tool-mcp",
      /"github\/list", "mcp_jira_get", which are tools of MCP servers/,
    ],
    [
      "a tool that nobody has",
      bot("tools: Read, Gerp"),
      at(4, 14),
      "tool-unknown",
      /^No tool is named `Gerp`.* Did you mean `Grep`\?$/,
    ],
    [
      "a script",
      bot(
        "tools: lint",
        "toolDefinitions: [{ name: lint, description: d, script: lint.py, parameters: { type: object } }]",
      ),
      at(4, 8),
      "tool-script",
      /^Agent "bot" does not start.*lint\.py/,
    ],
    [
      "a model that nobody knows",
      bot("model: sonett"),
      at(4, 8),
      "model-unknown",
      /^Agent "bot": there is no model "sonett".* Did you mean "sonnet"\?/,
    ],
    [
      "one of a list of models",
      bot("model: [sonnet, the best]"),
      at(4, 17),
      "model-unknown",
      /there is no model "the best"/,
    ],
    [
      "a skill that is not there",
      bot("skills: [style]"),
      at(4, 10),
      "skill-unknown",
      /^Agent "bot" cannot start without its skill "style"/,
    ],
    [
      "a workflow that is not there",
      bot("workflow: development"),
      at(4, 11),
      "workflow-unknown",
      /names the workflow "development", which cannot be used: it does not exist/,
    ],
    [
      "a set of hooks that is not there",
      bot("lifecycle: careful"),
      at(4, 12),
      "lifecycle-unknown",
      /no set of hooks named "careful"/,
    ],
    [
      "hooks that cannot be read",
      bot("hooks:", "  before_tool:", "    - { when: tool_nam, block: x }"),
      at(6, 15),
      "hook-invalid",
      /^Unknown name "tool_nam".*Did you mean "tool_name"\?/,
    ],
    [
      "an executor that is not configured",
      bot("executor: claude"),
      at(4, 11),
      "executor-unknown",
      /^Agent "bot" needs the executor "claude", which is not configured/,
    ],
    [
      "a mode that is not here",
      bot("mode: terminal"),
      at(4, 7),
      "mode-refused",
      /^Agent "bot" cannot start.*`mode: terminal`/,
    ],
    ...(
      [
        ["hooks: { before_tool: [{ tools: Bash, block: hooked }] }", 8],
        ["isolation: worktree", 12],
        ["postconditions: [{ file: out.txt }]", 17],
        ["output: { type: object }", 9],
        ["template: { context: '{{ task }}' }", 22],
      ] as const
    ).map(([line, column]): [string, () => void, string, string, RegExp] => [
      `a mode in which it cannot have what it says: ${line}`,
      bot("mode: self", line),
      at(5, column),
      "mode-refused",
      /^Agent "bot" can never be called: .* Remove `\S+`, or write `mode: headless`\.$/,
    ]),
    [
      "a place that there is none of",
      bot("isolation: clone"),
      at(4, 12),
      "isolation-refused",
      /cadre does not support `isolation: clone`/,
    ],
    [
      "a postcondition that nobody may check",
      bot("disallowedTools: Bash", "postconditions: [{ command: npm test }]"),
      at(5, 17),
      "postcondition-unchecked",
      /is a command, .*definition denies Bash/,
    ],
    [
      "a file of the context that is not there",
      bot("context: { files: [plan.md] }"),
      at(4, 20),
      "context-file",
      /^Agent "bot" cannot start with the file "plan\.md"/,
    ],
    [
      "a variable of the runtime's",
      bot("variables: { task: x }"),
      at(4, 12),
      "variable-invalid",
      /^The variable "task" cannot be set/,
    ],
    [
      "a schema that is none",
      bot("output: { type: object, properties: { a: { type: strange } } }"),
      at(4, 50),
      "field-type",
      /^`output\.properties\.a\.type`/,
    ],
    [
      "a file that gives no agent at all",
      () => world.put("work/.cadre/agents/bot.md", "---\nname: [bot\ndescription: {\n---\n\nDo it.\n"),
      at(3, 1),
      "yaml-invalid",
      /^Invalid YAML/,
    ],
    [
      "scripts of a Remora file",
      () => {
        world.put("work/agents/submit.pym", "submit()\n")
        world.put(
          "work/agents/bot_subagent.yaml",
          'name: bot\nmodel_id: gpt-5\ninitial_context:\n  system_prompt: Lint.\n  node_context: "{{ task }}"\ntools:\n' +
            ["Read", "submit_result"]
              .map(
                (name) =>
                  `  - { name: ${name}, pym: submit.pym, description: d, parameters: { type: object, additionalProperties: false } }\n`,
              )
              .join(""),
        )
      },
      "agents/bot_subagent.yaml:7:5",
      "tool-script",
      /^Agent "bot" does not start, because its tool Read is a script/,
    ],
    [
      "a configuration in which nothing starts",
      () => {
        bot()()
        world.put("work/.cadre/config.yaml", "subagents:\n  enabled: false\n")
      },
      ".cadre/config.yaml:2:12",
      "subagents-disabled",
      /^Subagents feature is disabled/,
    ],
    [
      "a default model that nobody knows",
      () => {
        bot()()
        world.put("work/.cadre/config.yaml", "model: sonett\n")
      },
      ".cadre/config.yaml:1:8",
      "model-unknown",
      /^The default model: there is no model "sonett"/,
    ],
    [
      "a rule about a tool that nobody knows",
      () => {
        bot()()
        world.put("work/.cadre/config.yaml", "permissions:\n  deny: [Bsah]\n")
      },
      ".cadre/config.yaml:2:10",
      "configuration-tool",
      /^`permissions\.deny` names "Bsah", but there is no such tool.*Did you mean "Bash"\?/,
    ],
  ])("%s", async (_, make, place, code, message) => {
    make()
    const checked = await world.json("check")
    const errors: readonly Found[] = checked.result.diagnostics.filter(
      ({ severity }: Found) => severity === "error",
    )
    const refused = await world.json("run", "bot", "Go.", "--trust")
    const told: readonly Found[] = refused.result.error.diagnostics
    expect([checked.code, errors.map(lineOf)]).toEqual([1, told.map(lineOf)])
    expect(told.map(({ message: words, ...found }) => [lineOf({ ...found, message: "" }), words])).toEqual([
      [`${place} ${code}: `, expect.stringMatching(message)],
    ])
    const { code: exit, stderr } = await world.cadre("run", "bot", "Go.", "--trust")
    expect(exit).toBe(1)
    expect(stderr).toContain(place)
    expect(stderr).toContain(told[0]!.message)
    await world.cadre("trust", "--yes")
    const doctor = await world.json("doctor")
    expect(JSON.stringify(doctor.result)).toContain(JSON.stringify(told[0]!.message).slice(1, -1))
  })

  test("all of it at once, each at its place", async () => {
    bot("tools: mcp__a__b", "skills: [one, two]", "model: sonett", "isolation: clone")()
    const { result } = await world.json("run", "bot", "Go.", "--trust")
    expect(
      result.error.diagnostics.map(
        ({ code, range }: Found) => `${code} ${range.start.line}:${range.start.column}`,
      ),
    ).toEqual([
      "model-unknown 6:8",
      "isolation-refused 7:12",
      "skill-unknown 5:10",
      "skill-unknown 5:15",
      "tool-mcp 4:8",
    ])
  })

  test("what check only warns of keeps no run from starting", async () => {
    bot("tools: [Read, NotebookEdit, 'mcp__github__*']", "disallowedTools: [mcp__jira__get, mcp__jira]")()
    world.script({ bot: [{ text: "Done." }] })
    expect((await world.cadre("check")).code).toBe(0)
    expect((await world.cadre("run", "bot", "Go.", "--trust")).code).toBe(0)
  })
})

describe("what only a start can find is a row of doctor with the same words, and nothing that check finds", () => {
  test.each<[string, () => void, string, RegExp]>([
    [
      "a key",
      () => world.agent("bot", ["model: openai:gpt-5.5"]),
      "MODEL_KEY_MISSING",
      /no key for the provider openai/,
    ],
    [
      "a default model",
      () => {
        world.put("config/config.yaml", "")
        world.agent("bot")
      },
      "MODEL_UNKNOWN",
      /^No default model is set/,
    ],
    [
      "somebody to search",
      () => world.agent("bot", ["tools: WebSearch"]),
      "TOOLS_DENIED",
      /^Agent "bot" was not started: .* WebSearch: .*`search\.provider`/,
    ],
    [
      "a repository",
      () => world.agent("bot", ["isolation: worktree"]),
      "ISOLATION_REFUSED",
      /works in a git worktree/,
    ],
    ["trust", bot(), "UNTRUSTED", /^Agent "bot" will not run: .* is not trusted/],
  ])("%s", async (_, make, code, message) => {
    make()
    expect((await world.cadre("check")).code).toBe(0)
    const { result } = await world.json("run", "bot", "Go.")
    expect(result.error.code).toBe(code)
    const [words] = result.error.message.replace(/ \(\/\S+\)$/, "").split("\n")
    expect(words).toMatch(message)
    const doctor = await world.json("doctor")
    expect(doctor.result.findings.filter(({ reason = "" }) => reason.includes(words))).toHaveLength(1)
  })
})

describe("a model that cannot be asked is placed where it is named", () => {
  const noKey = naming('Agent "bot": There is no key', "openai", "openai/gpt-5.5")
  const noDefault = naming("No default model is set", "no model of its own", "inherit")
  test.each<[string, string, readonly string[], readonly string[], unknown, string | undefined]>([
    ["by the definition", "", ["model: openai:gpt-5.5"], [], noKey, "config/agents/bot.md:4:8"],
    ["by the configuration", "model: openai:gpt-5.5\n", [], [], noKey, "config/config.yaml:1:8"],
    ["by the call", "", ["model: haiku"], ["--model", "openai:gpt-5.5"], noKey, undefined],
    ["by nobody", "", [], [], noDefault, "config/agents/bot.md:2:1"],
    ["by nobody, to inherit", "", ["model: inherit"], [], noDefault, "config/agents/bot.md:4:8"],
  ])("%s", async (_, configuration, lines, words, message, place) => {
    world.put("config/config.yaml", configuration)
    world.agent("bot", lines)
    const { result } = await world.json("run", "bot", "Go.", ...words)
    const told: string = result.error.message
    expect([told, / \((\S+)\)$/.exec(told)?.[1]]).toEqual([message, place && `${world.base}/${place}`])
  })
})
