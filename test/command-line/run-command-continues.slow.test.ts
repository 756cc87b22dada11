import { rmSync } from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { naming } from "../naming.ts"
import { CommandWorld } from "../run-command-kit.ts"

let world: CommandWorld
beforeEach(() => {
  world = new CommandWorld()
})
afterEach(() => world.remove())

/** What is said to whoever has read the first question, and to everybody else. */
const remembers = [{ match: "first question", text: "I remember." }, { text: "Who are you?" }]

async function ended(name: string, ...words: readonly string[]): Promise<string> {
  const { code, result } = await world.json("run", name, "first question", ...words, ...world.model)
  expect({ code, outcome: result.outcome }).toEqual({ code: 0, outcome: { type: "completed" } })
  return result.id
}

describe("run --continues", () => {
  test("1.11: goes on with the history of an ended run, by its agent, as a run of its own", async () => {
    world.agent("a", ["tools: []"])
    world.script({ a: [{ match: "first question", text: "I remember." }] })
    const id = await ended("a")
    const { code, result } = await world.json("run", "--continues", id, "Proceed", ...world.model)
    expect({ code, ...result }).toMatchObject({
      code: 0,
      agent: "a",
      continues: id,
      outcome: { type: "completed" },
      output: "I remember.",
      warnings: [],
    })
    expect(result.id).not.toBe(id)
    const { stdout, stderr } = await world.cadre("run", "--continues", id, "And you?", ...world.model)
    expect(stdout).toBe("I remember.\n")
    expect(stderr).toMatch(new RegExp(`^Run \\w+, which continues ${id}$`, "m"))
  })

  test("1.11: goes on with an ended child, and is a root itself", async () => {
    world.agent("lead")
    world.agent("worker", ["tools: []"])
    world.script({
      lead: [
        { calls: [{ tool: "Agent", input: { agent: "worker", prompt: "first question" } }] },
        { text: "Led." },
      ],
      worker: [{ match: "first question", text: "I remember." }],
    })
    const id = await ended("lead", "--yes")
    const { result } = await world.json("run", "--continues", `${id}.1`, "And now?", ...world.model)
    expect(result).toMatchObject({ agent: "worker", continues: `${id}.1`, output: "I remember." })
    expect(result.id).toMatch(/^\w{26}$/)
  })

  test("is shown by runs and log", async () => {
    world.agent("a", ["tools: []"])
    world.script({ a: remembers })
    const id = await ended("a")
    const { result } = await world.json("run", "--continues", id, "And?", ...world.model)
    const listed = (await world.json("runs")).result.runs
    expect(listed.map((run: { id: string; continues?: string }) => [run.id, run.continues])).toEqual([
      [result.id, id],
      [id, undefined],
    ])
    expect((await world.cadre("runs")).stdout).toMatch(
      new RegExp(`^${result.id} .* And\\? +continues ${id}$`, "m"),
    )
    expect((await world.cadre("log", result.id, "--events")).stdout).toMatch(
      new RegExp(`run-start +agent: a; continues: ${id}; task: And\\?`),
    )
  })

  test("takes another agent that is named, and says so", async () => {
    for (const name of ["a", "b"]) world.agent(name, ["tools: []"])
    world.script({ a: remembers, b: remembers })
    const id = await ended("a")
    const warnings = [naming(`Run ${id}`, 'agent "a"', '"b"')]
    for (const words of [["b", "And?"], ["/use b And?"]]) {
      const { result } = await world.json("run", "--continues", id, ...words, ...world.model)
      expect(result).toMatchObject({ agent: "b", output: "I remember.", warnings })
    }
  })

  test("goes by the definition of today, and says that it has changed", async () => {
    world.agent("a", ["tools: [Read, Grep]"])
    world.script({ a: remembers })
    const id = await ended("a")
    world.agent("a", ["tools: [Read]"])
    const { result } = await world.json("run", "--continues", id, "And?", ...world.model)
    expect(result).toMatchObject({
      toolsOffered: ["Read"],
      warnings: [naming(`Agent "a" has changed since run ${id}.`)],
    })
  })

  test("has the rights of today's configuration, whatever the run before it had", async () => {
    const write = { tool: "Write", input: { path: "out.txt", content: "x" } }
    world.agent("a", ["tools: [Read, Write]"])
    world.put("config/config.yaml", "mode: bypass\n")
    world.script({ a: [{ calls: [write] }, { text: "Done." }] })
    const id = await ended("a")
    rmSync(path.join(world.work, "out.txt"))
    world.put("config/config.yaml", "mode: bypass\npermissions: {deny: [Write]}\n")
    const { result } = await world.json("run", "--continues", id, "Again", ...world.model)
    expect(result.denied).toEqual([
      {
        call: "c1",
        tool: "Write",
        reason: expect.stringMatching(/the configuration/),
        by: {
          type: "rule",
          of: "the configuration",
          rule: "Write",
          at: `${path.join(world.base, "config", "config.yaml")}:2`,
        },
      },
    ])
    expect(result.evidence.files).toEqual([])
  })

  test("6: a definition that nobody trusts is refused, also where the run before it was let pass", async () => {
    world.agent("a", ["tools: []"], "work/.cadre/agents")
    world.script({ a: remembers })
    const id = await ended("a", "--trust")
    expect(await world.cadre("run", "--continues", id, "And?", ...world.model)).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(/Agent "a".* \.cadre\/agents\/a\.md .*is not trusted/),
    })
  })
})

describe("2: what cannot be continued", () => {
  const refused = async (folder: string, ...words: readonly string[]) => {
    const { code, stdout, stderr } = await world.within(folder, "run", ...words, ...world.model, "--json")
    expect({ code, error: JSON.parse(stdout).error.code }).toEqual({ code: 2, error: "USAGE" })
    return stderr
  }

  test.each(["0123456789abcdefghjkmnpqrs", "nonsense", "../../x"])("an id that is none: %s", async (id) => {
    expect(await refused("work", "--continues", id, "And?")).toContain(
      `no run ${JSON.stringify(id)} in this store. \`cadre runs\``,
    )
  })

  test("a run that has not ended", async () => {
    world.agent("a", ["tools: [Write]"])
    world.script({ a: [{ calls: [{ tool: "Write", input: { path: "x", content: "x" } }] }, { text: "x" }] })
    const { code, result } = await world.json("run", "a", "go", ...world.model)
    expect(code).toBe(7)
    expect(await refused("work", "--continues", result.id, "And?")).toEqual(
      naming(`Run ${result.id} has not ended`, `\`cadre send ${result.id} TEXT\``),
    )
  })

  test("a run of another workspace; one folder of a workspace is as good as another", async () => {
    world.agent("a", ["tools: []"])
    world.script({ a: remembers })
    const id = await ended("a")
    world.put("other/.git/HEAD", "")
    world.put("work/below/file", "")
    expect(await refused("other", "--continues", id, "And?")).toContain(
      `Run ${id} worked in another folder, ${JSON.stringify(world.work)}.`,
    )
    for (const [folder, ...words] of [["work/below"], ["other", "--cwd", world.work]] as const) {
      const { code, stdout } = await world.within(
        folder,
        ...["run", "--continues", id, "And?", ...words, ...world.model],
      )
      expect({ code, stdout }).toEqual({ code: 0, stdout: "I remember.\n" })
    }
  })

  test("a run whose agent is gone, until another is named", async () => {
    for (const name of ["a", "b"]) world.agent(name, ["tools: []"])
    world.script({ a: remembers, b: remembers })
    const id = await ended("a")
    rmSync(path.join(world.base, "config/agents/a.md"))
    expect(await refused("work", "--continues", id, "And?")).toContain(
      `Run ${id} was a run of agent "a", which no longer exists.`,
    )
    expect(await world.cadre("run", "--continues", id, "b", "And?", ...world.model)).toMatchObject({
      code: 0,
    })
  })

  test("a name that is none is no part of the task", async () => {
    world.agent("a", ["tools: []"])
    world.script({ a: remembers })
    const id = await ended("a")
    expect(await refused("work", "--continues", id, "aa", "And?")).toMatch(/There is no agent named "aa"/)
    expect(await refused("work", "--continues", id)).toMatch(/There is no task/)
  })
})
