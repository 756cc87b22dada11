import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
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

describe.skipIf(process.platform === "win32")("signals", () => {
  test.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGHUP", 129],
  ] as const)("88: %s cancels the tree, prints a whole result, and exits %i", async (signal, code) => {
    const run = world.start(["run", "lead", "Go.", "--json", ...world.model])
    await run.says(/slow\.1 started/)
    run.child.kill(signal)
    const ended = await run.ended
    const result = JSON.parse(ended.stdout)
    expect({ code: ended.code, outcome: result.outcome, output: result.output }).toEqual({
      code,
      outcome: { type: "cancelled", reason: signal },
      output: "First words.",
    })
    const { runs } = (await world.json("runs", "--all")).result
    expect(runs.map(({ agent, outcome }: Record<string, string>) => [agent, outcome]).sort()).toEqual([
      ["lead", "cancelled"],
      ["slow", "cancelled"],
    ])
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
    expect(lines.at(-1)).toMatchObject({ type: "result", outcome: { type: "cancelled", reason: "SIGTERM" } })
  })

  test("103: a second signal ends the process at once, and the run can be resumed or has ended", async () => {
    const run = world.start(["run", "lead", "Go.", ...world.model])
    await run.says(/slow\.1 started/)
    run.child.kill("SIGINT")
    run.child.kill("SIGTERM")
    const { code } = await run.ended
    expect([130, 143]).toContain(code)
    const { runs } = (await world.json("runs")).result
    world.script(quick)
    expect([0, 5]).toContain((await world.cadre("resume", runs[0].id)).code)
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
