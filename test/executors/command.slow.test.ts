import { spawnSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { CommandWorld } from "../run-command-kit.ts"
import { sandboxMissing } from "../sandbox/kit.ts"
import { leftBy } from "./kit.ts"

const built = path.resolve(import.meta.dirname, "../..", "dist", "cli.mjs")
let world: CommandWorld
beforeEach(() => {
  world = new CommandWorld()
  world.put("work/stand-in.mjs", fs.readFileSync(path.join(import.meta.dirname, "stand-in.mjs"), "utf8"))
})
afterEach(() => world.remove())

/** An executor of the user's own, and an agent of the same name. */
function executor(name: string, more: readonly string[] = [], command = [name]): void {
  world.agent(name, [`executor: ${name}`])
  const words = [process.execPath, path.join(world.work, "stand-in.mjs"), ...command]
  world.put(
    "config/config.yaml",
    `executors:\n  ${name}:\n    command: ${JSON.stringify(words)}\n${more.map((line) => `    ${line}\n`).join("")}`,
  )
}

const ran = (): number => fs.readFileSync(path.join(world.work, "ran.txt"), "utf8").trim().split("\n").length

/** Of the run of an agent that is at work. */
async function idOf(agent: string): Promise<string> {
  for (;;) {
    const { runs } = (await world.json("runs")).result
    const found = runs.find((run: { agent: string; id: string }) => run.agent === agent)
    if (found) return found.id
  }
}

test("an agent is run by a program that the user's configuration names", async () => {
  executor("echo")
  const { code, result } = await world.json("run", "echo", "Say hello.", "--yes")
  expect({ code, outcome: result.outcome, output: result.output }).toEqual({
    code: 0,
    outcome: { type: "completed" },
    output: "You are echo.\n\nSay hello.",
  })
})

test("without a yes it is asked about: the program and its arguments, then the prompt", async () => {
  executor("once")
  const asked = await world.cadre("run", "once", "Go.")
  expect(asked.code).not.toBe(0)
  expect(asked.stderr).toContain("Executor")
  expect(fs.existsSync(path.join(world.work, "ran.txt"))).toBe(false)
  world.put(
    "config/config.yaml",
    `${fs.readFileSync(path.join(world.base, "config/config.yaml"), "utf8")}permissions: {allow: ["Executor(once)"]}\n`,
  )
  expect((await world.cadre("run", "once", "Go.")).stdout).toBe("ran\n")
})

describe.each(sandboxMissing === undefined ? (["required", '"off"'] as const) : (['"off"'] as const))(
  "killed in the middle of it, sandbox %s",
  (sandbox) => {
    test.each(["hang", "stubborn"])("nothing of %s is left, and its outcome stays unknown", async (what) => {
      executor(what, [`sandbox: ${sandbox}`])
      const started = world.start(["run", what, "Go.", "--yes"])
      const id = await idOf(what)
      await expect.poll(() => leftBy(id).length).toBeGreaterThan(0)
      if (what === "hang") await expect.poll(() => fs.existsSync(path.join(world.work, "ran.txt"))).toBe(true)
      started.child.kill("SIGKILL")
      await started.ended
      await expect.poll(() => leftBy(id)).toEqual([])
      const { code, result } = await world.json("resume", id, "--yes")
      expect({ code, outcome: result.outcome, output: result.output }).toEqual({
        code: 8,
        outcome: {
          type: "uncertain",
          reason: expect.stringMatching(/^The outcome .*Executor call is unknown/),
        },
        output: "",
      })
      if (what === "hang") expect(ran()).toBe(1)
      expect(leftBy(id)).toEqual([])
    })
  },
)

/** Gives a program a terminal of its own. */
const recorder = "script"
const isThere = /util-linux/.test(spawnSync(recorder, ["--version"], { encoding: "utf8" }).stdout ?? "")

test.skipIf(!isThere)("what it prints reaches no terminal as it is", async () => {
  executor("colours")
  const line = [process.execPath, built, "run", "colours", "Go.", "--yes"]
    .map((word) => `'${word}'`)
    .join(" ")
  const { stdout } = spawnSync(recorder, ["-qec", line, "/dev/null"], {
    cwd: world.work,
    env: { ...world.environment, TERM: "xterm" },
    encoding: "utf8",
  })
  expect(stdout).toContain("done")
  expect(stdout).not.toContain("\u001b]0;title")
  expect(stdout).not.toContain("\u001b[2J")
  const { result } = await world.json("run", "colours", "Go.", "--yes")
  expect(result.output).toBe("\u001b[31mred\u001b[0m \u001b]0;title\u0007\u001b[2J done")
})

describe("a project", () => {
  const command = () => JSON.stringify([process.execPath, path.join(world.work, "stand-in.mjs"), "once"])

  test("defines executors only once it is trusted, which lists what they start", async () => {
    world.agent("once", ["executor: theirs"])
    world.put(
      "work/.cadre/config.yaml",
      `executors: {theirs: {command: ${command()}}}\npermissions: {allow: [Executor]}\n`,
    )
    const before = await world.cadre("run", "once", "Go.", "--yes")
    expect(before.code).not.toBe(0)
    expect(before.stderr).toMatch(/executor "theirs".*\(EXECUTOR_UNKNOWN\)/)
    const trust = await world.cadre("trust", "--yes")
    expect(trust.stdout + trust.stderr).toContain("name the executor theirs with")
    expect((await world.cadre("run", "once", "Go.", "--yes")).stdout).toBe("ran\n")
  })

  test("cannot put another program in the place of the user's own", async () => {
    executor("echo")
    world.put("work/.cadre/config.yaml", `executors: {echo: {command: ${command()}}}\n`)
    await world.cadre("trust", "--yes")
    expect((await world.cadre("run", "echo", "Hello.", "--yes")).stdout).toBe("You are echo.\n\nHello.\n")
  })

  test("names one of the user's in a definition, which counts once that is trusted", async () => {
    executor("echo")
    world.agent("theirs", ["executor: echo"], "work/.cadre/agents")
    expect((await world.cadre("run", "theirs", "Hello.", "--yes")).code).not.toBe(0)
    const trust = await world.cadre("trust", "--yes")
    expect(trust.stdout + trust.stderr).toContain("is run by the executor echo")
    expect((await world.cadre("run", "theirs", "Hello.", "--yes")).stdout).toBe("You are theirs.\n\nHello.\n")
  })
})

test("doctor tells which programs are there, and which agents name none", async () => {
  world.agent("lost", ["executor: lost"])
  world.put(
    "config/config.yaml",
    `executors:\n  here: {command: [${JSON.stringify(process.execPath)}, -p]}\n  gone: {command: no-such-program}\n`,
  )
  const { code, result } = await world.json("doctor")
  expect(code).toBe(1)
  expect(result.findings.filter(({ what }: { what: string }) => what.startsWith("executor "))).toEqual([
    {
      part: "Tools",
      what: "executor here",
      state: process.execPath,
      level: "fine",
      reason: `${process.execPath} -p.`,
    },
    {
      part: "Tools",
      what: "executor gone",
      state: "not found",
      level: "broken",
      reason: expect.stringMatching(/no-such-program.* in PATH/),
    },
  ])
  expect(result.findings.find(({ what }: { what: string }) => what.endsWith("lost.md"))).toMatchObject({
    state: "cannot start",
    level: "broken",
    reason: expect.stringMatching(/^Agent "lost" needs the executor "lost".* Known: gone, here\./),
  })
})

describe("explain", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["that nobody configured", ["executor: onse"], ['needs the executor "onse", which is not configured']],
    ["that cannot be told of its tools", ["executor: once", "tools: Read"], ["it may use only Read"]],
    [
      "that cannot be told of its tools and is denied to it",
      ["executor: once", "tools: Read", "disallowedTools: Executor"],
      ["Its own definition denies Executor"],
    ],
  ])("tells once that no run would start by a program %s", async (_, keys, expected) => {
    executor("once")
    world.agent("odd", keys)
    const { code, result } = await world.json("explain", "odd")
    expect({ code, refused: result.refused }).toEqual({
      code: 1,
      refused: expected.map((text) => expect.stringContaining(text)),
    })
  })

  const words = "options: { model: [--model, '{}'] }"
  test.each<[string, readonly string[], readonly string[], readonly string[], object, RegExp]>([
    [
      "chooses itself where nobody says one, whatever the configuration says of others",
      [words],
      [],
      [],
      { value: "executor:once", handed: null, written: null, from: { type: "default" }, over: [] },
      /\nmodel +executor:once +the program chooses its model\n/,
    ],
    [
      "is handed",
      [words],
      ["model: opus"],
      [],
      { value: "executor:once", handed: "opus", written: "opus", from: { line: 5, column: 8 }, over: [] },
      /\nmodel +executor:once +\S+once\.md:5:8: opus, passed to its program as opus\n/,
    ],
    [
      "is handed by the call",
      [words],
      ["model: [opus, sonnet]"],
      ["--model", "fast"],
      {
        value: "executor:once",
        handed: "fast",
        written: "fast",
        from: { type: "call" },
        over: [{ value: null, written: ["opus", "sonnet"] }],
      },
      /\nmodel +executor:once +the call: fast, passed to its program as fast\n +instead of +\["opus","sonnet"\] /,
    ],
    [
      "does not hear of",
      [],
      ["model: opus"],
      [],
      { value: "executor:once", handed: null, written: "opus", over: [] },
      /\nmodel +executor:once +\S+once\.md:5:8: opus, which its program is not told\n/,
    ],
  ])("tells which model the program %s", async (_, more, keys, given, model, line) => {
    executor("once", more)
    const file = path.join(world.base, "config/config.yaml")
    fs.appendFileSync(file, "model: ollama:m\npresets: { opus: { model: 'ollama:m' } }\n")
    world.agent("once", ["executor: once", ...keys])
    const { code, result } = await world.json("explain", "once", ...given)
    expect({ code, model: result.model }).toMatchObject({ code: 0, model })
    expect(result.model).not.toHaveProperty("preset")
    expect((await world.cadre("explain", "once", ...given)).stdout).toMatch(line)
  })

  test("tells that a program hears of what narrows its caller, or does not start", async () => {
    executor("once")
    world.agent("lead", ["model: ollama:m", "disallowedTools: Bash"])
    const below = () => world.json("explain", "once", "--parent", "lead")
    const refused = await below()
    expect([refused.code, refused.result.refused]).toEqual([
      1,
      [expect.stringMatching(/it may use only Read, .* \(from its caller\)/)],
    ])
    executor("once", ["options: { tools: [--tools, '{}'] }"])
    expect(await below()).toMatchObject({ code: 0, result: { refused: [] } })
  })

  test("a hook for Executor judges the run of a program, and one for what the program does itself never", async () => {
    executor("once")
    world.put(
      "config/lifecycles/guard.yaml",
      "before_tool:\n  - { tools: Executor, block: no }\n  - { tools: Bash, block: no }\n",
    )
    const { result } = await world.json("explain", "once", "--hooks")
    expect(result.hooks.map(({ idle }: { idle: unknown }) => idle)).toEqual([null, { type: "tools" }])
    expect((await world.cadre("run", "once", "Go.", "--yes")).code).toBe(4)
  })
})

test("explain and show tell of the program, and run nothing", async () => {
  executor("once")
  const explained = await world.cadre("explain", "once")
  expect(explained.code).toBe(0)
  const shown = await world.cadre("show", "once", "--task", "Go.")
  expect(shown.code).toBe(0)
  expect(fs.existsSync(path.join(world.work, "ran.txt"))).toBe(false)
})
