import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest"
import { dispatched } from "../dispatch-kit.ts"

let base: string
let environment: Record<string, string>
beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), "cadre-explain-"))
  mkdirSync(path.join(base, "work/.git"), { recursive: true })
  environment = {
    HOME: path.join(base, "home"),
    CADRE_STATE_DIR: path.join(base, "state"),
    CADRE_CONFIG_DIR: path.join(base, "config"),
  }
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

function put(file: string, text: string): string {
  const full = path.join(base, file)
  mkdirSync(path.dirname(full), { recursive: true })
  writeFileSync(full, text)
  return full
}

const agent = (name: string, ...lines: readonly string[]) =>
  put(
    `config/agents/${name}.md`,
    ["---", `name: ${name}`, "description: Works.", ...lines, "---", "", "You work.", ""].join("\n"),
  )

const cadre = (...words: readonly string[]) =>
  dispatched(words, { directory: path.join(base, "work"), environment })

async function explained(...words: readonly string[]) {
  const { code, stdout } = await cadre("explain", ...words, "--json")
  const result = JSON.parse(stdout)
  const byName = (part: "tools" | "limits" | "variables") =>
    Object.fromEntries(result[part].map(({ name, ...rest }: { name: string }) => [name, rest])) as Record<
      string,
      Record<string, unknown>
    >
  return { code, ...result, tools: byName("tools"), limits: byName("limits"), variables: byName("variables") }
}

const at = (file: string, line: number, column: number) => ({ type: "definition", file, line, column })

describe("explain", () => {
  test("a locked variable names who set it, or who locked it, and whom that overrules", async () => {
    const user = put("config/config.yaml", "variables: {a: 1}\nlocked_variables: [a, b]\n")
    const file = agent("rev", "variables: {a: 2, b: 2}")
    const said = (key: string) => ({ type: "configuration", of: "user", file: user, key })
    const { variables } = await explained("rev")
    expect(variables).toEqual({
      a: {
        value: 1,
        from: said("variables.a"),
        over: [
          { value: 2, from: at(file, 4, 16) },
          { value: 1, from: said("variables.a") },
        ],
      },
      b: {
        value: null,
        from: said("locked_variables"),
        over: [{ value: 2, from: at(file, 4, 22) }],
      },
    })
  })

  test("names the winner and the losers of everything, with their places", async () => {
    const user = put(
      "config/config.yaml",
      "model: fast\npresets: {fast: 'ollama:user'}\nlimits: {maxTurns: 9}\n",
    )
    const project = put("work/.cadre/config.yaml", "model: ollama:project\nlimits: {maxTurns: 4}\n")
    const file = agent(
      "rev",
      "model: ollama:own",
      "tools: [Read, Bash, WebSearch]",
      "disallowedTools: [Bash]",
      "limits: {maxTurns: 7}",
      "variables: {area: src}",
    )
    environment.CADRE_MODEL = "ollama:variable"
    const from = (of: string, where: string, key: string) => ({ type: "configuration", of, file: where, key })
    const { code, model, tools, limits, variables, ...rest } = await explained(
      "rev",
      "--model",
      "ollama:called",
      "--max-turns",
      "3",
      "--var",
      "area=docs",
      "--var",
      "depth=2",
    )
    expect({ code, ...rest }).toEqual({
      code: 0,
      agent: "rev",
      reach: [],
      parents: [],
      depth: 0,
      refused: [],
    })
    const ollama = (name: string) => ({
      value: `ollama/${name}`,
      written: `ollama:${name}`,
      uses: [{ provider: "ollama", model: name }],
    })
    expect(model).toEqual({
      ...ollama("called"),
      from: { type: "call" },
      reads: ["text"],
      over: [
        { ...ollama("own"), from: at(file, 4, 8) },
        { ...ollama("variable"), from: { type: "environment", variable: "CADRE_MODEL" } },
        {
          value: null,
          written: "ollama:project",
          from: { ...from("project", project, "model"), untrusted: true },
        },
        { value: null, written: "fast", from: from("user", user, "model") },
      ],
    })
    expect(limits.maxTurns).toEqual({
      value: 3,
      from: { type: "call" },
      over: [
        { value: 7, from: at(file, 7, 20) },
        { value: 9, from: from("user", user, "limits.maxTurns") },
        { value: 4, from: { ...from("project", project, "limits.maxTurns"), untrusted: true } },
        { value: 100, from: { type: "default" } },
      ],
    })
    expect([tools.Read, tools.Bash, tools.WebSearch, tools.Grep]).toEqual([
      { state: "offered", why: "listed", by: "Read", from: at(file, 5, 9), over: [] },
      {
        state: "missing",
        why: "denied",
        by: "Bash",
        from: at(file, 6, 19),
        over: [{ why: "listed", by: "Bash", from: at(file, 5, 15) }],
      },
      {
        state: "missing",
        why: "absent",
        reason: expect.stringMatching(/`search\.provider`/),
        from: { type: "default" },
        over: [{ why: "listed", by: "WebSearch", from: at(file, 5, 21) }],
      },
      { state: "missing", why: "unlisted", from: at(file, 5, 8), over: [] },
    ])
    expect(variables).toEqual({
      area: { value: "docs", from: { type: "call" }, over: [{ value: "src", from: at(file, 8, 19) }] },
      depth: { value: 2, from: { type: "call" }, over: [] },
    })
  })

  test("as a child: its tools are its own, its limits are bounded by the parent's", async () => {
    agent("lead", "model: ollama:lead", "tools: [Read, Agent]", "limits: {maxDepth: 1, maxTokens: 500}")
    const file = agent("rev", "tools: [Read, Grep, Agent]")
    const { model, tools, limits, depth, parents } = await explained("rev", "--parent", "lead")
    const parent = { type: "parent", agent: "lead" }
    expect({ depth, parents }).toEqual({ depth: 1, parents: ["lead"] })
    expect(model).toMatchObject({ value: "ollama/lead", written: null, from: parent, over: [] })
    expect([tools.Grep, tools.Agent]).toEqual([
      { state: "offered", why: "listed", by: "Grep", from: at(file, 4, 15), over: [] },
      {
        state: "withheld",
        why: "depth",
        from: parent,
        over: [{ why: "listed", by: "Agent", from: at(file, 4, 21) }],
      },
    ])
    expect([limits.maxDepth, limits.maxTokens]).toEqual([
      { value: 1, from: parent, over: [{ value: 3, from: { type: "default" } }] },
      { value: null, from: null, over: [], shared: { value: 500, agent: "lead" } },
    ])
    const { code, refused } = await explained("rev", "--parent", "lead", "--parent", "lead")
    expect({ code, refused }).toEqual({
      code: 1,
      refused: [expect.stringMatching(/^Maximum subagent nesting depth \(1\) reached\. Cannot spawn 'rev'/)],
    })
  })

  test("what a file leaves to its format is its format's", async () => {
    put("config/config.yaml", "model: ollama:one\n")
    const file = put(
      "home/.gobby/agents/aide.yaml",
      "name: aide\ndescription: Aids.\ninstructions: Aid.\ntimeout: 5\n",
    )
    const { limits } = await explained("aide")
    const format = { type: "format", format: "gobby" }
    expect([limits.maxTurns, limits.timeout]).toEqual([
      { value: 10, from: format, over: [{ value: 100, from: { type: "default" } }] },
      {
        value: 5_000,
        from: at(file, 4, 10),
        over: [
          { value: 120_000, from: format },
          { value: 3_600_000, from: { type: "default" } },
        ],
      },
    ])
  })

  test("an untrusted project is explained, and that it would be refused; with --trust it is followed", async () => {
    put("config/config.yaml", "model: ollama:user\n")
    put("work/.cadre/config.yaml", "model: ollama:project\n")
    put("work/.claude/agents/own.md", "---\nname: own\ndescription: Own.\n---\n\nWork.\n")
    const untrusted = await explained("own")
    expect(untrusted).toMatchObject({
      code: 0,
      refused: [expect.stringMatching(/^Agent "own" will not run: .* is not trusted/)],
      model: { value: "ollama/user" },
    })
    expect((await cadre("explain", "own")).stdout).toMatch(/^It cannot run: Agent "own"/m)
    expect(await explained("own", "--trust")).toMatchObject({
      code: 0,
      refused: [],
      model: { value: "ollama/project", from: { type: "configuration", of: "project" } },
    })
  })

  test("1: what would not start is said, and the rest all the same", async () => {
    agent("rev", "allowModelOverride: false", "limits: {maxTurns: 7}")
    const { code, refused, model, limits } = await explained("rev")
    expect({ code, refused }).toEqual({
      code: 1,
      refused: [expect.stringMatching(/^No default model is set.*CADRE_MODEL/)],
    })
    expect(model).toMatchObject({ value: null, written: null, from: { type: "default" }, over: [] })
    expect(limits.maxTurns).toMatchObject({ value: 7 })
    expect((await explained("rev", "--model", "ollama:x")).refused).toEqual([
      expect.stringMatching(/definition.*choose/),
    ])
  })

  test.each<[readonly string[], number, RegExp]>([
    [["rve"], 2, /There is no agent named "rve"\. Did you mean "rev"\?/],
    [["rev", "--parent", "rve"], 2, /There is no agent named "rve"\. Did you mean "rev"\?/],
    [["rev", "--var", "x"], 2, /--var takes NAME=VALUE, not "x"/],
    [["rev", "--timeout", "0"], 2, /--timeout takes seconds above 0/],
    [["broken"], 1, /Subagent 'broken' is broken: \S*broken\.md:4:1 error key-restricting: .*allowed_tools/],
  ])("%j exits %d", async (words, code, message) => {
    agent("rev")
    put(
      "home/.claude/agents/broken.md",
      "---\nname: broken\ndescription: B.\nallowed_tools: Read\n---\n\nB.\n",
    )
    expect(await cadre("explain", ...words)).toMatchObject({
      code,
      stdout: "",
      stderr: expect.stringMatching(message),
    })
  })

  test("connects nowhere and writes nothing", async () => {
    let requests = 0
    const server = createServer((_, response) => {
      requests++
      response.end()
    }).listen(0, "127.0.0.1")
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once("listening", resolve))
    const { port } = server.address() as AddressInfo
    put(
      "config/config.yaml",
      `model: mine:x\nproviders: {mine: {protocol: openai, baseUrl: 'http://127.0.0.1:${port}/v1'}}\n`,
    )
    agent("rev")
    expect(await explained("rev")).toMatchObject({ code: 0, model: { value: "mine/x" } })
    expect({ requests, state: existsSync(path.join(base, "state")) }).toEqual({ requests: 0, state: false })
  })

  test("is lines for people: a value, who says it, and below it whom that overrules", async () => {
    put("config/config.yaml", "model: ollama:user\nlimits: {maxTurns: 9}\n")
    agent("rev", "tools: [Read]", "limits: {maxTurns: 7}")
    const { stdout } = await cadre("explain", "rev")
    const lines = stdout.split("\n").map((line) => line.replaceAll(base, ""))
    expect(lines.slice(0, 2)).toEqual(["rev (cadre, user), /config/agents/rev.md", "As a root run."])
    for (const line of [
      /^model +ollama\/user +\/config\/config\.yaml \(user, model\): ollama:user$/,
      /^Read +offered +listed as "Read", \/config\/agents\/rev\.md:4:9$/,
      /^Bash +missing +not in its list, \/config\/agents\/rev\.md:4:8$/,
      /^maxTurns +7 +\/config\/agents\/rev\.md:5:20$/,
      /^ {2}instead of +9 +\/config\/config\.yaml \(user, limits\.maxTurns\)$/,
      /^ {2}instead of +100 +built-in default$/,
    ])
      expect(lines).toContainEqual(expect.stringMatching(line))
  })
})

describe("what is explained is what `cadre run` then has", () => {
  test.each<[string, readonly string[], string, readonly string[]]>([
    ["nothing said", [], "", []],
    ["the configuration's limits", [], "limits: {maxTurns: 9, maxCost: 3}\n", []],
    [
      "the definition's, and the call's",
      ["limits: {maxTurns: 7, timeout: 8000}", "tools: [Read, Grep, Bash]", "disallowedTools: [Grep]"],
      "limits: {maxTurns: 9}\n",
      ["--max-turns", "3", "--timeout", "30s"],
    ],
    ["no tools", ["tools: []"], "", []],
  ])("%s", async (_, lines, configuration, words) => {
    const script = put("script.json", JSON.stringify({ rev: [{ text: "Done." }] }))
    put("config/config.yaml", `model: script:${script}\n${configuration}`)
    agent("rev", ...lines)
    const said = await explained("rev", ...words)
    const run = JSON.parse((await cadre("run", "rev", "go", ...words, "--json")).stdout)
    const offered = Object.entries(said.tools as Record<string, { state: string }>).filter(
      ([, { state }]) => state === "offered",
    )
    const limits = Object.entries(said.limits as Record<string, { value: number | null }>).filter(
      ([, { value }]) => value !== null,
    )
    expect({
      model: said.model.value,
      tools: offered.map(([name]) => name),
      limits: Object.fromEntries(limits.map(([name, { value }]) => [name, value])),
    }).toEqual({ model: `script:${script}`, tools: run.toolsOffered, limits: run.limits })
    expect(run.outcome).toEqual({ type: "completed" })
  })
})

describe("explain --hooks", () => {
  const files = () => {
    put(
      "config/config.yaml",
      "model: ollama:m\nhooks:\n  on_before_tool:\n    - { tools: Edit, block: user }\n",
    )
    put("config/lifecycles/mine.yaml", "hooks:\n  - { event: after_tool, inject_context: told }\n")
    put("work/.cadre/config.yaml", "hooks: { before_spawn: { when: depth > 0, block: project } }\n")
    put(
      "work/.gobby/workflows/theirs.yaml",
      `name: theirs
type: lifecycle
triggers:
  on_session_start:
    - action: synthesize_title
  on_before_tool:
    - action: synthesize_title
    - when: >-
        "pytest" in command
      spawn_agent: { agent: runner, prompt: "{{ command }}" }
`,
    )
    agent("runner", "tools: [Bash, Agent]")
    return put(
      "config/agents/lead.md",
      `---\r
name: lead\r
description: Leads.\r
tools: Bash, Agent\r
hooks:\r
  PreToolUse:\r
    - matcher: Bash\r
      hooks:\r
        - type: command\r
          command: ./check.sh\r
---\r
\r
You lead.\r
`,
    )
  }
  const hooksOf = async (...words: readonly string[]) => {
    const { code, stdout } = await cadre("explain", ...words, "--hooks", "--json")
    const { hooks, unfollowed } = JSON.parse(stdout)
    return { code, hooks, unfollowed }
  }
  const place = (file: string, line: number, column: number) => ({
    file: path.join(base, file),
    line,
    column,
  })

  test("names every hook in the order in which they judge, whose it is and where it is written", async () => {
    files()
    const { code, hooks, unfollowed } = await hooksOf("lead", "--trust")
    expect([code, unfollowed]).toEqual([0, []])
    const none = { tools: null, agents: null, runs: null, when: null, spares: [], idle: null }
    expect(hooks).toEqual([
      {
        ...none,
        name: "user configuration: on_before_tool.0",
        of: "user",
        events: ["before_tool"],
        place: place("config/config.yaml", 4, 7),
        tools: ["Edit"],
        effects: [{ type: "block", reason: "user" }],
        idle: { type: "tools" },
      },
      {
        ...none,
        name: "mine: 0",
        of: "user",
        events: ["after_tool"],
        place: place("config/lifecycles/mine.yaml", 2, 5),
        effects: [{ type: "inject_context", text: "told" }],
      },
      {
        ...none,
        name: "project configuration: before_spawn",
        of: "project",
        events: ["before_spawn"],
        place: place("work/.cadre/config.yaml", 1, 24),
        when: "depth > 0",
        effects: [{ type: "block", reason: "project" }],
      },
      {
        ...none,
        name: "theirs: triggers.on_before_tool.1",
        of: "project",
        events: ["before_tool"],
        place: place("work/.gobby/workflows/theirs.yaml", 8, 7),
        when: '"pytest" in command',
        effects: [{ type: "spawn_agent", agent: "runner", prompt: "{{ command }}", mode: "replace" }],
        spares: ["runner"],
      },
      {
        ...none,
        name: "agent lead: PreToolUse.0.hooks.0",
        of: "definition",
        events: ["before_tool"],
        place: place("config/agents/lead.md", 9, 11),
        tools: ["Bash"],
        effects: [{ type: "run", command: "./check.sh" }],
      },
    ])
  })

  test("a guarded one is told to do nothing here, in words, too", async () => {
    files()
    const { hooks } = await hooksOf("lead", "--parent", "runner", "--trust")
    expect(hooks[3].idle).toEqual({ type: "agent", agent: "runner" })
    const { stdout } = await cadre("explain", "runner", "--hooks", "--trust")
    expect(stdout).toMatch(
      /4\. theirs: triggers\.on_before_tool\.1, before_tool, from the project, \.gobby\/workflows\/theirs\.yaml:8:7\n {3}when {12}"pytest" in command\n {3}spawn_agent {5}agent: runner, prompt: \{\{ command \}\}, mode: replace\n {3}exempts {9}runs of runner, and their subagents\n {3}never here.*hook.*start.*runner.*runner/s,
    )
  })

  test("what its workflow holds it to comes last, and is never spared", async () => {
    put("config/config.yaml", "model: ollama:m\n")
    agent(
      "worker",
      "workflow:",
      "  steps:",
      "    - { name: work, transitions: [{ to: done, when: turn > 3 }] }",
      "    - { name: done, on_enter: [{ spawn_agent: { agent: worker, prompt: x } }] }",
    )
    const { hooks } = await hooksOf("worker")
    expect(hooks).toMatchObject([
      {
        name: "workflow:worker",
        of: "workflow",
        place: place("config/agents/worker.md", 5, 3),
        spares: [],
        idle: null,
      },
    ])
  })

  test("those of a project that nobody trusts are not followed, and named", async () => {
    files()
    const { hooks, unfollowed } = await hooksOf("lead")
    expect([hooks.length, unfollowed]).toEqual([
      3,
      [path.join(base, "work/.cadre/config.yaml"), path.join(base, "work/.gobby/workflows/theirs.yaml")],
    ])
  })
})
