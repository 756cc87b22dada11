import { existsSync } from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { CommandWorld } from "../run-command-kit.ts"

let world: CommandWorld
beforeEach(() => {
  world = new CommandWorld()
})
afterEach(() => world.remove())

const delegate = (agent: string) => ({ tool: "Agent", input: { agent, prompt: `Do ${agent}.` } })

describe("trust", () => {
  beforeEach(() => {
    world.agent("greeter", [], "work/.cadre/agents")
    world.script({
      greeter: [{ text: "Hello." }],
      lead: [{ calls: [delegate("greeter")] }, { text: "Done." }],
    })
  })

  test("6: what a project defines does not run unasked, and --trust is for that run", async () => {
    expect(await world.cadre("run", "greeter", "Hi.", ...world.model)).toEqual({
      code: 6,
      stdout: "",
      stderr: expect.stringMatching(
        /\.cadre\/agents\/greeter\.md .* not trusted\. .*every tool: .*`cadre trust` .*--trust\.\n$/,
      ),
    })
    expect((await world.cadre("run", "greeter", "Hi.", "--trust", ...world.model)).code).toBe(0)
    expect((await world.cadre("run", "greeter", "Hi.", ...world.model)).code).toBe(6)
  })

  test("6: a project's agent that takes the place of the user's is refused, not passed over", async () => {
    world.agent("greeter")
    expect((await world.cadre("run", "greeter", "Hi.", ...world.model)).code).toBe(6)
    expect((await world.cadre("run", "/use greeter Hi.", ...world.model)).code).toBe(6)
    // One that is broken keeps its name, too.
    world.agent("greeter", ["allowed_tools: Read"], "work/.cadre/agents")
    expect((await world.cadre("run", "greeter", "Hi.", ...world.model)).code).toBe(1)
  })

  test("a user's agent cannot hand work to a project's, unless that is trusted", async () => {
    world.agent("lead")
    const refused = await world.json("run", "lead", "Go.", ...world.model)
    expect(refused.result.evidence.calls).toEqual({})
    const log = await world.cadre("log", refused.result.id, "--events")
    expect(log.stdout).toMatch(/that may run here/)
    expect(log.stdout).not.toMatch(/child-start/)
    const allowed = await world.json("run", "lead", "Go.", "--trust", ...world.model)
    expect(allowed.result.evidence.calls).toEqual({ Agent: 1 })
  })

  test("the project's configuration is not followed unless it is trusted", async () => {
    world.agent("lead")
    world.put("work/.cadre/config.yaml", "subagents:\n  enabled: false\n")
    expect((await world.cadre("run", "lead", "Go.", ...world.model)).code).toBe(0)
    expect(await world.cadre("run", "lead", "Go.", "--trust", ...world.model)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/SUBAGENTS_DISABLED/),
    })
  })

  test("a package that lies in the project does not run unless that is trusted", async () => {
    world.agent("lead")
    world.put("config/config.yaml", 'providers: {acme: {protocol: ai-sdk, package: "@acme/ai"}}\n')
    world.put("work/node_modules/@acme/ai/package.json", '{"name": "@acme/ai", "main": "index.js"}')
    world.put("work/node_modules/@acme/ai/index.js", 'require("fs").writeFileSync("ran", "")')
    const ran = () => existsSync(path.join(world.work, "ran"))
    const { code, stderr } = await world.cadre("run", "lead", "Go.", "--model", "acme:m")
    expect([code, ran()]).toEqual([1, false])
    expect(stderr).toMatch(/@acme\/ai.*not installed.*npm install --prefix \S*config @acme\/ai/)
    await world.cadre("run", "lead", "Go.", "--model", "acme:m", "--trust")
    expect(ran()).toBe(true)
  })

  test("6: a run of a project's definition is not resumed unasked", async () => {
    world.agent("asks", ["rules: [{tool: Agent, decision: ask}]"], "work/.cadre/agents")
    world.script({ asks: [{ calls: [delegate("greeter")] }, { text: "Done." }], greeter: [{ text: "Hi." }] })
    const { code, result } = await world.json("run", "asks", "Go.", "--trust", ...world.model)
    expect(code).toBe(7)
    await world.cadre("approve", result.id)
    expect(await world.cadre("resume", result.id)).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(/asks\.md/),
    })
    expect(await world.cadre("resume", result.id, "--trust")).toMatchObject({ code: 0, stdout: "Done.\n" })
  })
})

describe("the task", () => {
  beforeEach(() => {
    world.agent("greeter", ["keywords: [hello]"])
    world.agent("painter", ["keywords: [paint]"])
    world.script({ greeter: [{ text: "Hello." }], painter: [{ text: "Painted." }] })
  })
  const taskOf = async (stdout: string): Promise<string> => JSON.parse(stdout.split("\n")[0]!).task

  test("comes from stdin, from a file, or from both words and stdin", async () => {
    world.put("work/task.md", "From a file.\n")
    const flags = ["--jsonl", ...world.model]
    const texts = [
      await world.piped("From a pipe.", "run", "greeter", ...flags),
      await world.cadre("run", "greeter", "--file", "task.md", ...flags),
      await world.piped("the pipe", "run", "greeter", "Look at", "-", ...flags),
    ]
    expect(await Promise.all(texts.map(({ stdout }) => taskOf(stdout)))).toEqual([
      "From a pipe.",
      "From a file.\n",
      "Look at\n\nthe pipe",
    ])
  })

  test("that is there does not wait for a pipe that nobody closes", async () => {
    const run = world.start(["run", "greeter", "Hello.", ...world.model], "open")
    expect((await run.ended).code).toBe(0)
  })

  test.each([
    [["run", "greeter"], /There is no task/],
    [["run", "greeter", "x", "--file", "task.md"], /two tasks/],
    [["run", "greeter", "--file", "nothing.md"], /task.* cannot be read: ENOENT/],
    [["run", "greeter", "x", "--yes", "--deny"], /either --yes or --deny/],
    [["run", "greeter", "x", "--json", "--jsonl"], /either --json or --jsonl/],
    [["run", "greeter", "x", "--timeout", "soon"], /--timeout takes seconds above 0/],
    [["run", "greeter", "x", "--max-turns", "0"], /--max-turns.*number above 0/s],
    [["run", "greeter", "x", "--max-cost=-1"], /--max-cost takes a number above 0/],
    [["run", "greeter", "x", "--cwd", "nowhere"], /--cwd: "nowhere" is not a folder/],
    [["run", "greeter", "x", "--modle", "m"], /Did you mean "--model"/],
    [["run", "say hello to me"], /Auto-routing disabled\. Name an agent, .*`\/use NAME`/],
    [["run", "/use nobody do it"], /Unknown subagent 'nobody'/],
    [["run", "/use greeter"], /no task after `\/use greeter`/],
  ])("cadre %j is wrong usage", async (words, message) => {
    const { code, stdout, stderr } = await world.cadre(...words, ...world.model)
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
    if (words.includes("--json")) expect(JSON.parse(stdout).error.code).toBe("USAGE")
    else expect(stdout).toBe("")
  })

  test("goes to whom `/use` names, or whom the user's configuration lets its words choose", async () => {
    expect((await world.cadre("run", "/use painter the wall", ...world.model)).stdout).toBe("Painted.\n")
    expect((await world.cadre("run", "/use", "painter", "it", ...world.model)).stdout).toBe("Painted.\n")
    world.put("config/config.yaml", "subagents:\n  auto_route: true\n")
    expect((await world.cadre("run", "please paint the wall", ...world.model)).stdout).toBe("Painted.\n")
    expect(await world.cadre("run", "hello, paint it", ...world.model)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Multiple agents matched: greeter, painter.*Scores: /),
    })
    expect((await world.cadre("run", "nothing fits", ...world.model)).code).toBe(2)
  })
})
