import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { dispatched } from "../dispatch-kit.ts"
import { naming } from "../naming.ts"
import { CommandWorld } from "../run-command-kit.ts"

const release = `name: release
description: Reviews every file and ships.
inputs: {paths: "string[]", version: string}
pipeline:
  - id: reviews
    map: inputs.paths
    as: path
    at_once: 2
    agent: checker
    prompt: Review {{ path }}.
    on_error: continue
  - id: gate
    approval: Ship {{ inputs.version }}?
    when: len(inputs.paths) > 1
  - id: mend
    loop: {until: "'ok' in steps.try.output", max: 3}
    steps:
      - {id: try, agent: checker, prompt: "Try {{ round }}."}
  - id: last
    parallel:
      - {id: note, agent: checker, prompt: Note it.}
      - {id: settle, wait: 20ms}
outputs: {reviews: "{{ steps.reviews.value }}", rounds: "{{ steps.mend.rounds }}"}
`

describe("looking at one", () => {
  let base: string
  beforeEach(() => {
    base = mkdtempSync(path.join(os.tmpdir(), "cadre-pipeline-command-"))
    put("home/.config/cadre/config.yaml", "hide_built_in_agents: '*'\n")
    put(".cadre/agents/release.yaml", release)
    put(".cadre/agents/checker.md", "---\nname: checker\ndescription: Checks.\n---\n\nCheck.\n")
    mkdirSync(path.join(base, ".git"))
  })
  afterEach(() => rmSync(base, { recursive: true, force: true }))

  const put = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(base, file)), { recursive: true })
    writeFileSync(path.join(base, file), text)
  }
  const cadre = (...words: readonly string[]) =>
    dispatched(words, { directory: base, environment: { HOME: path.join(base, "home") } })

  test("list says that it is a pipeline, in words and in JSON", async () => {
    const lines = (await cadre("list")).stdout.split("\n")
    expect(lines.find((line) => line.startsWith("release"))).toMatch(/ pipeline of 4 steps /)
    const { agents } = JSON.parse((await cadre("list", "--json")).stdout)
    expect(agents.map(({ name, kind }: { name: string; kind?: string }) => [name, kind])).toEqual([
      ["checker", undefined],
      ["release", "pipeline"],
    ])
  })

  test("show prints its steps in place of a request", async () => {
    const { stdout } = await cadre("show", "release")
    expect(stdout.slice(stdout.indexOf("---"))).toBe(`--- pipeline
task: a JSON object {paths: string[], version: string}
1. reviews: for each path of inputs.paths, 2 at once: agent checker (continues if it fails)
2. gate: a person approves: Ship {{ inputs.version }}? (when len(inputs.paths) > 1)
3. mend: repeat until 'ok' in steps.try.output, at most 3 times
   1. try: agent checker
4. last: all at once
   1. note: agent checker
   2. settle: wait 20ms
outputs: reviews, rounds
`)
  })

  test("check tells what is wrong where it is written, and show what could be read", async () => {
    put(
      ".cadre/agents/release.yaml",
      release
        .replace("Review {{ path }}", "Review {{ paht }}")
        .replace("agent: checker\n    prompt: R", "agent: cheker\n    prompt: R"),
    )
    const { code, stdout } = await cadre("check")
    expect([code, stdout]).toEqual([
      1,
      `.cadre/agents/release.yaml:9:12 error pipeline-agent
  There is no agent \`cheker\`, so this step would fail. Did you mean "checker"? Known: checker.

   8 │     at_once: 2
   9 │     agent: cheker
     │            ^^^^^^
  10 │     prompt: Review {{ paht }}.

.cadre/agents/release.yaml:10:23 error pipeline-name
  \`paht\` is not a known name. Did you mean "path"? Known: index, inputs, path, steps, task, variables.

   9 │     agent: cheker
  10 │     prompt: Review {{ paht }}.
     │                       ^^^^
  11 │     on_error: continue

2 errors in 1 of 3 files
`,
    ])
    put(".cadre/agents/release.yaml", "name: release\ndescription: x\ninputs: {a: string}\n")
    const shown = await cadre("show", "release")
    expect(shown.stdout).toContain("--- nothing would be sent\nThe pipeline has invalid steps.")
  })

  test("a pipeline of Gobby is told to be not followed, and what of it has no place here", async () => {
    put(
      ".gobby/workflows/nightly.yaml",
      "name: nightly\ntype: pipeline\nsteps:\n  - {id: lint, exec: ruff check}\n  - {id: fix, prompt: Fix it}\n  - {id: tell, mcp: {server: s, tool: t}}\n",
    )
    const { code, stdout } = await cadre("check")
    expect([code, stdout]).toEqual([
      0,
      naming(".gobby/workflows/nightly.yaml:2:7 warning pipeline-foreign\n", "Gobby pipelines."),
    ])
    expect(stdout).toContain("no equivalent: `lint` (exec), `tell` (mcp)")
  })
})

describe("running one", () => {
  let world: CommandWorld
  beforeEach(() => {
    world = new CommandWorld()
    world.put("config/agents/release.yaml", release)
    world.agent("checker")
    world.script({
      checker: [{ match: "Try 1", text: "not yet" }, { match: "Try 2", text: "ok" }, { text: "fine" }],
    })
  })
  afterEach(() => world.remove())

  test("inputs come one by one, a person is asked, and the run goes on from there", async () => {
    const { code, result } = await world.json(
      "run",
      "release",
      "--input",
      'paths=["a", "b"]',
      "--input",
      "version=1.0",
      ...world.model,
    )
    expect([
      code,
      result.status,
      result.approvals.map((one: { tool: string; rule: string }) => [one.tool, one.rule]),
    ]).toEqual([7, "resting", [["approval", "step gate needs approval"]]])
    const listed = await world.cadre("approve", result.id, "--list")
    expect(listed.stdout.split("\n").map((line) => line.trim())).toEqual([
      `${result.id} c3`,
      "release: Ship 1.0?",
      "because step gate needs approval",
      naming("no rule", "question"),
      "",
    ])
    expect((await world.cadre("approve", result.id)).code).toBe(0)
    const end = await world.json("resume", result.id)
    expect([end.code, end.result.outcome, end.result.value]).toEqual([
      0,
      { type: "completed" },
      { reviews: ["fine", "fine"], rounds: 2 },
    ])
  })

  test("a no is the outcome denied", async () => {
    const task = JSON.stringify({ paths: ["a", "b"], version: "1.0" })
    const { code, result } = await world.json("run", "release", task, "--deny", ...world.model)
    expect([code, result.outcome.type, result.outcome.reason]).toEqual([
      4,
      "denied",
      expect.stringMatching(/^step gate: Not permitted: /),
    ])
  })

  test.each([
    [["release", "x"], 1, 'pipeline "release": it is not a JSON'],
    [["release", "--input", "paths=x", "--input", "version=1"], 1, "paths: "],
    [["release", "--input", "paths"], 2, '--input takes NAME=VALUE, not "paths".'],
    [["release", "hello", "--input", "version=1"], 2, "either --input or a task"],
    [["checker", "--input", "version=1"], 2, 'Agent "checker" has no inputs.'],
  ])("run %j starts nothing", async (words, code, message) => {
    const ran = await world.cadre("run", ...words, ...world.model)
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(message)])
  })

  test("more runs than it may start are refused beforehand where their number is known, and nothing is begun", async () => {
    world.put("config/config.yaml", "limits: {maxSpawns: 4}\n")
    const ran = await world.cadre(
      "run",
      "release",
      "--input",
      'paths=["a","b","c","d"]',
      "--input",
      "version=1",
      ...world.model,
    )
    expect([ran.code, ran.stderr]).toEqual([
      1,
      expect.stringMatching(/"release" .*at least 6 .*`maxSpawns` is 4\b.* \(LIMIT_INVALID\)/),
    ])
    expect((await world.json("runs", "--all")).result).toEqual({ runs: [] })
  })

  test.each([
    ["maxSpawns: 3", "spawns", /^step each: .*\b3 items, .*at least 3 .*`maxSpawns: 3`, 2 remain\./, 1],
    ["maxTokens: 30", "tokens", /^step list \(agent lister, run .*\): it reached its limit of tokens$/, 1],
  ])("%s ends it as that limit, with exit code 3", async (limit, name, reason, children) => {
    world.put("config/config.yaml", `limits: {${limit}}\n`)
    world.put(
      "config/agents/later.yaml",
      `name: later
description: Lists, then does each.
pipeline:
  - {id: list, agent: lister, prompt: List them.}
  - {id: each, map: 'steps.list.value["names"]', agent: checker, prompt: "Do {{ item }}."}
`,
    )
    world.put(
      "config/agents/lister.yaml",
      `name: lister
description: Lists.
instructions: List.
output: {type: object, properties: {names: {type: array, items: {type: string}}}, required: [names]}
`,
    )
    world.script({
      lister: [{ calls: [{ tool: "submit_result", input: { names: ["a", "b", "c"] } }] }, { text: "done" }],
      checker: [{ text: "fine" }],
    })
    const { code, result } = await world.json("run", "later", "{}", ...world.model)
    expect([code, result.outcome]).toEqual([
      3,
      { type: "limit", limit: name, reason: expect.stringMatching(reason) },
    ])
    expect((await world.json("runs", "--all")).result.runs).toHaveLength(1 + children)
  })
})
