/** What Gobby's agents (004) must do here: the rows of its acceptance list, in its order; rows 3 and 4 have files of their own. */
import { existsSync, readdirSync, rmSync } from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { createRuntime, defineAgent, type ModelScript, memoryStore, scriptedModel } from "../../src/index.ts"
import { contents } from "../file-kit.ts"
import { commit, git, known } from "../git-kit.ts"
import { results, stateOf } from "../kit.ts"
import { CommandWorld } from "../run-command-kit.ts"

const yaml = (...lines: readonly string[]) =>
  `description: Runs checks.\nprompts: { agent: You run checks. }\n${lines.map((line) => `${line}\n`).join("")}`
const hand = (agent: string, more: object = {}) => ({
  calls: [{ tool: "Agent", input: { agent, prompt: "run pytest", ...more } }],
})

describe("004 row 5: worktrees, messages, dry runs", () => {
  let world: CommandWorld
  beforeEach(() => {
    world = new CommandWorld()
    git(world.work, "init", "--quiet", "--initial-branch", "main")
    world.put("work/a.txt", "one\n")
    world.put("config/config.yaml", `model: "script:${world.scriptFile}"\nsandbox: "off"\n`)
    world.put(
      "home/.gobby/agents/apart.yaml",
      yaml("isolation: worktree", "base_branch: main", "branch_prefix: agent/"),
    )
    commit(world.work)
  })
  afterEach(() => world.remove())

  const write = { calls: [{ tool: "Write", input: { file_path: "b.txt", content: "two\n" } }] }
  const start = async () => (await world.json("run", "apart", "Go.", "--yes")).result

  // Architecture: what is opened is named after the run, so that a log knows what to clean; Gobby's prefix is kept and not used.
  test("a worktree and its branch are named after the run; with changes both stay", async () => {
    world.script({ apart: [write, { text: "done" }] })
    const { id, isolation } = await start()
    expect([isolation.branch, isolation.kept, known(world.work).branches]).toEqual([
      `cadre/${id}`,
      "kept",
      [`cadre/${id}`],
    ])
    expect([
      existsSync(path.join(isolation.path, "b.txt")),
      existsSync(path.join(world.work, "b.txt")),
    ]).toEqual([true, false])
  })

  // Gobby takes up the worktree that a branch has; here each run has its own, and a run that goes on has its own again.
  test("without changes nothing stays, and the next run has another one", async () => {
    world.script({ apart: [{ text: "done" }] })
    const [first, second] = [await start(), await start()]
    expect([
      first.isolation.kept,
      second.isolation.kept,
      first.isolation.branch === second.isolation.branch,
    ]).toEqual(["removed", "removed", false])
    expect(known(world.work)).toEqual({ branches: [], worktrees: [] })
  })

  test("what fails half way leaves nothing, and never works in place", async () => {
    world.script({ apart: [write, { text: "done" }] })
    // A file where the folder of worktrees would be.
    world.put("state/worktrees", "in the way\n")
    const { code, result } = await world.json("run", "apart", "Go.", "--yes")
    expect([code, result.outcome.type]).toEqual([4, "denied"])
    expect([known(world.work), existsSync(path.join(world.work, "b.txt"))]).toEqual([
      { branches: [], worktrees: [] },
      false,
    ])
  })

  test("a worktree that is gone keeps no later run from having one, and is forgotten", async () => {
    world.script({ apart: [write, { text: "done" }] })
    const first = await start()
    rmSync(first.isolation.path, { recursive: true })
    const second = await start()
    expect([second.outcome.type, second.isolation.kept]).toEqual(["completed", "kept"])
    git(world.work, "worktree", "prune")
    expect(known(world.work).worktrees).toEqual([second.isolation.path])
  })

  // Gobby: a session may command deeper ones. Here: a run writes to its own children and parent, and to nobody above that.
  test.each<[string, string, RegExp]>([
    ["its parent", "parent", /^Sent to run R/],
    ["the run above its parent", "R", /^You have no subagent run "R"/],
    ["a run that is not there", "R.9", /^You have no subagent run "R\.9"/],
  ])("a run two levels down may write to %s", async (_, to, answer) => {
    const store = memoryStore()
    const script: ModelScript = {
      lead: [hand("middle"), { text: "done" }],
      middle: [hand("low"), { text: "m" }],
      low: [{ text: "l" }],
    }
    const agents = ["lead", "middle", "low"].map((name) => defineAgent({ name, instructions: name }))
    const runtime = createRuntime({
      agents,
      store,
      models: {
        m: {
          id: "m",
          stream: (request, delta) =>
            scriptedModel({
              ...script,
              low: [
                {
                  calls: [
                    {
                      tool: "AgentSend",
                      input: { to: to.replace("R", request.run.split(".")[0]!), text: "hi" },
                    },
                  ],
                },
                { text: "l" },
              ],
            }).stream(request, delta),
        },
      },
    })
    const handle = runtime.run("lead", "go")
    await handle.done
    const [told] = await results(store, `${handle.id}.1.1`)
    expect(told!.replaceAll(handle.id, "R")).toMatch(answer)
    expect((await stateOf(store, handle.id)).end?.outcome.type).toBe("completed")
  })

  test.each<[string, readonly string[], () => void, number, RegExp]>([
    ["an unknown agent", ["nobody-at-all"], () => {}, 2, /There is no agent named "nobody-at-all"/],
    ["what isolation needs", ["apart", "--cwd", "../home"], () => {}, 1, /not in a git repository/],
    [
      "a depth that is reached",
      ["apart", ...["lead", "lead", "lead", "lead"].flatMap((name) => ["--parent", name])],
      () => {},
      1,
      /Maximum subagent nesting depth \(3\) reached/,
    ],
    ["nothing that is wrong", ["apart"], () => {}, 0, /The run would start/],
  ])("a dry run reports %s, and starts nothing", async (_, words, make, expected, message) => {
    world.agent("lead", ["recursive: true"])
    make()
    world.script({ apart: [write, { text: "done" }] })
    const before = contents(world.base)
    const { code, stdout } = await world.cadre("run", words[0]!, "Go.", "--dry-run", ...words.slice(1))
    expect([code, stdout]).toEqual([expected, expect.stringMatching(message)])
    expect([contents(world.base), readdirSync(world.base).includes("state")]).toEqual([before, false])
  })
})
