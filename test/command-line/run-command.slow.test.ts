import { existsSync, readdirSync } from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { naming } from "../naming.ts"
import { CommandWorld } from "../run-command-kit.ts"

let world: CommandWorld
beforeEach(() => {
  world = new CommandWorld()
})
afterEach(() => world.remove())

const delegate = (agent: string, more = {}) => ({
  tool: "Agent",
  input: { agent, prompt: `Do ${agent}.`, ...more },
})

describe("exit codes", () => {
  test("0: completed, with the text on stdout and a summary on stderr", async () => {
    world.agent("greeter")
    world.script({ greeter: [{ text: "Hello, Ada." }] })
    expect(await world.cadre("run", "greeter", "Ada", "has", "arrived.", ...world.model)).toEqual({
      code: 0,
      stdout: "Hello, Ada.\n",
      stderr: expect.stringMatching(
        /^greeter started: Ada has arrived\.\ngreeter completed\ngreeter completed\. 1 turn, 15 tokens, cost unknown, [\d.]+s\.\nModel: requested script:.*, resolved script:.*, reported script:.*\.\nRun [0-9a-z]{26}\n$/,
      ),
    })
  })

  test("1: failed", async () => {
    world.agent("greeter")
    world.script({ greeter: [{ error: { message: "no such luck" } }] })
    const { code, result } = await world.json("run", "greeter", "Hello.", ...world.model)
    expect({ code, outcome: result.outcome }).toEqual({
      code: 1,
      outcome: { type: "failed", reason: "no such luck" },
    })
  })

  test("R8, 1.18: an unknown agent name is 2, says which was meant, and starts nothing", async () => {
    world.agent("greeter")
    world.script({})
    expect(await world.cadre("run", "greter", "Hello.", ...world.model)).toEqual({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/^cadre: There is no agent named "greter"\. Did you mean "greeter"\?/),
    })
    expect(existsSync(path.join(world.base, "state"))).toBe(false)
  })

  test("what keeps a run from starting is JSON for whoever asked for JSON", async () => {
    world.agent("lost", ["model: sonett"])
    const model = await world.json("run", "lost", "x")
    const message = expect.stringContaining('Did you mean "sonnet"?')
    expect(model).toEqual({
      code: 1,
      result: {
        error: {
          code: "MODEL_UNKNOWN",
          message,
          diagnostics: [
            {
              code: "model-unknown",
              severity: "error",
              message,
              file: path.join(world.base, "config/agents/lost.md"),
              range: { start: { line: 4, column: 8 }, end: { line: 4, column: 14 } },
            },
          ],
        },
      },
    })
    expect(await world.json("run", "nobody", "x")).toMatchObject({
      code: 2,
      result: { error: { code: "USAGE" } },
    })
    expect(await world.json("resume", "nothing")).toMatchObject({
      code: 2,
      result: { error: { code: "USAGE" } },
    })
    const { stdout } = await world.cadre("run", "lost", "x", "--jsonl")
    expect(JSON.parse(stdout)).toEqual({ type: "error", ...model.result })
  })

  test("1: a broken agent says what is wrong with it", async () => {
    world.agent("greeter", ["allowed_tools: Read"])
    expect(await world.cadre("run", "greeter", "Hello.", ...world.model)).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /Subagent 'greeter' is broken: \S*greeter\.md:4:1 error key-restricting: `allowed_tools`/,
      ),
    })
  })

  describe("58: each limit ends a run with that reason, keeps what was said, and is told from a failure", () => {
    test.each([
      ["--max-turns", "2", { type: "limit", limit: "turns" }],
      ["--timeout", "1s", { type: "timed-out", clock: "timeout" }],
    ])("%s %s", async (option, value, outcome) => {
      world.agent("lead")
      world.agent("slow")
      world.script({
        lead: [
          { text: "First words.", calls: [delegate("slow")] },
          { calls: [delegate("slow")] },
          { text: "Never." },
        ],
        slow: [{ text: "Slow.", delayMs: option === "--timeout" ? 20_000 : 0 }],
      })
      const { code, result } = await world.json("run", "lead", "Go.", option, value, ...world.model)
      expect({ code, outcome: result.outcome, output: result.output }).toEqual({
        code: 3,
        outcome,
        output: "First words.",
      })
    })

    test("--max-cost", async () => {
      world.agent("lead")
      world.agent("slow")
      world.script({
        lead: [
          { text: "First words.", calls: [delegate("slow")], usage: { cost: 2 } },
          { text: "Never.", usage: { cost: 2 } },
        ],
        slow: [{ text: "Slow.", usage: { cost: 2 } }],
      })
      const { code, result } = await world.json("run", "lead", "Go.", "--max-cost", "1", ...world.model)
      expect({ code, outcome: result.outcome, output: result.output }).toEqual({
        code: 3,
        outcome: { type: "limit", limit: "cost" },
        output: "First words.",
      })
    })

    test("a loop", async () => {
      world.agent("lead")
      world.agent("echo")
      world.script({
        lead: Array.from({ length: 40 }, () => ({ text: "Again.", calls: [delegate("echo")] })),
        echo: [{ text: "Echo." }],
      })
      const { code, result } = await world.json("run", "lead", "Go.", ...world.model)
      expect({ code, type: result.outcome.type, output: result.output }).toEqual({
        code: 3,
        type: "loop",
        output: "Again.",
      })
    })
  })

  test("4: every call denied, by --deny", async () => {
    world.agent("lead", ["rules: [{tool: Agent, decision: ask}]"])
    world.script({ lead: [{ calls: [delegate("lead")] }, { text: "Could not." }] })
    const { code, result } = await world.json("run", "lead", "Go.", "--deny", ...world.model)
    expect({ code, outcome: result.outcome.type, denied: result.denied }).toEqual({
      code: 4,
      outcome: "denied",
      denied: [
        {
          call: "c1",
          tool: "Agent",
          reason: expect.stringContaining("Denied by --deny"),
          by: { type: "person", note: expect.stringContaining("Denied by --deny") },
        },
      ],
    })
  })

  test("5: cancelled by another process", async () => {
    world.agent("slow")
    world.script({ slow: [{ text: "Slow.", delayMs: 30_000 }] })
    const run = world.start(["run", "slow", "Go.", "--jsonl", ...world.model])
    await run.says(/slow started/)
    const { runs } = (await world.json("runs")).result
    expect((await world.cadre("cancel", runs[0].id, "wrong", "branch")).code).toBe(0)
    const { code, stdout } = await run.ended
    expect({ code, outcome: JSON.parse(stdout.trim().split("\n").at(-1)!).outcome }).toEqual({
      code: 5,
      outcome: { type: "cancelled", reason: "wrong branch" },
    })
  })

  test("7: a run that asks rests, says how to approve, and goes on when that was done", async () => {
    world.agent("lead", ["rules: [{tool: Agent, decision: ask}]"])
    world.agent("greeter")
    world.script({
      lead: [{ text: "May I?", calls: [delegate("greeter")] }, { text: "Done." }],
      greeter: [{ text: "Hi." }],
    })
    const { code, result } = await world.json("run", "lead", "Go.", ...world.model)
    expect({ code, status: result.status, outcome: result.outcome, output: result.output }).toEqual({
      code: 7,
      status: "resting",
      outcome: null,
      output: "May I?",
    })
    expect(result.approvals).toEqual([
      {
        run: result.id,
        call: "c1",
        tool: "Agent",
        arguments: '{"agent":"greeter","prompt":"Do greeter."}',
        agent: "lead",
        depth: 0,
        rule: 'agent "lead"',
        by: expect.objectContaining({ type: "rule", rule: "Agent", agent: "lead" }),
        about: "greeter",
        accesses: [{ type: "agent", name: "greeter" }],
        offers: { type: "none", reason: expect.stringContaining("lead") },
        way: [{ run: result.id, agent: "lead", task: "Go." }],
        approve: `cadre approve ${result.id} c1`,
        deny: `cadre approve ${result.id} c1 --deny`,
      },
    ])
    expect(result.resume).toBe(`cadre resume ${result.id} --json`)
    expect((await world.cadre("resume", result.id)).code).toBe(7)
    expect((await world.cadre("approve", result.id, "c1")).code).toBe(0)
    expect(await world.cadre("resume", result.id)).toMatchObject({ code: 0, stdout: "Done.\n" })
    expect(await world.cadre("resume", result.id)).toMatchObject({ code: 0, stdout: "Done.\n" })
  })

  test("0: --yes allows every ask, of children too", async () => {
    world.agent("lead", ["rules: [{tool: Agent, decision: ask}]"])
    world.agent("middle", ["rules: [{tool: Agent, decision: ask}]"])
    world.agent("greeter")
    world.script({
      lead: [
        { calls: [delegate("middle"), delegate("greeter")] },
        { calls: [delegate("greeter")] },
        { text: "Done." },
      ],
      middle: [{ calls: [delegate("greeter")] }, { text: "Middle." }],
      greeter: [{ text: "Hi.", delayMs: 50 }],
    })
    const { code, result } = await world.json("run", "lead", "Go.", "--yes", ...world.model)
    expect({ code, output: result.output, calls: result.evidence.calls }).toEqual({
      code: 0,
      output: "Done.",
      calls: { Agent: 3 },
    })
  })
})

describe("output", () => {
  test("--json is one object and --jsonl ends with the same, and stdout holds nothing else", async () => {
    world.agent("greeter")
    world.script({ greeter: [{ text: "Hello.", usage: { cost: 0.5 } }] })
    const { result } = await world.json("run", "greeter", "Hi.", ...world.model)
    expect(result).toMatchObject({
      id: expect.stringMatching(/^[0-9a-z]{26}$/),
      agent: "greeter",
      status: "ended",
      outcome: { type: "completed" },
      output: "Hello.",
      cost: 0.5,
      turns: 1,
      denied: [],
      approvals: [],
      warnings: [],
      model: { reported: [`script:${world.scriptFile}`] },
      definition: { name: "greeter" },
    })
    const { stdout } = await world.cadre("run", "greeter", "Hi.", "--jsonl", ...world.model)
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(lines.map(({ type }) => type)).toEqual([
      "run-start",
      "model-start",
      "text-delta",
      "model-end",
      "run-end",
      "result",
    ])
    expect({ ...lines.at(-1), id: 0, activeMs: 0 }).toEqual({
      type: "result",
      ...result,
      id: 0,
      activeMs: 0,
    })
  })

  test("R8, 1.18: a parent that ends its turn waits for a child in the background, and a failed child is told", async () => {
    world.agent("lead")
    world.agent("slow")
    world.agent("bad")
    world.script({
      lead: [
        { calls: [delegate("slow", { background: true }), delegate("bad", { background: true })] },
        { text: "Waiting." },
        { text: "One report." },
        { text: "Both reports." },
      ],
      slow: [{ text: "Slow.", delayMs: 600 }],
      bad: [{ error: { message: "broken" }, delayMs: 200 }],
    })
    const { code, stdout } = await world.cadre("run", "lead", "Go.", "--jsonl", ...world.model)
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    const ends = events
      .filter(({ type }) => type === "run-end")
      .map(({ run, outcome }) => [run, outcome.type])
    const { id, output } = events.at(-1)
    expect({ code, ends, output }).toEqual({
      code: 0,
      ends: [
        [`${id}.2`, "failed"],
        [`${id}.1`, "completed"],
        [id, "completed"],
      ],
      output: "Both reports.",
    })
  })

  test("broken definitions are told once, at the top", async () => {
    world.agent("greeter")
    for (const name of ["a", "b", "c", "d"]) world.agent(name, ["allowed_tools: Read"], "work/.claude/agents")
    world.script({ greeter: [{ text: "Hello." }] })
    const { stderr } = await world.cadre("run", "greeter", "Hi.", ...world.model)
    expect(stderr).toMatch(
      /^4 definitions are broken: \.claude\/agents\/a\.md, .*c\.md and 1 more\. `cadre check` shows why\.\ngreeter started/,
    )
  })

  test("a definition that only rules find broken is told where it could come to work, and not beside an agent that works alone", async () => {
    world.agent("alone", ["tools: Read"])
    world.agent("lead", ["tools: Read, Agent"])
    world.agent("broken", ["tools: Reed"])
    world.script({ alone: [{ text: "Hello." }], lead: [{ text: "Hello." }] })
    const told = async (name: string) => {
      const { stderr } = await world.cadre("run", name, "Hi.", ...world.model)
      return stderr.split("\n").filter((line) => line.includes("broken"))
    }
    expect(await told("alone")).toEqual([])
    expect(await told("lead")).toEqual([
      expect.stringMatching(/^1 definition is broken: .*broken\.md\. `cadre check` shows why\.$/),
    ])
  })

  test("what Claude Code's settings forbid and nobody does here is told at the top, by a dry run and by doctor", async () => {
    world.agent("greeter")
    world.script({ greeter: [{ text: "Hello." }] })
    world.put("work/.claude/settings.json", '{"permissions": {"deny": ["Read(./.env)"]}}\n')
    world.put("home/.claude/settings.json", '{"hooks": {"PreToolUse": []}}\n')
    const told = (key: string) =>
      naming(`\`${key}\` of Claude Code's settings`, "do not apply", "forbid is allowed")
    const { stderr } = await world.cadre("run", "greeter", "Hi.", ...world.model)
    const [first, ...others] = stderr.split("\n")
    expect(first!.startsWith(".claude/settings.json:1:2: `permissions`")).toBe(true)
    expect(first).toEqual(told("permissions"))
    expect(others).toContainEqual(
      naming(`${path.join(world.base, "home/.claude/settings.json")}:1:2: `, told("hooks")),
    )
    for (const words of [["run", "greeter", "Hi.", "--dry-run", ...world.model], ["doctor"]]) {
      const { stdout } = await world.cadre(...words)
      for (const key of ["permissions", "hooks"]) expect(stdout.replaceAll(/\s+/g, " ")).toEqual(told(key))
    }
  })

  test("111: a large result arrives whole, however slowly it is read", async () => {
    const text = `${"0123456789abcde\n".repeat(400_000)}end`
    world.agent("greeter")
    world.script({ greeter: [{ text }] })
    const run = world.start(["run", "greeter", "Hi.", "--json", ...world.model])
    run.child.stdout!.pause()
    await run.says(/greeter completed/)
    await new Promise((resolve) => setTimeout(resolve, 500))
    run.child.stdout!.resume()
    const { code, stdout } = await run.ended
    expect(code).toBe(0)
    expect(JSON.parse(stdout).output === text).toBe(true)
  })

  test("111: nobody who reads the answer is no fault, and the run has ended", async () => {
    world.agent("greeter")
    world.script({ greeter: [{ text: "x".repeat(1_000_000), delayMs: 100 }] })
    const run = world.start(["run", "greeter", "Hi.", ...world.model])
    run.child.stdout!.destroy()
    const { code, stderr } = await run.ended
    expect(code).toBe(0)
    expect(stderr).not.toMatch(/fault/)
    expect((await world.json("runs")).result.runs[0].outcome).toBe("completed")
  })

  test("111: nobody who reads the answer does not make a failure a success", async () => {
    world.agent("greeter")
    world.script({ greeter: [{ text: "x", error: { message: "broken" }, delayMs: 100 }] })
    const run = world.start(["run", "greeter", "Hi.", "--json", ...world.model])
    run.child.stdout!.destroy()
    expect((await run.ended).code).toBe(1)
  })

  test("111: a run whose events are not read any more is let go of, and can be resumed", async () => {
    world.agent("slow")
    world.script({ slow: [{ text: "Slow.", delayMs: 30_000 }] })
    const run = world.start(["run", "slow", "Go.", "--jsonl", ...world.model])
    run.child.stdout!.destroy()
    const { code, stderr } = await run.ended
    expect(code).toBe(141)
    expect(stderr).toMatch(/slow interrupted: SIGPIPE/)
    expect(stderr).toMatch(/`cadre resume \w{26} --jsonl`/)
  })

  test("122: what a model says reaches a pipe as it is, and a log line only as text", async () => {
    world.agent("greeter")
    world.script({ greeter: [{ text: "\u001b[31mred" }] })
    const { stdout, stderr } = await world.cadre("run", "greeter", "a\u001b]0;owned\u0007b", ...world.model)
    expect(stdout).toBe("\u001b[31mred\n")
    expect(stderr).not.toContain("\u001b")
    expect((await world.cadre("run", "greeter", "x", "--json", ...world.model)).stdout).not.toContain(
      "\u001b",
    )
  })
})

test("a run is kept where it was, and --cwd says where it works", async () => {
  world.agent("local", [], "elsewhere/.cadre/agents")
  world.script({ local: [{ text: "Here." }] })
  const words = ["run", "local", "Hi.", "--cwd", "../elsewhere", "--trust", ...world.model]
  expect(await world.cadre(...words)).toMatchObject({ code: 0, stdout: "Here.\n" })
  expect(readdirSync(path.join(world.base, "state", "runs"))).toEqual([
    expect.stringMatching(/^\w{26}$/),
    "heads.jsonl",
  ])
})
