import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { dispatched } from "../dispatch-kit.ts"

let base: string
beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), "cadre-check-hooks-"))
  mkdirSync(path.join(base, "work/.git"), { recursive: true })
  put("work/.cadre/agents/lead.md", definition("lead"))
  put("work/.cadre/agents/runner.md", definition("runner", "aliases: [run-it]"))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

function put(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(base, file)), { recursive: true })
  writeFileSync(path.join(base, file), text)
}

const definition = (name: string, ...lines: readonly string[]) =>
  `---\n${[`name: ${name}`, `description: Does ${name}.`, ...lines].join("\n")}\n---\n\nYou do ${name}.\n`

async function check(...words: readonly string[]) {
  const { code, stdout, stderr } = await dispatched(["check", ...words, "--json"], {
    directory: path.join(base, "work"),
    environment: { HOME: path.join(base, "home"), CADRE_CONFIG_DIR: path.join(base, "config") },
  })
  if (stdout === "") return { code, stderr, found: [], files: [] }
  const { diagnostics, files, error } = JSON.parse(stdout)
  if (error !== undefined) return { code, stderr, error: error.code, found: [], files: [] }
  return {
    code,
    stderr,
    files: files.map(({ file }: { file: string }) => file),
    found: diagnostics
      .filter(({ code }: { code: string }) =>
        /^(configuration|gate|hook|lifecycle|link|settings|yaml|key|workflow)-/.test(code),
      )
      .map(({ file, range, severity, code, message }: Found) => [
        `${path.basename(file)}:${range.start.line}:${range.start.column}`,
        `${severity} ${code}`,
        message,
      ]),
  }
}

interface Found {
  readonly file: string
  readonly range: { readonly start: { readonly line: number; readonly column: number } }
  readonly severity: string
  readonly code: string
  readonly message: string
}

const set = (text: string) => put("work/.cadre/lifecycles/set.yaml", text)

describe("what is wrong with a hook, and where", () => {
  const agents = /Known: .*lead/
  test.each<[string, string, string, string, RegExp]>([
    [
      "an agent that is not there",
      'before_tool:\n  - spawn_agent: { agent: runer, prompt: "x" }\n',
      "2:27",
      "error hook-agent-unknown",
      /^There is no agent named "runer", so .* Did you mean "runner"\?/,
    ],
    [
      "an agent that is not there, in a list of effects",
      "before_tool:\n  - effects:\n      - { type: inject_context, text: x }\n      - { type: spawn_agent, agent: nobody-at-all, prompt: x }\n",
      "4:37",
      "error hook-agent-unknown",
      agents,
    ],
    [
      "an agent that no run is of",
      "run_start: { agents: lead|runer, block: x }\n",
      "1:27",
      "error hook-agent-nobody",
      /^No agent is named "runer".* Did you mean "runner"\?/,
    ],
    [
      "an agent that a condition looks for",
      "before_spawn:\n  when: depth == 0 and subagent in ['lead', 'runer']\n  block: x\n",
      "2:45",
      "error hook-agent-nobody",
      /"runer"/,
    ],
    [
      "a tool that nobody has",
      "before_tool: { tools: 'Edit|Bsh', block: x }\n",
      "1:29",
      "error hook-tool-unknown",
      /"Bsh".*Did you mean "Bash"\?/,
    ],
    [
      "a tool that nobody has, in a list",
      "before_tool:\n  - tools: [Edit, Bsh]\n    block: x\n",
      "2:19",
      "error hook-tool-unknown",
      /"Bsh"/,
    ],
    [
      "an argument that the tool does not have",
      "before_tool:\n  tools: Bash\n  when: tool_input.get('comand') == 'x'\n  block: x\n",
      "3:9",
      "error hook-invalid",
      /^`tool_input` of Bash has no "comand"\. Did you mean "command"\?/,
    ],
    [
      "an argument that none of the tools has",
      "before_tool:\n  tools: [Edit, Write]\n  when: \"'src' in tool_input['file_pth']\"\n  block: x\n",
      "3:19",
      "error hook-invalid",
      /^`tool_input` of Edit, Write has no "file_pth"\. Did you mean "file_path"\?/,
    ],
    [
      "a key of what is a text",
      "before_tool:\n  when: run.agnt == 'x'\n  block: x\n",
      "2:9",
      "error hook-invalid",
      /^`run`.*text.*number.*"agnt"/,
    ],
    [
      "an event of Claude Code that none here is",
      "PreToolUse: []\nPermissionRequest:\n  - hooks: [{ type: command, command: 'true' }]\n",
      "2:1",
      "warning hook-never",
      /^`PermissionRequest`.*event.*Claude/,
    ],
    [
      "another host's tool",
      "before_tool: { tools: NotebookEdit, block: x }\n",
      "1:23",
      "warning hook-tool-unknown",
      /^"NotebookEdit".*tool.*host/,
    ],
    [
      "a pattern that matches no tool",
      "before_tool: { tools: '^Notebook.*', block: x }\n",
      "1:24",
      "warning hook-tool-unknown",
      /^"\^Notebook\.\*".*matches.*hosts/,
    ],
    [
      "a pattern that nobody's tool matches",
      "before_tool: { tools: 'Bahs.*', block: x }\n",
      "1:24",
      "error hook-tool-unknown",
      /^"Bahs\.\*" matches no tool/,
    ],
    [
      "a tool with arguments",
      "before_tool: { tools: 'Bash(touch:*)', block: x }\n",
      "1:24",
      "error hook-tool-unknown",
      /hook.*arguments.*`Bash` here, and .* as `when`/,
    ],
    [
      "another host's name of a tool in a condition",
      'before_tool:\n  - when: >-\n      depth > 0 and\n      tool_name == "shell"\n    block: x\n',
      "4:20",
      "error hook-tool-unknown",
      /^`tool_name` is never "shell".* Write "Bash"\.$/,
    ],
    [
      "a tool that a condition looks for and nobody has",
      'before_tool: { when: \'tool_name in ("Bash", "Bsh")\', block: x }\n',
      "1:45",
      "error hook-tool-unknown",
      /^No tool is named "Bsh"/,
    ],
    [
      "a tool that a loop in a condition looks for in a set and nobody has",
      'before_tool: { when: \'any(tool_name in {"Bash", "Bsh"} for x in [1])\', block: x }\n',
      "1:49",
      "error hook-tool-unknown",
      /^No tool is named "Bsh"/,
    ],
    [
      "a function that there is not",
      "before_tool:\n  - when: depth == 0 and any_of(command)\n    block: x\n",
      "2:26",
      "error hook-invalid",
      /^Unknown function "any_of"\. .*Known: abs, all, any, bool, /,
    ],
    [
      "a function that only Gobby has",
      "before_tool:\n  - when: not is_plan_file(command, 'x')\n    block: x\n",
      "2:15",
      "error hook-invalid",
      /^Unknown function "is_plan_file": it is Gobby's own, .* Known: abs, all, /,
    ],
    [
      "a name of a loop behind the loop",
      "before_tool:\n  - when: any(word for word in command.split()) and word\n    block: x\n",
      "2:53",
      "error hook-invalid",
      /^Unknown name "word"/,
    ],
    [
      "a name that nobody knows, in a condition over lines",
      'before_tool:\n  - when: |\n      tool_name == "Bash"\n        and comand\n    block: x\n',
      "4:13",
      "error hook-invalid",
      /^Unknown name "comand".*Did you mean "command"\?/,
    ],
    [
      "a name that nobody knows, in a template in quotes",
      'before_tool:\n  - block: "It said \\"{{ comand }}\\""\n',
      "2:26",
      "error hook-invalid",
      /^Unknown name "comand"/,
    ],
    [
      "a name that the event does not offer",
      "before_tool: { when: depth == 0, inject_context: 'Now {{ result }}' }\n",
      "1:58",
      "warning hook-name-absent",
      /^`result` is always null at before_tool\. Events that provide it: after_tool\.$/,
    ],
    [
      "an effect that comes too late",
      "after_tool:\n  - rewrite_input: { a: 1 }\n",
      "2:20",
      "error hook-invalid",
      /comes too late at after_tool/,
    ],
    [
      "an effect that has no call",
      "run_start:\n  - rewrite_input: { a: 1 }\n",
      "2:20",
      "error hook-invalid",
      /there is no call/,
    ],
    [
      "a condition that is never so",
      "before_tool: { when: false and command, block: x }\n",
      "1:22",
      "warning hook-never",
      /^This condition never holds at before_tool/,
    ],
    [
      "a condition for another event",
      "before_tool: { when: event == 'stop', block: x }\n",
      "1:22",
      "warning hook-never",
      /never holds/,
    ],
    [
      "a condition for another tool than it is for",
      "before_tool: { tools: Bash, when: tool_name == 'Edit', block: x }\n",
      "1:35",
      "warning hook-never",
      /never holds/,
    ],
    [
      "a condition that always fails",
      "before_tool: { when: 1 / 0 == 1, block: x }\n",
      "1:22",
      "warning hook-never",
      /^This condition always fails: .*divides by zero/,
    ],
    [
      "a hook that spares whomever it is for",
      "before_tool:\n  - when: agent == 'runner'\n    spawn_agent: { agent: runner, prompt: x }\n",
      "2:11",
      "warning hook-never",
      /never holds/,
    ],
    [
      "the same by its agents, under another name",
      "before_tool:\n  - agents: runner\n    spawn_agent: { agent: run-it, prompt: x }\n",
      "2:5",
      "warning hook-never",
      /only for runs of runner, which it spawns itself/,
    ],
    [
      "a set that nobody picks",
      "picked_only: true\nbefore_tool: { block: x }\n",
      "1:1",
      "warning hook-never",
      /`lifecycle: set`, and no agent does/,
    ],
    [
      "an effect after what blocks",
      "stop:\n  - effects:\n      - { type: block, reason: x }\n      - { type: inject_context, text: x }\n",
      "4:9",
      "warning hook-never",
      /^This `inject_context` never does anything.*ends.*block/,
    ],
    [
      "a second block",
      "before_tool:\n  - effects: [{ type: block, reason: x }, { type: block, reason: y }]\n",
      "2:43",
      "warning hook-never",
      /^This `block` never does anything/,
    ],
    [
      "an effect beside what blocks a call",
      "before_tool:\n  - set_variable: { a: 1 }\n    block: x\n",
      "2:19",
      "warning hook-never",
      /blocks.*effects/,
    ],
    [
      "a reserved variable",
      "before_tool:\n  - set_variable: { task: 1 }\n",
      "2:19",
      "error hook-invalid",
      /the name is reserved/,
    ],
    [
      "a locked variable",
      "before_tool:\n  - set_variable: { level: 1 }\n",
      "2:21",
      "warning hook-variable-locked",
      /^The variable "level" is locked/,
    ],
    [
      "a locked variable, in a list of effects",
      "before_tool:\n  - effects: [{ type: set_variable, variable: level, value: 1 }]\n",
      "2:47",
      "warning hook-variable-locked",
      /locked/,
    ],
    [
      "a locked variable for a child",
      "before_tool:\n  - spawn_agent: { agent: runner, prompt: x, variables: { level: 1 } }\n",
      "2:59",
      "warning hook-variable-locked",
      /locked/,
    ],
    [
      "a skill that is not there",
      "run_start: { load_skill: [comits] }\n",
      "1:27",
      "error hook-skill-unknown",
      /^There is no skill named "comits"/,
    ],
    [
      "a condition that is left blank, which would be always",
      "before_tool:\n  - when:\n    block: x\n",
      "2:10",
      "error hook-invalid",
      /`when`.*always/,
    ],
    [
      "a method that no value has",
      "before_tool:\n  - when: command.startwith('rm')\n    block: x\n",
      "2:19",
      "error hook-invalid",
      /^Unknown method "startwith"\. Did you mean "startswith"\?/,
    ],
    [
      "an agent that is not told what to do",
      "before_tool:\n  - spawn_agent: { agent: runner }\n",
      "2:18",
      "error hook-invalid",
      /^`spawn_agent` needs a `prompt`/,
    ],
    [
      "a command that wants something filled in",
      "before_tool:\n  - run: { command: 'echo {{ command }} {{.Names}} {{ other }}' }\n",
      "2:27",
      "error hook-invalid",
      /filled.*`command`/,
    ],
    [
      "a mark of a set that is neither true nor false",
      "picked_only: always\nbefore_tool: { block: x }\n",
      "1:1",
      "error hook-invalid",
      /true.*false/,
    ],
    [
      "events beside what has all hooks",
      "before_tool: { block: x }\nhooks: { stop: { block: x } }\n",
      "2:1",
      "error hook-invalid",
      /hooks.*contain/,
    ],
    ["YAML that is none", "before_tool: [\n", "2:1", "error yaml-invalid", /valid YAML/],
    ["a key twice", "before_tool: []\nbefore_tool: []\n", "2:1", "error key-duplicate", /written twice/],
  ])("%s", async (_, text, place, code, message) => {
    put("config/config.yaml", "locked_variables: [level]\n")
    set(text)
    const { found } = await check()
    expect(found).toEqual([[`set.yaml:${place}`, code, expect.stringMatching(message)]])
  })

  test.each<[string, string]>([
    [
      "the seed's own",
      'on_before_tool:\n  - when: tool_name == "Bash" and ("pytest" in command or "ruff" in command or "mypy" in command)\n    spawn_agent:\n      agent: validation-runner\n      prompt: "Run and report: {{ tool_input.command }}"\n',
    ],
    [
      "names of other hosts and of servers",
      "before_tool: { tools: 'shell|mcp__github__search|Write', block: x }\n",
    ],
    ["patterns", "before_tool: { tools: 'Edit.*|mcp__.*', agents: 'run.*', block: x }\n"],
    ["a condition that is always so", "before_tool: { when: true, block: x }\n"],
    [
      "comparisons with what is no name",
      "before_tool: { when: \"command == 'shell' and variables.agent == 'nobody' and tool_name != agent\", block: x }\n",
    ],
    [
      "names that loops give values",
      "before_tool: { when: \"[agent for agent, tool_name in variables.pairs if agent == 'nobody' and tool_name != 'shell']\", block: x }\n",
    ],
    ["`tool_name` with a part of a name", "before_tool: { when: \"'Age' in tool_name\", block: x }\n"],
    ["a command before what blocks", "before_tool: { run: ./log.sh, block: x }\n"],
    ["an agent by its alias", "before_tool: { spawn_agent: { agent: run-it, prompt: x } }\n"],
  ])("nothing: %s", async (_, text) => {
    set(text)
    expect(await check()).toMatchObject({ code: 0, found: [] })
  })
})

test.each<[string, string, readonly unknown[]]>([
  ["as a list", "hooks:\n  - { event: before_tool, block: x }\n", []],
  [
    "as a list, of an event that is not there",
    "hooks:\n  - { event: befor_tool, block: x }\n",
    [["config.yaml:2:5", "error hook-invalid", expect.stringContaining('Did you mean "before_tool"?')]],
  ],
  [
    "as what cannot be followed, and must not be left out",
    "hooks: before_tool\n",
    [["config.yaml:1:8", "error hook-invalid", expect.stringMatching(/lists.*event/)]],
  ],
])("hooks of the configuration, %s", async (_, text, found) => {
  put("config/config.yaml", text)
  expect((await check()).found).toEqual(found)
})

test("a file behind a link that leads out of the project is not read", async () => {
  put("elsewhere.yaml", "before_tool: { block: x }\nsteps: [{ name: a }]\n")
  for (const folder of [".cadre/lifecycles", ".cadre/workflows"]) {
    mkdirSync(path.join(base, "work", folder), { recursive: true })
    symlinkSync(
      path.join(base, "elsewhere.yaml"),
      path.join(base, "work", folder, `${path.basename(folder)}.yaml`),
    )
  }
  const { found } = await check()
  expect(found.filter(([, code]: readonly string[]) => code === "error link-outside")).toEqual([
    ["lifecycles.yaml:1:1", "error link-outside", expect.stringMatching(/leads.*the project/)],
    ["workflows.yaml:1:1", "error link-outside", expect.stringMatching(/leads.*the project/)],
  ])
})

test("hooks are checked wherever they are written, also those that no agent uses", async () => {
  const wrong = '{ when: "depth ==", block: x }'
  put("config/config.yaml", `model: ollama:m\nhooks:\n  before_tool:\n    - ${wrong}\n`)
  put("config/lifecycles/mine.yaml", `hooks:\n  - { event: before_tool, when: 'depth ==', block: x }\n`)
  put("work/.cadre/config.yaml", `hooks: { before_tool: ${wrong} }\n`)
  put("work/.cadre/lifecycles/unused.yaml", `picked_only: true\nbefore_tool: ${wrong}\n`)
  put(
    "work/.gobby/workflows/gobby.yaml",
    `name: gobby\ntriggers:\n  on_before_tool:\n    - action: call_llm\n    - ${wrong}\n`,
  )
  put("work/.gobby/workflows/other.yaml", "name: other\ntype: pipeline\nsteps: []\n")
  put(
    "work/.cadre/agents/cadre.md",
    definition("cadre", "hooks:", `  before_tool: ${wrong}`).replaceAll("\n", "\r\n"),
  )
  put(
    "work/.claude/agents/claude.md",
    definition(
      "claude",
      "hooks:",
      "  PreToolUse:",
      '    - matcher: "Edit|Wirte"',
      "      hooks: [{ type: command, command: ./x.sh }]",
      '    - matcher: "(Edit"',
      "      hooks: [{ type: command, command: ./x.sh }]",
      "    - hooks: [{ type: prompt, prompt: x }, { command: ./x.sh, timeout: -1 }]",
    ),
  )
  const { code, found, files } = await check()
  const condition = ["error hook-invalid", expect.stringMatching(/^Unexpected end/)]
  expect([code, found.map(([place, ...rest]: [string]) => [place, ...rest]).sort()]).toEqual([
    1,
    [
      ["cadre.md:5:33", ...condition],
      ["claude.md:10:15", "error hook-invalid", expect.stringMatching(/is not supported/)],
      ["claude.md:6:22", "error hook-tool-unknown", expect.stringMatching(/Did you mean "Write"\?/)],
      ["claude.md:8:21", "error hook-invalid", expect.stringMatching(/valid.*pattern/)],
      ["claude.md:10:72", "error hook-invalid", expect.stringMatching(/timeout.*seconds/)],
      ["config.yaml:1:40", ...condition],
      ["config.yaml:4:24", ...condition],
      [
        "gobby.yaml:4:15",
        "info hook-foreign",
        expect.stringMatching(/^Gobby's `call_llm` is not supported here/),
      ],
      ["gobby.yaml:5:24", ...condition],
      ["mine.yaml:2:42", ...condition],
      ["unused.yaml:1:1", "warning hook-never", expect.stringMatching(/and no agent does/)],
      ["unused.yaml:2:31", ...condition],
    ].sort(),
  ])
  expect(files).toContain(path.join(".cadre", "lifecycles", "unused.yaml"))
  expect(files).toContain(path.join(".gobby", "workflows", "other.yaml"))
})

test("a set that a definition picks and that is not there is told where it is picked", async () => {
  put("work/.cadre/agents/lead.md", definition("lead", "lifecycle: lose"))
  set("name: loose\npicked_only: true\nbefore_tool: { block: x }\n")
  expect((await check()).found).toEqual([
    ["set.yaml:2:1", "warning hook-never", expect.stringMatching(/`lifecycle: loose`/)],
    ["lead.md:4:12", "error lifecycle-unknown", expect.stringMatching(/Did you mean "loose"\?/)],
  ])
})

test("a definition's hook that would spawn its own agent never does", async () => {
  put(
    "work/.cadre/agents/lead.md",
    definition("lead", "hooks:", "  before_tool:", "    - spawn_agent: { agent: lead, prompt: x }"),
  )
  expect((await check()).found).toEqual([
    ["lead.md:6:7", "warning hook-never", expect.stringMatching(/only for runs of lead/)],
  ])
})

test("a workflow that sets a locked variable, in a definition or a file of its own", async () => {
  put("config/config.yaml", "locked_variables: [level]\n")
  const steps = [
    "variables: { level: 1, other: 1 }",
    "steps:",
    "  - name: only",
    "    on_enter:",
    "      - set_variable: { other: 2, level: 2 }",
    "      - spawn_agent: { agent: runner, prompt: x, variables: { level: 3 } }",
    "    on_success: { effects: [{ type: set_variable, name: level, value: 4 }] }",
  ]
  put("work/.cadre/workflows/steps.yaml", `${steps.join("\n")}\n`)
  put("work/.cadre/agents/lead.md", definition("lead", "workflow:", ...steps.map((line) => `  ${line}`)))
  const at = (place: string) => [
    place,
    "warning workflow-variable-locked",
    expect.stringMatching(/"level".*locked.*`locked_variables`/),
  ]
  expect((await check()).found).toEqual([
    ...["1:14", "5:9", "6:9", "7:17"].map((place) => at(`steps.yaml:${place}`)),
    ...["5:16", "9:11", "10:11", "11:19"].map((place) => at(`lead.md:${place}`)),
  ])
})

describe("files and folders of hooks can be named", () => {
  const wrong = "before_tol: []\n"
  test.each<[string, string, readonly string[]]>([
    ["a file", ".cadre/lifecycles/set.yaml", ["set.yaml:1:1"]],
    ["a folder of them", ".cadre/lifecycles", ["set.yaml:1:1"]],
    ["Gobby's", ".gobby/workflows", ["theirs.yaml:1:1"]],
    ["a workflow", ".cadre/workflows/steps.yaml", ["steps.yaml:1:1"]],
    ["a folder with everything", ".cadre", ["set.yaml:1:1", "steps.yaml:1:1"]],
    ["the project", ".", ["set.yaml:1:1", "theirs.yaml:1:1", "steps.yaml:1:1"]],
    ["one's own", "../config/lifecycles", ["mine.yaml:1:1"]],
    ["those of another project", "../other", ["far.yaml:1:1"]],
    ["a file of another project", "../other/.cadre/lifecycles/far.yaml", ["far.yaml:1:1"]],
  ])("%s", async (_, target, places) => {
    set(wrong)
    put("work/.gobby/workflows/theirs.yaml", "on_before_tol:\n  - block: x\n")
    put("work/.cadre/workflows/steps.yaml", "stepz: []\n")
    put("config/lifecycles/mine.yaml", wrong)
    put("other/.cadre/lifecycles/far.yaml", wrong)
    const { code, found } = await check(target)
    expect([code, [...new Set(found.map(([place]: [string]) => place))]]).toEqual([1, places])
  })

  test.each<[string, string, readonly string[]]>([
    ["the project's settings", ".cadre/config.yaml", ["config.yaml:1:25"]],
    ["a folder with nothing else", ".cadre", ["config.yaml:1:25"]],
    ["the project", ".", ["config.yaml:1:25"]],
    ["one's own", "../config", ["config.yaml:2:1"]],
    ["one's own settings", "../config/config.yaml", ["config.yaml:2:1"]],
  ])("and settings with hooks in them, which are no agent: %s", async (_, target, places) => {
    rmSync(path.join(base, "work/.cadre/agents"), { recursive: true })
    put("work/.cadre/config.yaml", "hooks: { before_tool: { blokc: x } }\n")
    put("config/config.yaml", "model: ollama:m\nhoooks: {}\n")
    const { code, found, files } = await check(target)
    expect([code, found.map(([place]: [string]) => place)]).toEqual([1, places])
    expect(files).toEqual([expect.stringMatching(/config\.yaml$/)])
  })

  test("settings of another project are not looked at, and no agent", async () => {
    put("other/.cadre/config.yaml", "hoooks: {}\n")
    expect(await check("../other/.cadre/config.yaml")).toMatchObject({
      code: 2,
      error: "USAGE",
      stderr: expect.stringContaining("Nothing was checked"),
    })
  })

  test("where there are none, that is said", async () => {
    mkdirSync(path.join(base, "empty"))
    expect(await check("../empty")).toMatchObject({
      code: 2,
      error: "USAGE",
      stderr: expect.stringMatching(/^cadre: Nothing was checked: .* in \.\.\/empty\./),
    })
  })
})

test("people are shown the line; --strict and the rules of the configuration change how much it matters", async () => {
  set("before_tool:\n  - when: false\n    block: x\n")
  const text = async (...words: readonly string[]) =>
    dispatched(["check", ...words], {
      directory: path.join(base, "work"),
      environment: { HOME: path.join(base, "home"), CADRE_CONFIG_DIR: path.join(base, "config") },
    })
  const { code, stdout } = await text()
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      /set\.yaml:2:11 warning hook-never\n.*never holds.*\n\n {2}1 │ before_tool:\n {2}2 │ {3}- when: false\n/s,
    ),
  ])
  expect((await text("--strict")).code).toBe(1)
  put("config/config.yaml", "rules: { hook-never: 'off' }\n")
  expect((await text("--strict")).code).toBe(0)
})

test.each([
  ["is no JSON", '{ "permissions": ', "Invalid JSON."],
  ["is no object", '["deny"]', "Invalid JSON."],
  ["is a link out of the project", undefined, "leads out of the project"],
])(
  "settings of Claude Code that cannot be read may forbid something, which is told: one that %s",
  async (_, text, why) => {
    if (text !== undefined) put("work/.claude/settings.json", text)
    else {
      put("elsewhere.json", "{}")
      mkdirSync(path.join(base, "work/.claude"), { recursive: true })
      symlinkSync(path.join(base, "elsewhere.json"), path.join(base, "work/.claude/settings.json"))
    }
    expect((await check()).found).toEqual([
      [
        "settings.json:1:1",
        "warning settings-foreign",
        expect.stringMatching(new RegExp(`cannot be read.*${why}`)),
      ],
    ])
  },
)

test("settings of Claude Code in the home folder are told of, too", async () => {
  put("home/.claude/settings.json", '{ "permissions": { "ask": ["Bash(git push:*)"] } }\n')
  expect((await check()).found).toEqual([
    [
      "settings.json:1:3",
      "warning settings-foreign",
      expect.stringMatching(/`permissions` of .*do not apply here/),
    ],
  ])
})

test("settings of Claude Code that forbid something are told of: nobody follows them here", async () => {
  put(
    "work/.claude/settings.json",
    '{\n  "permissions": { "deny": ["Bash"] },\n  "hooks": { "PreToolUse": [] },\n  "theme": "dark"\n}\n',
  )
  put("work/.claude/settings.local.json", '{ "permissions": { "allow": ["Bash"], "deny": [] } }\n')
  expect((await check()).found).toEqual([
    [
      "settings.json:2:3",
      "warning settings-foreign",
      expect.stringMatching(/`permissions` of .*do not apply here/),
    ],
    [
      "settings.json:3:3",
      "warning settings-foreign",
      expect.stringMatching(/`hooks` of .*do not apply here/),
    ],
  ])
})
