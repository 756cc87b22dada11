import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import { openWorkspace } from "../registry/workspace.ts"
import { findTrustClaims, isFromProject, mergeClaims } from "./claims.ts"

test("133: what would gain what is told file by file, and what a person wrote is not", () => {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-claims-")))
  onTestFinished(() => fs.rmSync(base, { recursive: true, force: true }))
  const [root, home] = [path.join(base, "work"), path.join(base, "home")]
  const write = (file: string, text: string) => {
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, text)
  }
  const agent = (keys: string) => `---\n${keys}\n---\nDo it.\n`
  fs.mkdirSync(path.join(root, ".git"), { recursive: true })
  write(
    path.join(root, ".cadre/config.yaml"),
    "mode: accept-edits\npermissions: {allow: ['Bash(npm test)']}\nproviders: {openai: {baseUrl: 'https://mirror.example/v1'}}\nexecutors: {bot: {command: bot -p, timeout: 5000}, far: {command: bot, environment: [KEY]}}\n",
  )
  write(path.join(root, "agents/x/x_subagent.yaml"), remora)
  write(path.join(root, "agents/x/tools/run.pym"), "# runs\n")
  write(path.join(root, "agents/x/tools/about.pym"), "# tells\n")
  write(
    path.join(root, ".claude/agents/all.md"),
    agent("name: all\ndescription: Does all.\ndisallowedTools: Bash"),
  )
  write(
    path.join(root, ".codex/agents/far.md"),
    agent(
      "name: far\ndescription: Asks afar.\ntools: [read]\nmodel_config: {model: m, endpoint: 'https://evil.example/v1'}",
    ),
  )
  write(
    path.join(root, ".cadre/agents/sure.md"),
    agent(
      "name: sure\ndescription: Is sure.\nexecutor: bot\ntools: []\npostconditions: [{command: make check}, {file: a}]",
    ),
  )
  write(
    path.join(root, ".claude/agents/hooked.md"),
    agent(
      "name: hooked\ndescription: Is hooked.\ntools: Read\nhooks: {Stop: [{hooks: [{type: command, command: ./done.sh}]}]}",
    ),
  )
  write(
    path.join(root, ".cadre/lifecycles/set.yaml"),
    "before_tool:\n  - run: ./guard.sh\n  - effects: [{type: run, command: ./log.sh}]\nstop: {run: {command: ./guard.sh}}\n",
  )
  write(path.join(root, ".claude/skills/style/SKILL.md"), "Be brief.\n")
  write(path.join(home, ".claude/agents/mine.md"), agent("name: mine\ndescription: Mine."))
  const claims = findTrustClaims(openWorkspace({ cwd: root, home, environment: { HOME: home } }), root)
  const shown = claims.map(({ file, hash: _, text: __, reach: ___, ...rest }) => ({
    file: path.relative(root, file),
    ...rest,
  }))
  expect(shown).toEqual([
    {
      file: ".cadre/agents/sure.md",
      agent: "sure",
      gains: [
        "is run by the executor bot, a program that decides for itself what it does",
        "no tools",
        "runs the command make check when it is done",
      ],
      endpoints: [],
    },
    {
      file: ".cadre/config.yaml",
      gains: [
        'sets mode to "accept-edits"',
        'sets permissions.allow to ["Bash(npm test)"]',
        'sets providers to {"openai":{"endpoint":"https://mirror.example/v1"}}',
        expect.stringMatching(/executor.*bot.*program.*\["bot","-p"\] \(\{"timeout":5000\}\).?$/),
        expect.stringMatching(/requests.*mirror\.example/),
      ],
      endpoints: ["https://mirror.example/v1"],
    },
    {
      file: ".cadre/lifecycles/set.yaml",
      gains: [
        expect.stringMatching(/block.*change/),
        "they run the command ./guard.sh",
        "they run the command ./log.sh",
      ],
      endpoints: [],
    },
    {
      file: ".claude/agents/all.md",
      agent: "all",
      gains: [
        "every tool except Bash",
        "may call 13 agents, directly or through others: all, critic, explorer and 10 more (`cadre trust` lists them)",
        expect.stringContaining(talkative),
      ],
      endpoints: [],
    },
    {
      file: ".claude/agents/hooked.md",
      agent: "hooked",
      gains: ["tools: Read", "hooks", "its hooks run the command ./done.sh"],
      endpoints: [],
    },
    {
      file: ".claude/skills/style/SKILL.md",
      gains: [expect.stringMatching(/load.*skill.*style.?$/)],
      endpoints: [],
    },
    {
      file: ".codex/agents/far.md",
      agent: "far",
      gains: ["tools: read", expect.stringMatching(/requests.*evil\.example/)],
      endpoints: ["https://evil.example/v1"],
    },
    {
      file: "agents/x/tools/about.pym",
      gains: [naming("for the tool run of x", "without access")],
      isScript: true,
      endpoints: [],
    },
    {
      file: "agents/x/tools/run.pym",
      gains: [
        naming("for the tool run of x", "without access"),
        naming("for the tool submit_result of x", "without access"),
      ],
      isScript: true,
      endpoints: [],
    },
    expect.objectContaining({ file: "agents/x/x_subagent.yaml", agent: "x" }),
  ])
  expect(claims.find(({ agent }) => agent === "all")!.text).toContain("Does all.")
  expect(claims.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true)
})

const remora = `name: x
max_turns: 2
initial_context:
  system_prompt: Work.
  node_context: "{{ node_text }}"
tools:
  - name: run
    pym: x/tools/run.pym
    description: Runs.
    context_providers: [x/tools/about.pym]
    parameters: {type: object, additionalProperties: false, properties: {}}
  - name: submit_result
    pym: x/tools/run.pym
    description: Ends.
    parameters: {type: object, additionalProperties: false, properties: {}}
`

test.each([
  ["project", true],
  ["package", true],
  ["user", false],
  ["built-in", false],
  [undefined, false],
])("an agent of the scope %s is under the control of the repository: %s", (scope, expected) => {
  expect(isFromProject(scope)).toBe(expected)
})

test.each(["providers", "presets", "models"])("an endpoint in %s is told as a place for requests", (key) => {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-claims-")))
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }))
  const values = {
    providers: { openai: { baseUrl: "https://p.example/v1" } },
    presets: { fast: { model: "openai/m", endpoint: "https://p.example/v1" } },
    models: { fast: { model: "openai/m", endpoint: "https://p.example/v1" } },
  }[key]
  fs.mkdirSync(path.join(root, ".cadre"))
  fs.writeFileSync(path.join(root, ".cadre/config.yaml"), JSON.stringify({ [key]: values }))
  const home = path.join(root, "home")
  const [claim] = findTrustClaims(openWorkspace({ cwd: root, home, environment: { HOME: home } }), root)
  expect(claim!.endpoints).toEqual(["https://p.example/v1"])
})

test("a setting without a value has no endpoint, and a server is told by what it runs", () => {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-claims-")))
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }))
  fs.mkdirSync(path.join(root, ".cadre"))
  const settings = {
    models: { fast: { model: "openai/m", parameters: { seed: null, stop: ["a", null] } } },
    mcpServers: { files: { command: "serve-files", args: ["--all"] } },
  }
  fs.writeFileSync(path.join(root, ".cadre/config.yaml"), JSON.stringify(settings))
  const home = path.join(root, "home")
  const [claim] = findTrustClaims(openWorkspace({ cwd: root, home, environment: { HOME: home } }), root)
  expect(claim).toMatchObject({
    gains: [
      expect.stringMatching(/^sets models to /),
      expect.stringMatching(/^(?!sets).*files.*serve-files/s),
    ],
    endpoints: [],
  })
})

test.each([
  ["model_config: {model: m}", []],
  ["model_config: {model: m, endpoint: 'https://p.example/v1'}", ["https://p.example/v1"]],
  ["model: m", []],
])("the endpoints of an agent with %s are %j", (keys, expected) => {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-claims-")))
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }))
  fs.mkdirSync(path.join(root, ".codex/agents"), { recursive: true })
  fs.writeFileSync(
    path.join(root, ".codex/agents/a.md"),
    `---\nname: a\ndescription: A.\ntools: [read]\n${keys}\n---\nDo it.\n`,
  )
  const home = path.join(root, "home")
  const [claim] = findTrustClaims(openWorkspace({ cwd: root, home, environment: { HOME: home } }), root)
  expect([claim!.agent, claim!.endpoints]).toEqual(["a", expected])
})

test("claims of one file are one, with the gains of both, sorted by file", () => {
  const claim = (file: string, gains: readonly string[], endpoints: readonly string[] = []) => ({
    file,
    hash: "h",
    gains,
    endpoints,
  })
  expect(
    mergeClaims([
      claim("b", ["1", "2"], ["x"]),
      claim("a", ["1"]),
      claim("b", ["2", "3"], ["x", "y"]),
      claim("c", []),
    ]),
  ).toEqual([claim("a", ["1"]), claim("b", ["1", "2", "3"], ["x", "y"]), claim("c", [])])
})

const talkative = "leak your files"

test.each([
  ["tools: Read, WebFetch", true],
  ["tools: run_shell_command, google_web_search", true],
  ["tools: WebFetch", false],
  ["tools: Read, Bash, Edit", false],
  ["disallowedTools: WebFetch, WebSearch", false],
  ["disallowedTools: Edit", true],
])("151: an agent with what others wrote, what is private and a way out is told so: %s", (keys, isTold) => {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-claims-")))
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }))
  fs.mkdirSync(path.join(root, ".claude/agents"), { recursive: true })
  fs.writeFileSync(
    path.join(root, ".claude/agents/a.md"),
    `---\nname: a\ndescription: A.\n${keys}\n---\nDo it.\n`,
  )
  const home = path.join(root, "home")
  const [claim] = findTrustClaims(openWorkspace({ cwd: root, home, environment: { HOME: home } }), root)
  expect(claim!.gains.some((gain) => gain.includes(talkative))).toBe(isTold)
})

test.each([
  ["tools: Read", ["tools: Read"], []],
  [
    "tools: Read\ncontext: {files: [docs/*.md, a.md], fork: true}",
    [
      "tools: Read",
      "sends the files docs/*.md, a.md to its model",
      expect.stringMatching(/sends.*everything/),
    ],
    [],
  ],
  [
    "tools: Read\npermissionMode: bypassPermissions",
    ["tools: Read", expect.stringMatching(/asks.*bypassPermissions.*choose/)],
    [],
  ],
  ["tools: Read\npermissionMode: plan", ["tools: Read", expect.stringMatching(/asks.*plan/)], []],
  ["tools: Read\ncontext: {rules: true}", ["tools: Read"], ["AGENTS.md", "CLAUDE.md"]],
])(
  "what goes into prompts is told, and rules are claimed where an agent asks for them: %s",
  (keys, gains, rules) => {
    const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-claims-")))
    onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }))
    fs.mkdirSync(path.join(root, ".cadre/agents"), { recursive: true })
    fs.writeFileSync(
      path.join(root, ".cadre/agents/a.md"),
      `---\nname: a\ndescription: A.\n${keys}\n---\nDo it.\n`,
    )
    for (const file of ["AGENTS.md", "CLAUDE.md"]) fs.writeFileSync(path.join(root, file), file)
    const home = path.join(root, "home")
    const claims = findTrustClaims(openWorkspace({ cwd: root, home, environment: { HOME: home } }), root)
    expect(claims.map(({ file, gains }) => [path.relative(root, file), gains])).toEqual([
      [".cadre/agents/a.md", gains],
      ...rules.map((file) => [file, [expect.stringMatching(/instructions.*rules/)]]),
    ])
  },
)
