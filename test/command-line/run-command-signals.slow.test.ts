import { spawnSync } from "node:child_process"
import { existsSync, writeFileSync } from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { CommandWorld } from "../run-command-kit.ts"

let world: CommandWorld
beforeEach(() => {
  world = new CommandWorld()
  world.agent("lead")
  world.agent("slow")
  world.agent("asks", ["rules: [{tool: Agent, decision: ask}]"])
  world.script({
    lead: [{ text: "First words.", calls: [delegate("slow")] }, { text: "Done." }],
    slow: [{ text: "Slow.", delayMs: 30_000 }],
    asks: [{ text: "May I?", calls: [delegate("lead")] }, { text: "Allowed." }],
  })
})
afterEach(() => world.remove())

const delegate = (agent: string) => ({ tool: "Agent", input: { agent, prompt: `Do ${agent}.` } })

const quick = {
  lead: [{ text: "First words.", calls: [delegate("slow")] }, { text: "Done." }],
  slow: [{ text: "Quick." }],
}

const built = path.resolve(import.meta.dirname, "../..", "dist", "cli.mjs")
const inShell = (...words: readonly string[]): string =>
  [process.execPath, built, ...words].map((word) => `'${word}'`).join(" ")

describe.skipIf(process.platform === "win32")("signals", () => {
  test.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGHUP", 129],
  ] as const)("88: %s lets go of the tree, prints a whole result, and exits %i", async (signal, code) => {
    const options = ["--json", "--deny", "--mode", "plan", "--sandbox", "preferred", "--trust"]
    const run = world.start(["run", "lead", "Go.", ...options, ...world.model])
    await run.says(/slow\.1 started/)
    run.child.kill(signal)
    const ended = await run.ended
    const result = JSON.parse(ended.stdout)
    expect({
      code: ended.code,
      state: result.state,
      outcome: result.outcome,
      output: result.output,
      resume: result.resume,
    }).toEqual({
      code,
      state: "open",
      outcome: null,
      output: "First words.",
      resume: `cadre resume ${result.id} --mode plan --sandbox preferred --trust --deny --json`,
    })
    const { runs } = (await world.json("runs", "--all")).result
    expect(runs.map(({ agent, status }: Record<string, string>) => [agent, status]).sort()).toEqual([
      ["lead", "open"],
      ["slow", "open"],
    ])
    world.script(quick)
    const [program, ...words] = result.resume.split(" ")
    expect(program).toBe("cadre")
    const resumed = await world.cadre(...words)
    expect([resumed.code, JSON.parse(resumed.stdout).output]).toEqual([0, "Done."])
  })

  test("88: the last line of --jsonl is whole after a signal", async () => {
    const run = world.start(["run", "lead", "Go.", "--jsonl", ...world.model])
    await run.says(/slow\.1 started/)
    run.child.kill("SIGTERM")
    const { stdout } = await run.ended
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(lines.at(-1)).toMatchObject({ type: "result", state: "open", outcome: null })
    expect(lines.filter(({ type }) => type === "run-release")).toHaveLength(2)
  })

  test("88: without --json, the last lines say what to type", async () => {
    const run = world.start(["run", "lead", "Go.", "--yes", ...world.model])
    await run.says(/slow\.1 started/)
    run.child.kill("SIGINT")
    const { code, stdout, stderr } = await run.ended
    const [, id] = /^Run (\S+)$/m.exec(stderr)!
    expect({ code, stdout }).toEqual({ code: 130, stdout: "First words.\n" })
    expect(stderr).toContain(`\`cadre resume ${id} --yes\``)
    expect(stderr).toMatch(/^lead .*\(SIGINT\)/m)
  })

  test("103: a second signal at once ends the process, and the result is printed", async () => {
    world.agent("worker", ["tools: [Bash]"])
    // The command ignores that it is asked to end, so one signal alone would wait for it.
    const command = "trap '' TERM; touch begun; sleep 30; sleep 30"
    world.script({ worker: [{ calls: [{ tool: "Bash", input: { command } }] }, { text: "Done." }] })
    const run = world.start(["run", "worker", "Go.", "--yes", "--sandbox", "off", "--json", ...world.model])
    await expect.poll(() => existsSync(path.join(world.work, "begun"))).toBe(true)
    run.child.kill("SIGINT")
    run.child.kill("SIGINT")
    const { code, stdout } = await run.ended
    const result = JSON.parse(stdout)
    expect({ code, state: result.state }).toEqual({ code: 130, state: "open" })
    // The command may or may not have ended in the time that was left.
    expect([0, 8]).toContain((await world.cadre("resume", result.id)).code)
  })

  test("a command in flight is stopped, its result is recorded, and the run goes on after it", async () => {
    world.agent("worker", ["tools: [Bash]"])
    const command = "touch begun; sleep 30"
    world.script({ worker: [{ calls: [{ tool: "Bash", input: { command } }] }, { text: "Done." }] })
    const run = world.start(["run", "worker", "Go.", "--yes", "--json", ...world.model])
    await expect.poll(() => existsSync(path.join(world.work, "begun"))).toBe(true)
    run.child.kill("SIGINT")
    const result = JSON.parse((await run.ended).stdout)
    expect(result).toMatchObject({ state: "open", failedCalls: [{ call: "c1", status: "error" }] })
    const resumed = await world.json("resume", result.id)
    expect([resumed.code, resumed.result.output]).toEqual([0, "Done."])
  })

  test("Ctrl-C on a whole pipeline leaves the run open, also where the reader dies with it", async () => {
    const line = `${inShell("run", "lead", "Go.", "--json", ...world.model)} | cat > '${world.base}/out'`
    const shell = world.shell(line)
    await shell.says(/slow\.1 started/)
    shell.interrupt()
    const { stderr } = await shell.ended
    const [, id] = /^Run (\S+)$/m.exec(stderr)!
    expect((await world.json("runs")).result.runs).toMatchObject([{ id, status: "open" }])
    world.script(quick)
    expect((await world.cadre("resume", id!)).code).toBe(0)
  })

  test("a shell script sees 130 and the result, and can go on", async () => {
    const run = inShell("run", "lead", "Go.", "--json", ...world.model)
    const shell = world.shell(`trap : INT; out=$(${run}); code=$?; echo "$code"; echo "$out"`)
    await shell.says(/slow\.1 started/)
    shell.interrupt()
    const { stdout } = await shell.ended
    const [code, ...rest] = stdout.split("\n")
    expect([code, JSON.parse(rest.join("\n")).state]).toEqual(["130", "open"])
  })

  test("a signal before the run has started says so, and exits 130", async () => {
    world.put(
      "config/config.yaml",
      `mcpServers:\n  slow: { command: sh, args: ["-c", "touch ${world.base}/begun; sleep 60"] }\n`,
    )
    world.agent("server", ["tools: [mcp__slow__look]"])
    const run = world.start(["run", "server", "Go.", "--json", "--sandbox", "off", ...world.model])
    await expect.poll(() => existsSync(path.join(world.base, "begun"))).toBe(true)
    run.child.kill("SIGINT")
    run.child.kill("SIGINT")
    const { code, stdout } = await run.ended
    expect({ code, error: JSON.parse(stdout).error.code }).toEqual({ code: 130, error: "INTERRUPTED" })
  })

  test("103: cancelling twice is cancelling once", async () => {
    const run = world.start(["run", "lead", "Go.", "--json", ...world.model])
    await run.says(/slow\.1 started/)
    const { runs } = (await world.json("runs")).result
    const cancels = await Promise.all([
      world.cadre("cancel", runs[0].id, "first"),
      world.cadre("cancel", runs[0].id, "second"),
    ])
    expect(cancels.map(({ code }) => code)).toEqual([0, 0])
    const { code, stdout } = await run.ended
    expect({ code, type: JSON.parse(stdout).outcome.type }).toEqual({ code: 5, type: "cancelled" })
    expect((await world.cadre("cancel", runs[0].id)).code).toBe(0)
  })
})

describe("resume", () => {
  test("a run whose process was killed goes on, and completes", async () => {
    const run = world.start(["run", "lead", "Go.", ...world.model])
    await run.says(/slow\.1 started/)
    run.child.kill("SIGKILL")
    await run.ended
    world.script(quick)
    const { runs } = (await world.json("runs")).result
    expect(runs).toMatchObject([{ status: "open", agent: "lead" }])
    const { code, result } = await world.json("resume", runs[0].id)
    expect({ code, output: result.output, unsettled: result.usage.unsettled.calls }).toEqual({
      code: 0,
      output: "Done.",
      // The subagent's request was under way when the process died.
      unsettled: 1,
    })
  })

  test("--all picks up every open run, one line each, with the worst code", async () => {
    for (const words of [
      ["lead", "Go."],
      ["lead", "Again."],
    ]) {
      const run = world.start(["run", ...words, ...world.model])
      await run.says(/slow\.1 started/)
      run.child.kill("SIGKILL")
      await run.ended
    }
    const resting = await world.json("run", "asks", "Go.", ...world.model)
    expect(resting.code).toBe(7)
    const driven = world.start(["run", "lead", "Go.", ...world.model])
    await driven.says(/slow\.1 started/)
    world.script(quick)
    const { code, stdout } = await world.cadre("resume", "--all")
    const lines = stdout.trimEnd().split("\n")
    expect(lines.map((line) => line.replace(/^\S+ {2}/, ""))).toEqual([
      "lead  completed",
      "lead  completed",
      "asks  resting",
      expect.stringMatching(/^lead {2}.*process \d+/),
    ])
    expect(code).toBe(7)
    expect((await world.json("resume", "--all")).result.runs).toHaveLength(2)
  })

  test("2: a run that is not there, none at all, or both", async () => {
    for (const words of [["run_nothing"], [], ["x", "--all"], ["--all", "--jsonl"]])
      expect((await world.cadre("resume", ...words)).code).toBe(2)
  })

  test("1: a run that another process drives is left to it", async () => {
    const run = world.start(["run", "lead", "Go.", ...world.model])
    await run.says(/slow\.1 started/)
    const { runs } = (await world.json("runs")).result
    expect(await world.cadre("resume", runs[0].id)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/RUN_OWNED/),
    })
  })

  test("8: a run that ends without anybody knowing what a call did", async () => {
    const program = path.join(world.base, "program.mjs")
    const index = path.resolve(import.meta.dirname, "../..", "dist", "index.mjs")
    writeFileSync(
      program,
      `import { createRuntime, defineAgent, defineTool, jsonlStore } from ${JSON.stringify(index)}
const pay = defineTool({ name: "pay", description: "Pays.", effect: "opaque", input: { type: "object" }, execute: () => process.kill(process.pid, "SIGKILL") })
const runtime = createRuntime({ tools: [pay], agents: [defineAgent({ name: "payer", instructions: "Pay." })] })
await runtime.run("payer", "Pay.", { model: ${JSON.stringify(`script:${world.scriptFile}`)} }).done`,
    )
    world.script({ payer: [{ calls: [{ tool: "pay", input: {} }] }, { text: "Paid." }] })
    const { signal } = spawnSync(process.execPath, [program], { env: world.environment })
    expect(signal).toBe("SIGKILL")
    const { runs } = (await world.json("runs")).result
    const { code, result } = await world.json("resume", runs[0].id)
    expect({ code, type: result.outcome.type, unknown: result.evidence.unknown }).toEqual({
      code: 8,
      type: "uncertain",
      unknown: [{ call: "c1", tool: "pay" }],
    })
  })
})

describe("log --follow", () => {
  test("prints what is recorded and what happens in another process, until the run ends", async () => {
    world.script({ slow: [{ text: "Slow.", delayMs: 1_500 }] })
    const run = world.start(["run", "slow", "Go.", ...world.model])
    await run.says(/slow started/)
    const { runs } = (await world.json("runs")).result
    const { code, stdout } = await world.cadre("log", runs[0].id, "--follow", "--json")
    const types = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).type)
    expect({ code, types }).toEqual({ code: 0, types: ["run-start", "model-start", "model-end", "run-end"] })
    expect((await run.ended).code).toBe(0)
    expect(
      (await world.cadre("log", runs[0].id, "-f", "--events")).stdout.trimEnd().split("\n"),
    ).toHaveLength(4)
  })

  test.skipIf(process.platform === "win32")("88: Ctrl-C ends it and not the run", async () => {
    const run = world.start(["run", "slow", "Go.", ...world.model])
    await run.says(/slow started/)
    const { runs } = (await world.json("runs")).result
    const log = world.start(["log", runs[0].id, "--follow"])
    await expect.poll(() => log.stdout).toMatch(/slow: Go\./)
    log.child.kill("SIGINT")
    expect((await log.ended).code).toBe(130)
    expect(run.child.exitCode).toBe(null)
  })
})
