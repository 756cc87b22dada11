import { existsSync } from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { png } from "../attachment-kit.ts"
import { traced, traceMissing } from "../authority/hostile/trace.ts"
import { contents } from "../file-kit.ts"
import { git } from "../git-kit.ts"
import { CommandWorld } from "../run-command-kit.ts"

let world: CommandWorld

beforeEach(() => {
  world = new CommandWorld()
  world.put("config/config.yaml", `model: "script:${world.scriptFile}"\nvariables: { level: 1 }\n`)
  world.put(
    "config/lifecycles/mine.yaml",
    `before_tool:
  - { name: gate, tools: Edit, block: "no" }
  - name: hand on
    when: "'pytest' in command"
    spawn_agent: { agent: runner, prompt: "{{ command }}" }
`,
  )
  world.script({ lead: [{ text: "done" }] })
  world.agent("lead", [
    "tools: Bash, Agent",
    "fallback: [runner]",
    "cache: { inputs: ['*.md'] }",
    "variables: { level: 2, name: null }",
    "rules: [{ tool: 'Bash(rm *)', decision: deny }]",
    "limits: { maxTurns: 7 }",
    "hooks:",
    "  after_tool: { set_variable: { seen: true } }",
  ])
  world.agent("runner", ["tools: Bash"])
})
afterEach(() => world.remove())

const dry = (...words: readonly string[]) => world.json("run", ...words, "--dry-run")
const at = (file: string) => path.join(world.base, file)

describe("cadre run --dry-run", () => {
  test("names what is attached and the model cannot see", async () => {
    world.put("work/photo.png", png(30, 20))
    const warnings = async (model: string) =>
      (await dry("lead", "Look.", "--attach", "photo.png", "--model", model)).result.warnings
    expect(await warnings("ollama:qwen3")).toEqual([
      "photo.png would not be shown to ollama/qwen3, which does not read pictures.",
    ])
    expect(await warnings("ollama:claude-here")).toEqual([])
  })

  test("tells everything that the run would have, and who says so", async () => {
    world.agent("lead", [], "work/.cadre/agents")
    const { code, result } = await dry(
      "lead",
      "Go.",
      "--trust",
      "--var",
      "level=3",
      "--mode",
      "plan",
      "--dedupe",
      "k",
    )
    const { run, ...head } = result
    expect([code, head]).toEqual([
      0,
      {
        dryRun: true,
        starts: true,
        exitCode: 0,
        problems: [],
        warnings: [],
        task: "Go.",
        parents: [],
        agent: {
          name: "lead",
          format: "cadre",
          scope: "project",
          file: at("work/.cadre/agents/lead.md"),
          hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          reason: null,
          others: [{ file: at("config/agents/lead.md"), scope: "user", state: "shadowed" }],
        },
      },
    ])
    const { tools, limits, hooks, rights, reach: _, ...rest } = run
    expect(rest).toEqual({
      depth: 0,
      model: {
        value: `script:${world.scriptFile}`,
        written: `script:${world.scriptFile}`,
        from: { type: "configuration", of: "user", file: at("config/config.yaml"), key: "model" },
        uses: [{ name: `script:${world.scriptFile}` }],
        over: [],
        reads: ["text"],
      },
      variables: [
        {
          name: "level",
          value: 3,
          from: { type: "call" },
          over: [
            {
              value: 1,
              from: {
                type: "configuration",
                of: "user",
                file: at("config/config.yaml"),
                key: "variables.level",
              },
            },
          ],
        },
      ],
      sandbox: { choice: "preferred", from: { type: "default" }, problem: run.sandbox.problem },
      executor: null,
      trust: { root: world.work, given: "all", agent: "untrusted", configuration: "none", untrusted: [] },
      place: { cwd: world.work, worktree: null },
      workflow: null,
      fallback: [],
      cache: null,
      continues: null,
      attachments: [],
      dedupe: "k",
    })
    expect(tools.find(({ name }: { name: string }) => name === "Bash")).toMatchObject({
      state: "missing",
      why: "taken",
    })
    expect(limits.find(({ name }: { name: string }) => name === "maxTurns")).toMatchObject({ value: 100 })
    expect([rights.mode, rights.from, rights.sets.at(-1)]).toEqual([
      "plan",
      { type: "call" },
      {
        of: "the configuration",
        rules: expect.arrayContaining([{ tool: "Bash", decision: "deny" }]),
        otherwise: "deny",
      },
    ])
    expect(hooks.map(({ name }: { name: string }) => name)).toEqual(["mine: gate", "mine: hand on"])
  })

  test("of an agent with hooks, a cache, fallbacks and rules of its own: those, with their places", async () => {
    const { result } = await dry("lead", "Go.")
    const { hooks, rights, fallback, cache } = result.run
    const mine = at("config/lifecycles/mine.yaml")
    expect(hooks).toEqual([
      {
        name: "mine: gate",
        of: "user",
        events: ["before_tool"],
        place: { file: mine, line: 2, column: 5 },
        tools: ["Edit"],
        agents: null,
        runs: null,
        when: null,
        effects: [{ type: "block", reason: "no" }],
        spares: [],
        idle: { type: "tools" },
      },
      {
        name: "mine: hand on",
        of: "user",
        events: ["before_tool"],
        place: { file: mine, line: 3, column: 5 },
        tools: null,
        agents: null,
        runs: null,
        when: "'pytest' in command",
        effects: [{ type: "spawn_agent", agent: "runner", prompt: "{{ command }}", mode: "replace" }],
        spares: ["runner"],
        idle: null,
      },
      {
        name: "agent lead: after_tool",
        of: "definition",
        events: ["after_tool"],
        place: { file: at("config/agents/lead.md"), line: 11, column: 15 },
        tools: null,
        agents: null,
        runs: null,
        when: null,
        effects: [{ type: "set_variable", name: "seen", value: true }],
        spares: [],
        idle: null,
      },
    ])
    expect({ fallback, cache, own: rights.sets[0] }).toEqual({
      fallback: ["runner"],
      cache: { inputs: ["*.md"], recorded: null },
      own: {
        of: 'agent "lead"',
        agent: "lead",
        rules: [{ tool: "Bash(rm *)", decision: "deny" }],
        otherwise: "allow",
      },
    })
  })

  test("as a child, the hooks that would go round in circles are told to do nothing", async () => {
    const { code, result } = await dry("runner", "Go.", "--parent", "lead")
    expect([code, result.parents, result.run.depth]).toEqual([0, ["lead"], 1])
    expect(result.run.hooks.map(({ idle }: { idle: unknown }) => idle)).toEqual([
      { type: "tools" },
      { type: "agent", agent: "runner" },
    ])
    expect((await world.cadre("run", "runner", "Go.", "--parent", "lead")).code).toBe(2)
  })

  test("of an agent that a program runs: which, how it is held, and whether it is there", async () => {
    world.put(
      "config/config.yaml",
      `sandbox: preferred
executors:
  here: { command: [${JSON.stringify(process.execPath)}, -p, "1 + 1"], sandbox: "off", environment: [ACME_API_KEY] }
  gone: { command: no-such-program, network: full }
`,
    )
    world.agent("here", ["executor: here"])
    world.agent("gone", ["executor: gone"])
    const { code, result } = await dry("here", "Go.")
    expect([code, result.warnings, result.run.executor]).toEqual([
      0,
      [],
      {
        name: "here",
        command: [process.execPath, "-p", "1 + 1"],
        program: process.execPath,
        problem: null,
        sandbox: "off",
        network: "none",
        environment: ["ACME_API_KEY"],
      },
    ])
    const { stdout } = await world.cadre("run", "here", "Go.", "--dry-run", "--sandbox", "required")
    expect(stdout).toMatch(
      /\nrun by +the executor here: \S+ -p '1 \+ 1' \(sandbox required, network none\)\n/,
    )
    const gone = await dry("gone", "Go.")
    expect([gone.code, gone.result.warnings, gone.result.run.executor]).toEqual([
      0,
      [expect.stringMatching(/^The run would fail: .*no-such-program.* PATH/)],
      expect.objectContaining({ program: null, network: "full", problem: expect.any(String) }),
    ])
    const real = await world.json("run", "gone", "Go.", "--yes")
    expect(real.result.outcome.reason).toContain(gone.result.run.executor.problem)
  })

  test("people are told in words", async () => {
    const { code, stdout, stderr } = await world.cadre("run", "lead", "Run the\ntests.", "--dry-run")
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toMatch(
      /^The run would start\.\n\nAGENT\nlead \(cadre, user\), .*lead\.md, sha256 [0-9a-f]{12}\nas a root run\ntask: Run the tests\.\n\nMODEL\n/,
    )
    expect(stdout).toMatch(/\n {3}never here {6}\S.* none of these tools\n/)
    expect(stdout).toMatch(/\nRIGHTS\nmode +default +built-in default\nagent "lead" +deny +Bash\(rm \*\)\n/)
    expect(stdout).toMatch(/\nfallback +runner\ncache +no result is recorded; depends on \*\.md\n$/)
    const refused = await world.cadre("run", "lad", "--dry-run")
    expect([refused.code, refused.stdout]).toEqual([
      2,
      expect.stringMatching(/not start \(exit code 2\):\n-.*agent named "lad"\..*you mean "lead"\?/s),
    ])
  })
})

describe("the exit code is that of the run, and all of it is told at once", () => {
  test.each<[string, readonly string[], () => void, readonly (string | null)[]]>([
    ["an unknown agent", ["lad", "Go."], () => {}, ["USAGE"]],
    ["no task", ["lead", "--file", "nowhere.md"], () => {}, ["USAGE"]],
    [
      "a run that is not there",
      ["lead", "Go.", "--continues", "01kaaaaaaaaaaaaaaaaaaaaaaa"],
      () => {},
      ["USAGE"],
    ],
    ["a model that nobody knows", ["lead", "Go.", "--model", "nobody:x"], () => {}, ["MODEL_UNKNOWN"]],
    ["no key", ["lead", "Go.", "--model", "anthropic:sonnet"], () => {}, ["MODEL_KEY_MISSING"]],
    [
      "a script that is not there",
      ["lead", "Go.", "--model", "script:nowhere.json"],
      () => {},
      ["SCRIPT_INVALID"],
    ],
    ["a reserved variable", ["lead", "Go.", "--var", "task=1"], () => {}, ["VARIABLE_INVALID"]],
    [
      "an agent that nobody trusts",
      ["stranger", "Go."],
      () => world.agent("stranger", [], "work/.cadre/agents"),
      ["UNTRUSTED"],
    ],
    ["a broken agent", ["bad", "Go."], () => world.agent("bad", ["permissions: all"]), ["AGENT_INVALID"]],
    [
      "hooks that cannot be read",
      ["lead", "Go."],
      () => world.put("config/lifecycles/wrong.yaml", "before_tol: []\n"),
      ["HOOK_INVALID", "HOOK_INVALID"],
    ],
    [
      "no repository",
      ["apart", "Go."],
      () => world.agent("apart", ["isolation: worktree"]),
      ["ISOLATION_REFUSED"],
    ],
    [
      "a workflow that is not there",
      ["stepped", "Go."],
      () => world.agent("stepped", ["workflow: nowhere"]),
      ["WORKFLOW_INVALID"],
    ],
    [
      "a mode that is not here",
      ["shown", "Go."],
      () => world.agent("shown", ["mode: terminal"]),
      ["MODE_REFUSED"],
    ],
    [
      "a program that nobody set up",
      ["other", "Go."],
      () => world.agent("other", ["executor: nobody"]),
      ["EXECUTOR_UNKNOWN"],
    ],
    [
      "an input of a pipeline that is missing",
      ["piped", "--input", "path=x"],
      () =>
        world.agent("piped", [
          "inputs: { path: string, goal: string }",
          "pipeline: [{ id: a, agent: runner, prompt: '{{ inputs.path }} {{ inputs.goal }}' }]",
        ]),
      ["INPUT_INVALID"],
    ],
    [
      "subagents that are switched off",
      ["lead", "Go."],
      () =>
        world.put(
          "config/config.yaml",
          `model: "script:${world.scriptFile}"\nsubagents: { enabled: false }\n`,
        ),
      ["SUBAGENTS_DISABLED"],
    ],
    [
      "all of it",
      ["stranger", "--file", "nowhere.md", "--model", "anthropic:sonnet", "--var", "task=1"],
      () => {
        world.agent(
          "stranger",
          ["isolation: worktree", "lifecycle: lose", "skills: [none]"],
          "work/.cadre/agents",
        )
      },
      [
        "USAGE",
        "UNTRUSTED",
        "VARIABLE_INVALID",
        "MODEL_KEY_MISSING",
        "ISOLATION_REFUSED",
        "SKILL_UNKNOWN",
        "HOOK_INVALID",
      ],
    ],
  ])("%s", async (_, words, make, codes) => {
    make()
    const foreseen = await dry(...words)
    expect(foreseen.result.problems.map(({ code }: { code: string | null }) => code)).toEqual(codes)
    const real = await world.json("run", ...words)
    const [first] = foreseen.result.problems
    expect({ code: foreseen.code, exitCode: foreseen.result.exitCode, first: first.code }).toEqual({
      code: real.code,
      exitCode: real.code,
      first: real.result.error.code,
    })
    expect(real.result.error.message.startsWith(first.message)).toBe(true)
  })

  test("a key that another run has", async () => {
    world.script({ lead: [{ text: "done", delayMs: 60_000 }] })
    const started = world.start(["run", "lead", "Go.", "--dedupe", "k"])
    await started.says(/lead/)
    const { code, result } = await dry("lead", "Go.", "--dedupe", "k")
    expect([code, result.problems]).toEqual([
      2,
      [{ code: "RUN_ACTIVE", message: expect.stringContaining('dedupe key "k"') }],
    ])
    expect((await dry("lead", "Go.", "--dedupe", "other")).code).toBe(0)
    started.child.kill("SIGKILL")
    await started.ended
  })
})

test("a result that is recorded, and a run that is gone on with, are found in the log, which stays as it is", async () => {
  const first = await world.json("run", "lead", "Go.", "--yes")
  const before = contents(at("state"))
  const { code, result } = await dry("lead", "Go.")
  expect([code, result.run.cache.recorded]).toEqual([0, first.result.id])
  const continued = await dry("--continues", first.result.id, "And?")
  expect([continued.code, continued.result.run.continues, continued.result.agent.name]).toEqual([
    0,
    first.result.id,
    "lead",
  ])
  expect(contents(at("state"))).toEqual(before)
})

describe.skipIf(traceMissing !== undefined)("no process, no request, no file: the kernel says so", () => {
  test.each<[string, readonly string[], number]>([
    ["of a run that would start", ["run", "apart", "Go.", "--trust", "--dry-run"], 0],
    ["as JSON", ["run", "apart", "Go.", "--trust", "--dry-run", "--json", "--dedupe", "k"], 0],
    ["as a child", ["run", "runner", "Go.", "--parent", "lead", "--dry-run", "--trust"], 0],
    ["of one that nobody trusts", ["run", "apart", "Go.", "--dry-run"], 6],
    ["of nobody", ["run", "nobody", "Go.", "--dry-run"], 2],
    ["of one that a program runs", ["run", "touched", "Go.", "--yes", "--dry-run"], 0],
    ["of a pipeline", ["run", "piped", "Go.", "--yes", "--dry-run"], 0],
    ["of hooks alone", ["explain", "apart", "--hooks", "--trust"], 0],
  ])("%s", async (_, words, expected) => {
    git(world.work, "init", "--quiet", "--initial-branch", "main")
    world.agent(
      "apart",
      ["isolation: worktree", "skills: []", "context: { environment: true }"],
      "work/.cadre/agents",
    )
    world.put(
      "config/config.yaml",
      `model: "script:${world.scriptFile}"\nexecutors: { touch: { command: [touch, marker] } }\n`,
    )
    world.put("config/lifecycles/mine.yaml", "run_start: { run: touch marker }\n")
    world.agent("touched", ["executor: touch"])
    world.agent("piped", ["pipeline: [{ id: a, agent: touched, prompt: Go. }]"])
    world.put("work/.cadre/lifecycles/log.yaml", "before_tool: { run: touch marker }\n")
    git(world.work, "add", "--all")
    git(world.work, "commit", "--quiet", "--message", "All")
    const before = contents(world.base)
    const { code, run, reached, changed, errors } = await traced(
      { base: world.base, root: world.work, environment: world.environment, state: "/nowhere" },
      words,
    )
    expect({ code, run, reached, changed, errors }).toEqual({
      code: expected,
      run: [],
      reached: [],
      changed: [],
      errors: expect.any(String),
    })
    expect(existsSync(at("state"))).toBe(false)
    expect(contents(world.base)).toEqual(before)
  })

  test("and what it says it would have said of the run itself", async () => {
    const place = { base: world.base, root: world.work, environment: world.environment, state: "/nowhere" }
    const { code, changed } = await traced(place, ["run", "lead", "Go.", "--yes"])
    expect([code, changed.length > 0]).toEqual([0, true])
  })
})
