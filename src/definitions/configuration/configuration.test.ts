import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { type Configuration, readConfiguration } from "./configuration.ts"

let folder = ""
let home = ""
let project = ""
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-configuration-")))
  home = path.join(folder, "home")
  project = path.join(home, "project")
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const defaults: Omit<Configuration, "own"> = {
  subagents: { enabled: true, autoRoute: false },
  hideBuiltInAgents: [],
  formats: ["cadre", "claude", "codex-md", "acai", "gobby", "remora"],
  models: {},
  presets: {},
  providers: {},
  unattended: "rest",
  notify: "bell",
  confirm: { cost: 5, agents: 25 },
  strictModel: false,
  allowModelOverride: true,
  allowedModels: [],
  maxModelPrice: {},
  mode: "default",
  permissions: { allow: [], ask: [], deny: [] },
  delegation: "own",
  sandbox: "preferred",
  network: "none",
  tools: [],
  skills: [],
  limits: {},
  variables: {},
  lockedVariables: [],
  hooks: {},
  keepFiles: true,
  snapshots: true,
  executors: {},
  mcpServers: {},
  rules: {},
  packages: [],
  files: [],
}

const userFile = () => path.join(folder, "user", "config.yaml")
const projectFile = (...below: string[]) => path.join(project, ...below, ".cadre", "config.yaml")

function write(file: string, text: string | Uint8Array): string {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
  return file
}

function read(options: { cwd?: string; root?: string; environment?: NodeJS.ProcessEnv } = {}) {
  const { cwd = project, root, environment } = options
  fs.mkdirSync(cwd, { recursive: true })
  const { configuration, diagnostics } = readConfiguration({
    cwd,
    home,
    environment: { CADRE_CONFIG_DIR: path.join(folder, "user"), ...environment },
    ...(root !== undefined && { root }),
  })
  const { own, ...settings } = configuration
  // Another test covers the user's own rules.
  expect(own).toBeDefined()
  return { configuration: settings, diagnostics }
}

/** A finding as `code severity line:column-line:column message`. */
function shown({ code, severity, message, range: { start, end } }: Diagnostic): string {
  return `${code} ${severity} ${start.line}:${start.column}-${end.line}:${end.column} ${message}`
}

test("without files, the defaults hold", () => {
  expect(read()).toEqual({ configuration: defaults, diagnostics: [] })
})

test("every setting is read, paths from the folder that has `.cadre`", () => {
  const file = write(
    projectFile(),
    `
subagents:
  enabled: false
  auto_route: true
hide_built_in_agents: critic, worker
agents_dir: agents
formats: [claude, cadre]
model: fast
models:
  fast: openai/small
presets:
  slow: { model: openai/large, effort: high }
providers:
  local: { protocol: openai, base_url: "http://localhost:1" }
strict_model: true
allow_model_override: false
allowed_models: [anthropic/*, "openai:gpt-6*"]
max_model_price: { input: 5, output: 25.5 }
mode: plan
permissions: { allow: ["Bash(git status)", Read], deny: "Read(~/.ssh/**)" }
sandbox: required
network: none
tools: deploy, rollback
skills: [skills, ./more/skills, ""]
limits: { maxTurns: 5, timeout: 1000.5 }
variables: { mode: null, level: 2 }
hooks: { before_tool: { block: "no" } }
executors: { agent: { command: bin/agent -p } }
rules: { tools-none: off, key-unknown: error }
keep_files: false
snapshots: false
packages:
  - "@team/agents"
`,
  )
  expect(read()).toEqual({
    configuration: {
      subagents: { enabled: false, autoRoute: true },
      hideBuiltInAgents: ["critic", "worker"],
      agentsDir: path.join(project, "agents"),
      formats: ["claude", "cadre"],
      model: "fast",
      models: { fast: "openai/small" },
      presets: { slow: { model: "openai/large", effort: "high" } },
      // No key goes to the address of a project unless the user allows it.
      providers: { local: { protocol: "openai", endpoint: "http://localhost:1" } },
      strictModel: true,
      allowModelOverride: false,
      allowedModels: [["anthropic/*", "openai:gpt-6*"]],
      maxModelPrice: { input: 5, output: 25.5 },
      unattended: "rest",
      notify: "bell",
      confirm: { cost: 5, agents: 25 },
      delegation: "own",
      mode: "plan",
      permissions: { allow: ["Bash(git status)", "Read"], ask: [], deny: ["Read(~/.ssh/**)"] },
      sandbox: "required",
      network: "none",
      tools: ["deploy", "rollback"],
      skills: [path.join(project, "skills"), path.join(project, "more/skills")],
      limits: { maxTurns: 5, timeout: 1000.5 },
      variables: { mode: null, level: 2 },
      mcpServers: {},
      lockedVariables: [],
      hooks: { project: { before_tool: { block: "no" } } },
      executors: { agent: { command: [path.join(project, "bin/agent"), "-p"] } },
      keepFiles: false,
      snapshots: false,
      rules: { "tools-none": "off", "key-unknown": "error" },
      packages: ["@team/agents"],
      files: [file],
    },
    diagnostics: [],
  })
})

test("a project narrows which models may be asked, and never widens it", () => {
  write(userFile(), "allowed_models: anthropic/*\nmax_model_price: { input: 5 }\n")
  write(projectFile(), "allowed_models: ['*']\nmax_model_price: { input: 50, output: 10 }\n")
  const { allowedModels, maxModelPrice } = read().configuration
  expect({ allowedModels, maxModelPrice }).toEqual({
    allowedModels: [["anthropic/*"], ["*"]],
    maxModelPrice: { input: 5, output: 10 },
  })
})

test.each([
  ["allowed_models:\n", expect.stringMatching(/^`allowed_models`.*value.*remove/)],
  ["max_model_price:\n", expect.stringMatching(/^`max_model_price`/)],
  ["max_model_price: { input: cheap }\n", naming("`max_model_price.input` must be a number", "0")],
  ["allowed_models: [sonnet]\n", expect.stringMatching(/^`allowed_models` has "sonnet".*anthropic\/\*/)],
])("%j keeps runs from starting, because it may have forbidden something", (text, message) => {
  write(userFile(), text)
  expect(read().diagnostics.map(({ severity, message }) => [severity, message])).toEqual([["error", message]])
})

test("the project's file is over the user's, key by key; maps entry by entry, lists as a whole", () => {
  const user = write(
    userFile(),
    "subagents: { enabled: false }\nmodel: mine\nmodels: { a: one, b: two }\ntools: [x, y]\nskills: [s]\nrules: { r: off }\n",
  )
  const file = write(
    projectFile(),
    "subagents: { auto_route: true }\nmodel:\nmodels: { b: three }\ntools: [z]\n",
  )
  expect(read()).toEqual({
    configuration: {
      ...defaults,
      subagents: { enabled: false, autoRoute: true },
      model: "mine",
      models: { a: "one", b: "three" },
      tools: ["z"],
      skills: [path.join(folder, "user", "s")],
      rules: { r: "off" },
      files: [user, file],
    },
    diagnostics: [],
  })
})

describe("what is wrong is left out and said", () => {
  test.each<[string, string, readonly string[], Partial<Configuration>]>([
    ["nothing", "", [], {}],
    ["comments only", "# model: fast\n", [], {}],
    ["keys without values", "subagents:\nmodel:\nlimits:\n", [], {}],
    [
      "a key that is misspelled",
      "model: fast\nskils: [a]\n",
      [
        expect.stringMatching(
          /^configuration-key error 2:1-2:6 `skils`.*"skills".*agents_dir, allow_model_override, allowed_models, confirm_agents, confirm_cost, delegation, executors, formats, hide_built_in_agents, hooks, keep_files, limits, locked_variables, max_model_price, mcpServers, mode, model, models, network, notify, packages, permissions, presets, providers, retention, rules, sandbox, search, skills, snapshots, strict_model, subagents, tools, unattended, variables.?$/,
        ),
      ],
      { model: "fast" },
    ],
    [
      "a key below another that is misspelled",
      "subagents:\n  enabeld: false\n  auto_route: true\n",
      [
        expect.stringMatching(
          /^configuration-key error 2:3-2:10 `subagents\.enabeld`.*"enabled".*auto_route, enabled.?$/,
        ),
      ],
      { subagents: { enabled: true, autoRoute: true } },
    ],
    [
      "a key at the wrong place",
      "auto_route: true\nsubagents.enabled: false\n",
      [
        expect.stringMatching(
          /^configuration-key error 1:1-1:11 `auto_route`.*Write `auto_route` below `subagents:`.?$/,
        ),
        expect.stringMatching(
          /^configuration-key error 2:1-2:18 `subagents\.enabled`.*Write `enabled` below `subagents:`.?$/,
        ),
      ],
      {},
    ],
    [
      "names that every object has",
      "constructor: 1\n__proto__: { model: x }\nsubagents: { toString: 1 }\n",
      [
        expect.stringMatching(
          /^configuration-key error 1:1-1:12 `constructor`.*agents_dir, allow_model_override, allowed_models, confirm_agents, confirm_cost, delegation, executors, formats, hide_built_in_agents, hooks, keep_files, limits, locked_variables, max_model_price, mcpServers, mode, model, models, network, notify, packages, permissions, presets, providers, retention, rules, sandbox, search, skills, snapshots, strict_model, subagents, tools, unattended, variables.?$/,
        ),
        expect.stringMatching(
          /^configuration-key error 2:1-2:10 `__proto__`.*agents_dir, allow_model_override, allowed_models, confirm_agents, confirm_cost, delegation, executors, formats, hide_built_in_agents, hooks, keep_files, limits, locked_variables, max_model_price, mcpServers, mode, model, models, network, notify, packages, permissions, presets, providers, retention, rules, sandbox, search, skills, snapshots, strict_model, subagents, tools, unattended, variables.?$/,
        ),
        expect.stringMatching(
          /^configuration-key error 3:14-3:22 `subagents\.toString`.*auto_route, enabled.?$/,
        ),
      ],
      {},
    ],
    [
      "values of a wrong type",
      "subagents: { enabled: 3 }\nmodel: 4\ntools: 5\nmodels: [a]\nagents_dir: ''\n",
      [
        naming("configuration-type error 1:23-1:24 `subagents.enabled`", "true or false"),
        naming("configuration-type error 2:8-2:9 `model`", "4", "quotes"),
        expect.stringMatching(/^configuration-type error 3:8-3:9 `tools`/),
        expect.stringMatching(/^configuration-type error 4:9-4:12 `models`/),
        expect.stringMatching(/^configuration-type error 5:13-5:15 `agents_dir`/),
      ],
      {},
    ],
    [
      "a variable that is the runtime's own, which is kept so that nothing starts without it",
      "variables: { task: 1 }\n",
      [
        expect.stringMatching(
          /^configuration-type error 1:12-1:23 The variable "task" cannot be set.*agent, event, parent, run, task, tool_input, tool_name, variables/,
        ),
      ],
      { variables: { task: 1 } },
    ],
    [
      "a group that is no map",
      "subagents: true\nmodel: fast\n",
      [expect.stringMatching(/^configuration-type error 1:12-1:16 `subagents`/)],
      { model: "fast" },
    ],
    [
      "a yes or no in words, which is taken as it is meant",
      "subagents: { enabled: no, auto_route: 'On' }\n",
      [
        'configuration-flag warning 1:23-1:25 `subagents.enabled` is the text "no", which is read as false. Write `false`, without quotes.',
        'configuration-flag warning 1:39-1:43 `subagents.auto_route` is the text "On", which is read as true. Write `true`, without quotes.',
      ],
      { subagents: { enabled: false, autoRoute: true } },
    ],
    [
      "entries of maps, the others of which hold",
      "limits: { maxTurns: 0, maxDepth: 2 }\nrules:\n  a: never\n  b: info\n",
      [
        expect.stringMatching(/^configuration-type error 1:21-1:22 limits: maxTurns.*0/),
        naming('configuration-type error 3:6-3:11 rules: "a"', "off, info, warning, error"),
      ],
      { limits: { maxDepth: 2 }, rules: { b: "info" } },
    ],
    [
      "a list instead of a map",
      "- a\n- b\n",
      [expect.stringMatching(/^configuration-type error 1:1-2:4/)],
      {},
    ],
  ])("%s", (_, text, findings, expected) => {
    const file = write(projectFile(), text)
    const { configuration, diagnostics } = read()
    expect(configuration).toEqual({ ...defaults, ...expected, files: [file] })
    expect(diagnostics.map(shown)).toEqual(findings)
    expect(diagnostics.every((finding) => finding.file === file)).toBe(true)
  })

  test.each<[string, string | Uint8Array, string]>([
    ["what is not YAML", "model: fast\nmodels: [a\n", "configuration-yaml"],
    ["a key twice", "model: fast\nmodel: slow\n", "configuration-yaml"],
    ["what is not UTF-8", new Uint8Array([0xff, 0xfe, 0x61]), "text-not-utf8"],
    ["a file of two megabytes", "#".repeat(2_000_000), "file-too-large"],
  ])("%s: the whole file is left out, and the user's holds", (_, text, code) => {
    const user = write(userFile(), "model: mine\n")
    const file = write(projectFile(), text)
    const { configuration, diagnostics } = read()
    expect(configuration).toEqual({ ...defaults, model: "mine", files: [user, file] })
    expect(diagnostics.map((finding) => [finding.code, finding.severity, finding.file])).toEqual([
      [code, "error", file],
    ])
  })

  test("a folder in the file's place", () => {
    fs.mkdirSync(projectFile(), { recursive: true })
    expect(read().diagnostics.map(({ code }) => code)).toEqual(["file-special"])
  })

  test("a locked variable that is the runtime's own, with which no agent starts", () => {
    write(userFile(), "locked_variables: [level, task, '']\n")
    const { configuration, diagnostics } = read()
    expect([configuration.lockedVariables, diagnostics.map(shown)]).toEqual([
      ["level", "task"],
      [
        expect.stringMatching(
          /^configuration-type error 1:19-1:36 The variable "task" cannot be set.*agent, event, parent, run, task, tool_input, tool_name, variables/,
        ),
      ],
    ])
  })

  test("a flag in words is mended by its fix", () => {
    write(projectFile(), "subagents: { enabled: 'no' }\n")
    expect(read().diagnostics.map(({ fix }) => fix)).toEqual([
      {
        title: "Write `false`",
        edits: [{ range: { start: { line: 1, column: 23 }, end: { line: 1, column: 27 } }, text: "false" }],
      },
    ])
  })
})

describe("the project's file", () => {
  test("says nothing of variables that a person has locked, and locks none itself", () => {
    write(userFile(), "variables: { a: 1, b: 1 }\nlocked_variables: [a, c]\n")
    write(projectFile(), "variables: { a: 2, b: 2, c: 2 }\nlocked_variables: [b]\n")
    const { configuration, diagnostics } = read()
    expect([configuration.variables, configuration.lockedVariables, diagnostics.map(shown)]).toEqual([
      { a: 1, b: 2 },
      ["a", "c"],
      [expect.stringMatching(/^configuration-type error 2:19-2:22.*`locked_variables: b`/)],
    ])
  })

  const names = ["", "a", "a/b", "a/b/c"]

  test.each<[string, readonly string[], string, string | undefined, string | undefined]>([
    ["in the working folder", ["a/b"], "a/b", undefined, "a/b"],
    ["above, without a root", ["a"], "a/b", undefined, undefined],
    ["the nearest of two", ["", "a"], "a/b/c", "", "a"],
    ["at the root", [""], "a/b/c", "", ""],
    ["above the root", [""], "a/b/c", "a", undefined],
    ["with a root elsewhere", ["a", ""], "a", "other", "a"],
    ["above, with a root elsewhere", [""], "a", "other", undefined],
  ])("%s", (_, written, cwd, root, expected) => {
    for (const name of names) fs.mkdirSync(path.join(project, name), { recursive: true })
    for (const name of written) write(projectFile(name), "model: fast\n")
    const { configuration } = read({
      cwd: path.join(project, cwd),
      ...(root !== undefined && { root: path.join(project, root) }),
    })
    expect(configuration.files).toEqual(expected === undefined ? [] : [projectFile(expected)])
  })

  test("the home folder is never a project, not even by another name", () => {
    write(path.join(home, ".cadre", "config.yaml"), "model: fast\n")
    fs.symlinkSync(home, path.join(folder, "link"))
    expect(read({ cwd: project, root: home })).toEqual({ configuration: defaults, diagnostics: [] })
    expect(read({ cwd: path.join(folder, "link") })).toEqual({ configuration: defaults, diagnostics: [] })
  })

  test("a file that is both is read once", () => {
    const file = write(projectFile(), "modle: fast\n")
    const { configuration, diagnostics } = read({ environment: { CADRE_CONFIG_DIR: path.dirname(file) } })
    expect([configuration.files, diagnostics.length]).toEqual([[file], 1])
  })
})

describe("the environment beats both files", () => {
  test.each([
    ["1", true],
    [" TRUE ", true],
    ["Yes", true],
    ["on", true],
    ["0", false],
    ["false", false],
    ["NO", false],
    [" off", false],
  ])("CADRE_SUBAGENTS_ENABLED=%j", (value, enabled) => {
    write(projectFile(), `subagents: { enabled: ${!enabled} }\n`)
    const { configuration, diagnostics } = read({ environment: { CADRE_SUBAGENTS_ENABLED: value } })
    const subagents = { enabled, ...(enabled && { isUserChoice: true }), autoRoute: false }
    expect([configuration.subagents, diagnostics]).toEqual([subagents, []])
  })

  const ignored = (severity: string, message: string) => [
    {
      code: "configuration-environment",
      severity,
      message,
      range: { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } },
    },
  ]

  test("any other value of it is ignored with a warning, as Codex has it", () => {
    write(projectFile(), "subagents: { enabled: false }\n")
    const { configuration, diagnostics } = read({ environment: { CADRE_SUBAGENTS_ENABLED: "maybe" } })
    expect(configuration.subagents.enabled).toBe(false)
    expect(diagnostics).toEqual(
      ignored("warning", naming("CADRE_SUBAGENTS_ENABLED", '"maybe"', "ignored", "false")),
    )
  })

  test("a choice that there is not is an error: it may have been meant to forbid something", () => {
    expect(read({ environment: { CADRE_SANDBOX: "requird" } }).diagnostics).toEqual(
      ignored("error", naming("CADRE_SANDBOX", '"requird"', "required, preferred or off")),
    )
  })

  test("CADRE_MODEL names the default model, unless it is blank", () => {
    write(projectFile(), "model: fast\n")
    expect(read({ environment: { CADRE_MODEL: "slow" } }).configuration.model).toBe("slow")
    expect(read({ environment: { CADRE_MODEL: " " } }).configuration.model).toBe("fast")
  })
})

test("no file makes it throw", () => {
  const line = fc.constantFrom(
    "subagents:",
    "  enabled: no",
    "model: [",
    "limits: {a: 1}",
    "- x",
    "rules: &a {b: *a}",
    "? [k]",
    "---",
    "tools: a,b",
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(line).map((lines) => lines.join("\n")),
      ),
      (text) => {
        write(projectFile(), text)
        expect(read().configuration).toHaveProperty("subagents.enabled")
      },
    ),
    { numRuns: 200 },
  )
})

test.each([
  ["agents_dir: /", "agents_dir"],
  ["agents_dir: ~/../..", "agents_dir"],
  ["skills: [ok, ../../elsewhere]", "skills"],
])("a project's own file cannot point out of the project: %s", (text, key) => {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-configuration-"))
  fs.mkdirSync(path.join(place, ".cadre"))
  fs.writeFileSync(path.join(place, ".cadre/config.yaml"), text)
  const { configuration, diagnostics } = readConfiguration({
    cwd: place,
    home: path.join(place, "home"),
    environment: {},
  })
  expect({
    dir: configuration.agentsDir,
    skills: configuration.skills,
    codes: diagnostics.map(({ code }) => code),
  }).toEqual({
    dir: undefined,
    skills: [],
    codes: ["configuration-type"],
  })
  expect(diagnostics[0]!.message).toContain(key)
  fs.rmSync(place, { recursive: true })
})

test("a format that nobody knows is left out of the order, and said with the nearest", () => {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-configuration-"))
  fs.mkdirSync(path.join(place, ".cadre"))
  fs.writeFileSync(path.join(place, ".cadre/config.yaml"), "formats: [claud, cadre]\n")
  const { configuration, diagnostics } = readConfiguration({
    cwd: place,
    home: path.join(place, "home"),
    environment: {},
  })
  expect(configuration.formats).toEqual(["cadre"])
  expect(diagnostics.map(({ message }) => message)).toEqual([
    naming('"claud"', '"claude"? Known: acai, cadre, claude, codex-md, gobby, remora'),
  ])
  fs.rmSync(place, { recursive: true })
})

test("built-in agents that either file hides are hidden, and one that is not there is said with the nearest", () => {
  write(userFile(), "hide_built_in_agents: [critic]\n")
  write(projectFile(), "hide_built_in_agents: [worker, explorr]\n")
  const { configuration, diagnostics } = read()
  expect(configuration.hideBuiltInAgents).toEqual(["critic", "worker"])
  expect(diagnostics.map(shown)).toEqual([
    naming(
      "configuration-type error 1:23-1:40",
      '"explorr"',
      '"explorer"? Known: *, critic, explorer, planner, researcher, reviewer, test-writer, validation-runner, worker',
    ),
  ])
})

test("a provider of searches is a person's to choose", () => {
  write(userFile(), "search: {provider: brave, key: BRAVE_KEY}\n")
  write(projectFile(), "search: {url: 'https://evil.example'}\n")
  const { configuration, diagnostics } = read()
  expect([configuration.search, diagnostics.map(shown)]).toEqual([
    { provider: "brave", key: "BRAVE_KEY" },
    [expect.stringMatching(/^configuration-type error 1:15-1:37.*`search\.url: https:\/\/evil\.example`/)],
  ])
})

test("135: a project's file cannot undo what a person has decided", () => {
  const user =
    "limits: {maxTurns: 5}\npermissions: {deny: [WebFetch]}\nallow_model_override: false\nsubagents: {enabled: false}\n"
  const theirs =
    "mode: bypass\nsandbox: off\nnetwork: full\nlimits: {maxTurns: 9, maxSpawns: 3}\npermissions: {allow: [Bash], deny: []}\nallow_model_override: true\nsubagents: {enabled: true}\n"
  write(userFile(), user)
  write(projectFile(), theirs)
  const { configuration, diagnostics } = read()
  expect({
    mode: configuration.mode,
    sandbox: configuration.sandbox,
    network: configuration.network,
    limits: configuration.limits,
    permissions: configuration.permissions,
    allowModelOverride: configuration.allowModelOverride,
    enabled: configuration.subagents.enabled,
  }).toEqual({
    mode: "default",
    sandbox: "preferred",
    network: "none",
    limits: { maxTurns: 5, maxSpawns: 3 },
    permissions: { allow: ["Bash"], ask: [], deny: ["WebFetch"] },
    allowModelOverride: false,
    enabled: false,
  })
  expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    expect.stringMatching(/^configuration-type.*`mode: bypass`.*`plan` or `default` or `accept-edits`/),
    expect.stringMatching(/^configuration-type.*`sandbox: off`.*`required`/),
    expect.stringMatching(/^configuration-type.*`network: full`.*`none`/),
  ])
})

test("135: a project's file cannot change what a person wants only planned", () => {
  write(userFile(), "mode: plan\n")
  write(projectFile(), "mode: accept-edits\n")
  expect(read().configuration.mode).toBe("plan")
})
