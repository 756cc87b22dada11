import { readFileSync } from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { CommandWorld } from "../run-command-kit.ts"

/** The seed's own files, with a stand-in for pytest on the path and a script in place of the model it names. */
let world: CommandWorld

beforeEach(() => {
  world = new CommandWorld()
  world.put("bin/pytest", '#!/bin/sh\necho "3 passed in $1"\n')
  world.executable("bin/pytest")
  world.environment.PATH = `${path.join(world.base, "bin")}:${process.env.PATH}`
  world.put("config/config.yaml", `presets:\n  haiku: "script:${world.scriptFile}"\nsandbox: "off"\n`)
  world.put("work/.gobby/agents/agents/validation-runner.yaml", runner)
  world.agent("lead", ["tools: Bash, Agent"])
  world.script({
    lead: [{ calls: [pytest] }, { text: "done" }],
    "validation-runner": [{ calls: [pytest] }, { text: "3 tests passed" }],
  })
})

afterEach(() => world.remove())

const pytest = { tool: "Bash", input: { command: "pytest tests/" } }

const runner = readFileSync(
  path.resolve(import.meta.dirname, "../../examples/seeds/gobby/.gobby/agents/agents/validation-runner.yaml"),
  "utf8",
)

/** As the seed has it, to the letter. */
const sessionLifecycle = `on_before_tool:
  - when: tool_name == "Bash" and ("pytest" in command or "ruff" in command or "mypy" in command)
    spawn_agent:
      agent: validation-runner
      prompt: "Run and report: {{ tool_input.command }}"
`

/** Who was started with which task, and who ran which command with which result. */
async function run(agent: string, ...words: readonly string[]) {
  const { code, result } = await world.json("run", ...world.model, "--yes", ...words, agent, "Run the tests.")
  const { stdout } = await world.cadre("log", result.id, "--json")
  const events = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
  const agents = new Map(
    events.filter(({ type }) => type === "run-start").map(({ run, agent }) => [run, agent]),
  )
  return {
    code,
    started: events.flatMap(({ type, agent, task }) => (type === "run-start" ? [`${agent}: ${task}`] : [])),
    commands: events.flatMap(({ type, run, result }) =>
      type === "tool-end" && result.evidence?.commands
        ? result.evidence.commands.map(({ command }: { command: string }) => `${agents.get(run)}: ${command}`)
        : [],
    ),
    verdicts: events.flatMap(({ type, run, verdict, spawns = [] }) =>
      type === "hook-end"
        ? [
            [
              `${agents.get(run)}: ${verdict.type}`,
              ...spawns.map(({ agent }: { agent: string }) => `spawns ${agent}`),
            ].join(", "),
          ]
        : [],
    ),
    results: events
      .filter(({ type, run }) => type === "tool-end" && run === result.id)
      .map(({ result: { status, text } }) => `${status}: ${text}`),
  }
}

describe("the seed's own verification", () => {
  test("the parent runs pytest, the hook spawns validation-runner, and its report is the result of the parent's call", async () => {
    world.put("work/.gobby/workflows/session-lifecycle.yaml", sessionLifecycle)
    const { code, started, commands, results, verdicts } = await run("lead", "--trust")
    expect([code, started, commands]).toEqual([
      0,
      ["lead: Run the tests.", "validation-runner: Run and report: pytest tests/"],
      ["validation-runner: pytest tests/"],
    ])
    expect(verdicts).toEqual(["lead: pass, spawns validation-runner", "validation-runner: pass"])
    expect(results).toEqual([
      expect.stringMatching(
        /^ok: A hook handed this Bash call to the agent validation-runner.*<report agent="validation-runner" .* outcome="completed">\n3 tests passed\n<\/report>$/s,
      ),
    ])
  })

  test("Gobby's lists of effects and commands hold there, too; actions of its own are passed over", async () => {
    world.put(
      "work/.gobby/workflows/rules.yaml",
      `on_before_tool:
  - when: '"pytest" in command'
    effects:
      - { type: set_variable, variable: seen, value: 1 }
  - when: seen == 1
    run: echo not here; exit 2
  - action: mcp_call
    server: gobby
    tool: note
  - action: call_llm
`,
    )
    const { verdicts, results } = await run("lead", "--trust")
    expect([verdicts, results]).toEqual([["lead: block"], ["denied: Not permitted: not here"]])
  })

  test("hooks of a project that nobody trusts do nothing", async () => {
    world.put("work/.gobby/workflows/session-lifecycle.yaml", sessionLifecycle)
    const { started, commands } = await run("lead")
    expect([started, commands]).toEqual([["lead: Run the tests."], ["lead: pytest tests/"]])
  })

  test("hooks are followed as they were trusted, and where they were changed since nothing starts", async () => {
    world.put("work/.gobby/workflows/session-lifecycle.yaml", sessionLifecycle)
    const trusted = await world.cadre("trust", "--yes")
    expect(trusted.stdout + trusted.stderr).toContain("hooks: can block or change")
    expect((await run("lead")).commands).toEqual(["validation-runner: pytest tests/"])
    world.put("work/.gobby/workflows/session-lifecycle.yaml", `${sessionLifecycle}# changed\n`)
    expect(await world.cadre("run", ...world.model, "lead", "Go.")).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("have changed: .gobby/workflows/session-lifecycle.yaml. "),
    })
  })

  test("validation-runner started directly under that hook runs pytest itself", async () => {
    world.put("work/.gobby/workflows/session-lifecycle.yaml", sessionLifecycle)
    const { started, commands } = await run("validation-runner", "--trust")
    expect([started, commands]).toEqual([
      ["validation-runner: Run the tests."],
      ["validation-runner: pytest tests/"],
    ])
  })

  test.each<[string, string, readonly string[], string]>([
    ["runs with the override, which is null", runner, ["validation-runner: pytest tests/"], "ok"],
    ["is blocked without it", runner.replace("  validation_model: null\n", ""), [], "denied"],
  ])("where pytest is blocked for whoever delegates, it %s", async (_, definition, commands, status) => {
    world.put("work/.gobby/agents/agents/validation-runner.yaml", definition)
    world.put(
      "work/.cadre/config.yaml",
      `variables: { validation_model: haiku }
hooks:
  before_tool:
    - when: '"pytest" in command and variables.validation_model is not null'
      block: "Hand {{ command }} to validation-runner."
`,
    )
    world.script({
      lead: [
        { calls: [{ tool: "Agent", input: { subagent_type: "validation-runner", prompt: "pytest" } }] },
        { text: "done" },
      ],
      "validation-runner": [{ calls: [pytest] }, { text: "reported" }],
    })
    const { code, result } = await world.json("run", ...world.model, "--yes", "--trust", "lead", "Go.")
    const { stdout } = await world.cadre("log", result.id, "--json")
    const calls = stdout
      .split("\n")
      .filter((line) => line.includes('"tool-end"') && line.includes(`"${result.id}.1"`))
      .map((line) => JSON.parse(line).result)
    expect([code, calls.map((call) => call.status)]).toEqual([0, [status]])
    expect(calls[0].text).toContain(
      commands.length > 0 ? "3 passed in tests/" : "Hand pytest tests/ to validation-runner.",
    )
  })

  test("a configuration that would go round in circles is stopped by the guard", async () => {
    world.put(
      "work/.cadre/lifecycles/circle.yaml",
      `before_tool:
  - { tools: Bash, spawn_agent: { agent: validation-runner, prompt: "{{ command }}" } }
  - { tools: Bash, spawn_agent: { agent: lead, prompt: "{{ command }}" } }
`,
    )
    const { code, started, commands } = await run("lead", "--trust")
    expect([code, started, commands]).toEqual([
      0,
      ["lead: Run the tests.", "validation-runner: pytest tests/"],
      ["validation-runner: pytest tests/"],
    ])
  })
})

describe("a hook whose command starts a run under the same hook", () => {
  const built = path.resolve(import.meta.dirname, "../..", "dist", "cli.mjs")
  const folders = () =>
    ["STATE", "CONFIG"]
      .map((name) => `CADRE_${name}_DIR='${world.environment[`CADRE_${name}_DIR`]}'`)
      .join(" ")

  test("comes to an end where runs may not be deeper", async () => {
    world.script({ lead: [{ text: "done" }] })
    const again = `${folders()} '${process.execPath}' '${built}' run lead again --model 'script:${world.scriptFile}'`
    const command = `cat >> asked; ${again} 2>> said; true`
    world.put(
      "config/config.yaml",
      `sandbox: "off"\nhooks:\n  run_start:\n    - run: ${JSON.stringify(command)}\n`,
    )
    const { code } = await world.json("run", ...world.model, "lead", "go")
    const asked = readFileSync(path.join(world.work, "asked"), "utf8").trim().split("\n")
    expect([code, asked.map((line) => JSON.parse(line).depth)]).toEqual([0, [0, 1, 2, 3]])
    expect(readFileSync(path.join(world.work, "said"), "utf8")).toMatch(
      /nesting depth \(3\) reached.*at depth 3/,
    )
  })

  test("a depth that is none is told", async () => {
    world.environment.CADRE_DEPTH = "-1"
    const { code, stderr } = await world.cadre("run", ...world.model, "lead", "go")
    expect([code, stderr]).toEqual([2, expect.stringMatching(/CADRE_DEPTH is "-1".*0/)])
  })
})

test("what is wrong with a file of hooks keeps agents from running, and says where", async () => {
  world.put(
    "work/.cadre/lifecycles/gate.yaml",
    'before_tool:\n  - when: tool_nam == "Bash"\n    block: "no"\n',
  )
  const { code, stderr } = await world.cadre("run", ...world.model, "--trust", "lead", "Go.")
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /\.cadre\/lifecycles\/gate\.yaml:2:11: Unknown name "tool_nam".*Did you mean "tool_name"\?.*\(hook-invalid\).*\(HOOK_INVALID\)/s,
    ),
  ])
})

test("--var sets variables of the run, with JSON as JSON", async () => {
  world.put(
    "config/lifecycles/mine.yaml",
    `before_tool: { when: "variables.strict and variables.level > 1", block: "strict at {{ variables.level }}" }\n`,
  )
  const strict = await run("lead", "--var", "strict=true", "--var", "level=2")
  const loose = await run("lead", "--var", "strict=false", "--var", "level=2")
  expect([strict.results, loose.commands]).toEqual([
    ["denied: Not permitted: strict at 2"],
    ["lead: pytest tests/"],
  ])
})

test("check says where hooks are wrong, in files of their own, in the configuration and in definitions", async () => {
  const wrong = 'before_tool:\n  - when: tool_nam == "Bash"\n    block: "no"\n'
  world.put("work/.cadre/lifecycles/gate.yaml", wrong)
  world.put("work/.cadre/config.yaml", "hooks:\n  before_tol: []\n")
  world.agent("lead", ["hooks:", "  before_tool:", "    - { when: depth =, block: x }"])
  const { code, stdout } = await world.cadre("check", "--json")
  const found = JSON.parse(stdout)
    .diagnostics.filter((finding: { code: string }) => finding.code === "hook-invalid")
    .map((finding: { file: string; range: { start: object }; message: string }) => [
      path.basename(finding.file),
      finding.range.start,
      finding.message,
    ])
  expect([code, found]).toEqual([
    1,
    [
      ["config.yaml", { line: 2, column: 3 }, expect.stringContaining('no event "before_tol"')],
      ["gate.yaml", { line: 2, column: 11 }, expect.stringContaining('Unknown name "tool_nam"')],
      ["lead.md", { line: 6, column: 21 }, expect.stringContaining('Unexpected "="')],
    ],
  ])
})

describe("a Stop hook in the frontmatter of an agent", () => {
  const hooks = [
    "hooks:",
    "  Stop:",
    "    - hooks:",
    "        - type: command",
    '          command: \'grep -q "hook_active\\":true" || { echo "Run the tests."; exit 2; }\'',
  ]

  test("has it go on; in a project, only once that is trusted", async () => {
    world.agent("worker", hooks, "work/.claude/agents")
    world.script({ worker: [{ text: "done" }, { text: "tested" }] })
    const words = [...world.model, "--yes", "worker", "Go."]
    const before = await world.cadre("run", ...words)
    expect(before.code).not.toBe(0)
    expect(before.stdout + before.stderr).toMatch(/trust/)
    const { code, result } = await world.json("run", "--trust", ...words)
    expect([code, result.output, result.objection]).toEqual([0, "tested", undefined])
  })
})
