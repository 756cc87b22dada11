import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { codingAgent } from "../../src/assembly/embed/coding-agent.ts"
import { type ModelServer, startModelServer } from "../../src/faces/testing/model-server.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { material } from "../material.ts"
import { naming } from "../naming.ts"
import { GobbyWorld, lifecycle } from "./gobby-kit.ts"

let world: GobbyWorld
beforeEach(() => {
  world = new GobbyWorld()
})
afterEach(() => world.remove())

const bash = (command: string) => ({ calls: [{ tool: "Bash", input: { command } }] })
const read = { calls: [{ tool: "Read", input: { path: "notes.txt" } }] }
const write = { calls: [{ tool: "Write", input: { path: "new.txt", content: "x" } }] }

describe("a project with a lifecycle file as Gobby writes them", () => {
  test("is followed once it is trusted: what is blocked stays so, variables hold, and an agent is spawned", async () => {
    world.script({
      worker: [bash("touch forbidden"), bash("pytest tests/"), read, read, write, { text: "Done." }],
      "validation-runner": [{ text: "3 passed" }],
    })
    expect((await world.run()).code).toBe(6)
    expect((await world.cadre("trust", "--yes")).code).toBe(0)
    const { code, result } = await world.json("run", "worker", "Go.", "--yes", ...world.model)
    const events = await world.events(result.id)
    const own = events.filter(({ run }) => run === result.id)
    expect([code, world.isTouched, existsSync(path.join(world.work, "new.txt"))]).toEqual([0, false, false])
    expect(own.flatMap(({ type, result: of }) => (type === "tool-end" ? [of.text] : []))).toEqual([
      "Not permitted: No touching of touch forbidden.",
      expect.stringMatching(/^A hook handed this Bash call to the agent validation-runner.*3 passed/s),
      expect.stringContaining("one"),
      expect.stringContaining("one"),
      "Not permitted: Looked 2 times already.",
    ])
    expect(events.flatMap(({ type, agent, task }) => (type === "run-start" ? [[agent, task]] : []))).toEqual([
      ["worker", "Go."],
      ["validation-runner", "Run and report: pytest tests/"],
    ])
    const start = own.find(({ type }) => type === "run-start")
    expect(start.variables).toEqual({ max_looks: 2, require_plan: true, looks: 0, planned: false })
    expect(own.find(({ type }) => type === "moment-end")).toMatchObject({
      moment: "run_start",
      variables: { planned: true },
      context: ["House rule one of work: be brief."],
    })
  })

  test("its context reaches the model, and the blocked call its answer", async () => {
    const server: ModelServer = await startModelServer({
      script: [{ calls: [{ tool: "Bash", arguments: { command: "touch forbidden" } }] }, { text: "Done." }],
    })
    try {
      world.put(
        "config/config.yaml",
        `sandbox: "off"\nmodel: local:m1\nproviders:\n  local: { protocol: openai, baseUrl: "${server.url}" }\n`,
      )
      await world.cadre("trust", "--yes")
      const { code, stdout } = await world.cadre("run", "worker", "Go.", "--yes")
      const sent = server.requests.map(({ body }) => JSON.stringify(body))
      expect([code, stdout, sent.length]).toEqual([4, "Done.\n", 2])
      expect(sent[0]).toContain("House rule one of work: be brief.")
      expect(sent[1]).toContain("Not permitted: No touching of touch forbidden.")
      expect(world.isTouched).toBe(false)
    } finally {
      await server.close()
    }
  })

  test.each<[string, (world: GobbyWorld) => void, boolean]>([
    ["directly in workflows/", (to) => move(to, ".gobby/workflows/house-rules.yaml"), false],
    ["of the user, in workflows/", (to) => move(to, "../home/.gobby/workflows/house-rules.yaml"), false],
    [
      "of the user, in workflows/lifecycle/",
      (to) => move(to, "../home/.gobby/workflows/lifecycle/house-rules.yaml"),
      false,
    ],
    ["with `enabled: false`", (to) => change(to, "enabled: true", "enabled: false"), true],
    [
      "of a program in which nobody works",
      (to) => change(to, "[claude, gemini, codex]", "[claude_sdk]"),
      true,
    ],
    [
      "in a folder that Gobby leaves out",
      (to) => move(to, ".gobby/workflows/deprecated/house-rules.yaml"),
      true,
    ],
  ])("a file %s", async (_, changed, isTouched) => {
    changed(world)
    expect([(await world.run("--trust")).code, world.isTouched]).toEqual([0, isTouched])
  })

  test("what is off is shown as such", async () => {
    change(world, "enabled: true", "enabled: false")
    await world.cadre("trust", "--yes")
    const { stdout } = await world.cadre("explain", "worker", "--hooks", ...world.model)
    expect(stdout).toContain(`Off: ${world.file} (it says \`enabled: false\`).`)
    expect((await world.cadre("check")).stdout).toMatch(/house-rules\.yaml:1:1 info hook-off/)
  })

  test.each([
    ["claude_sdk", "claude_sdk sessions, and cadre runs are not"],
    ["claude_sdk, pipeline", "claude_sdk and pipeline sessions, and cadre runs are neither"],
    [
      "claude_sdk, pipeline, cron",
      "claude_sdk, pipeline and cron sessions, and cadre runs are none of these",
    ],
  ])("a file for %s says for whom it is", async (sources, words) => {
    change(world, "[claude, gemini, codex]", `[${sources}]`)
    expect((await world.cadre("check")).stdout).toContain(
      `These hooks are off: the file applies only to ${words}.`,
    )
  })

  test("the file with the lower priority is asked first", async () => {
    const other = (priority: number) =>
      `name: other\npriority: ${priority}\ntool_rules:\n  - { tools: [Bash], reason: "The other one." }\n`
    const told = async (priority: number) => {
      world.put("work/.gobby/workflows/other.yaml", other(priority))
      const { result } = await world.json("run", "worker", "Go.", "--yes", "--trust", ...world.model)
      return (await world.results(result.id))[0]
    }
    expect(await told(5)).toBe("Not permitted: The other one.")
    expect(await told(50)).toBe("Not permitted: No touching of touch forbidden.")
  })

  test("a variable of the call beats the file's", async () => {
    expect([(await world.run("--trust", "--var", "require_plan=false")).code, world.isTouched]).toEqual([
      0,
      true,
    ])
  })

  test("a run whose call waits for approval has its background agent work on, also where it is killed", async () => {
    const spawn = lifecycle.replace(
      "      agent: validation-runner\n",
      "      agent: validation-runner\n      mode: background\n",
    )
    world.put(`work/${world.file}`, spawn)
    world.put("bin/pytest", "#!/bin/sh\necho ran >> ran.txt\n")
    world.executable("bin/pytest")
    world.environment.PATH = `${path.join(world.base, "bin")}:${process.env.PATH}`
    world.script({
      worker: [bash("pytest tests/"), { text: "Done." }, { text: "Done." }],
      "validation-runner": [{ ...read, delayMs: 1_500 }, { text: "3 passed" }],
    })
    await world.cadre("trust", "--yes")
    const started = world.start(["run", "worker", "Go.", ...world.model])
    await started.says(/validation-runner.* started/)
    started.child.kill("SIGKILL")
    await started.ended
    const [{ id: run }] = JSON.parse((await world.cadre("runs", "--json")).stdout).runs
    const resumed = await world.json("resume", run)
    expect([resumed.code, resumed.result.status]).toEqual([7, "resting"])
    const ends = (await world.events(run)).filter(({ type }) => type === "run-end")
    expect(ends).toMatchObject([{ run: `${run}.1`, outcome: { type: "completed" }, output: "3 passed" }])
    const ran = path.join(world.work, "ran.txt")
    expect(existsSync(ran)).toBe(false)
    const { code, result } = await world.json("approve", run, "--resume")
    expect([code, result.outcome, readFileSync(ran, "utf8")]).toEqual([0, { type: "completed" }, "ran\n"])
  })
})

function change(to: GobbyWorld, from: string, text: string): void {
  const changed = lifecycle.replace(from, text)
  expect(changed).not.toBe(lifecycle)
  to.put(`work/${to.file}`, changed)
}

function move(to: GobbyWorld, place: string): void {
  rmSync(path.join(to.work, to.file))
  to.put(path.join("work", place), lifecycle)
}

/** What Gobby installs, beside the checkout; it is not part of the project. */
const corpus = material("corpus", "gobby-workflows")
describe.skipIf(!existsSync(corpus))("Gobby's own files, as it installs them", () => {
  beforeEach(() => {
    rmSync(path.join(world.work, ".gobby"), { recursive: true })
    for (const folder of ["agents", "workflows"]) {
      mkdirSync(path.join(world.work, ".gobby"), { recursive: true })
      cpSync(path.join(corpus, folder), path.join(world.work, ".gobby", folder), { recursive: true })
    }
  })

  test("its session lifecycle blocks edits without a task and bare Python, and tells its policy", async () => {
    world.script({
      worker: [
        write,
        bash("python3 -c 1"),
        {
          calls: [
            {
              tool: "ApplyPatch",
              input: { patch: "*** Begin Patch\n*** Add File: p.txt\n+x\n*** End Patch" },
            },
          ],
        },
        bash("echo hi"),
        { text: "Done." },
        { text: "Done." },
      ],
    })
    await world.cadre("trust", "--yes")
    const { code, result } = await world.json("run", "worker", "Change the notes.", "--yes", ...world.model)
    expect([code, existsSync(path.join(world.work, "new.txt"))]).toEqual([0, false])
    expect(await world.results(result.id)).toEqual([
      expect.stringMatching(/^Not permitted: .*claim a task/),
      expect.stringMatching(/^Not permitted: Do not run python or pip directly\./),
      expect.stringMatching(/^Not permitted: .*claim a task/),
      expect.stringContaining("hi"),
    ])
    const [start] = (await world.events(result.id)).filter(({ type }) => type === "moment-end")
    expect(start.context).toEqual([
      expect.stringMatching(/^## Pre-Existing Error/),
      expect.stringMatching(/^If the user just told you something/),
    ])
  })

  test("with a task that is said to be claimed edits run, and its gates on memories object at the end", async () => {
    world.script({ worker: [write, { text: "Done." }, { text: "Done." }] })
    await world.cadre("trust", "--yes")
    const words = ["run", "worker", "Change the notes.", "--yes", "--var", "task_claimed=true"]
    const { code, result } = await world.json(...words, ...world.model)
    expect([code, existsSync(path.join(world.work, "new.txt")), result.objection]).toEqual([
      0,
      true,
      expect.objectContaining({
        reason: naming("`memory_review_gate` blocks the end", "Gobby's memories"),
      }),
    ])
  })

  test("of every file check tells what of it is not done, and only rules that nobody brought are wrong", async () => {
    const { diagnostics } = JSON.parse((await world.cadre("check", "--json", ".gobby")).stdout)
    const told = new Map<string, Set<string>>()
    for (const { file, severity, code } of diagnostics)
      told.set(file, (told.get(file) ?? new Set()).add(`${severity} ${code}`))
    const of = (file: string) => [...(told.get(path.join(".gobby", file)) ?? [])].toSorted()
    expect(
      Object.fromEntries(
        readdirSync(path.join(corpus, "workflows"), { recursive: true, encoding: "utf8" })
          .filter((file) => file.endsWith(".yaml"))
          .toSorted()
          .map((file) => [file, of(path.join("workflows", file))]),
      ),
    ).toEqual({
      "auto-task.yaml": ["warning workflow-unheard"],
      "code-review.yaml": [],
      "coordinator.yaml": ["warning pipeline-foreign"],
      "deprecated/auto-task-claude.yaml": [],
      "deprecated/meeseeks-box-pipeline.yaml": ["warning pipeline-foreign"],
      "deprecated/meeseeks-box.yaml": ["warning workflow-unheard"],
      "deprecated/work-task-gemini.yaml": [],
      "developer.yaml": ["error workflow-foreign", "warning workflow-unheard"],
      "generic.yaml": ["warning step-tool-unknown", "warning workflow-unheard"],
      "headless-lifecycle.yaml": [
        "info hook-foreign",
        "info hook-off",
        "warning hook-foreign",
        "warning hook-tool-unknown",
      ],
      "hello-world.yaml": ["warning pipeline-foreign"],
      "merge.yaml": ["warning workflow-unheard"],
      "qa-reviewer.yaml": ["warning workflow-unheard"],
      "research-openclaw.yaml": ["warning pipeline-foreign"],
      "session-lifecycle.yaml": ["info hook-foreign", "warning hook-foreign", "warning hook-tool-unknown"],
    })
  })

  test("an agent that names a workflow with rules that nobody brought does not start; with them it is held to them", async () => {
    const named = ["workflow: developer"]
    world.agent("tester", named, "work/.claude/agents")
    world.put(
      "work/.cadre/agents/tester.md",
      "---\nname: tester\ndescription: d\nworkflow: developer\nvariables: {task_claimed: true, tests_written: true}\n---\n\nTest.\n",
    )
    world.script({
      tester: [bash("git push origin"), { text: "Done." }, ...Array(6).fill({ text: "Done." })],
    })
    const words = ["run", "tester", "Go.", "--yes", "--trust", ...world.model]
    const without = await world.cadre(...words)
    expect([without.code, without.stderr]).toEqual([
      1,
      expect.stringMatching(/the rule "no_push" is missing.*\.gobby\/rules\/worker-safety\.yaml/s),
    ])
    world.put(
      "work/.gobby/rules/worker-safety.yaml",
      'rule_definitions:\n  no_push:\n    tools: [Bash]\n    command_pattern: "git\\\\s+push"\n    reason: "Do not push."\n',
    )
    const { result } = await world.json(...words)
    expect((await world.results(result.id))[0]).toMatch(
      /Not permitted: (?:Do not push\.|Tool 'Bash' is not allowed)/,
    )
  })
})

test("codingAgent starts nothing under a file of Gobby's that is not understood", () => {
  world.put(`work/${world.file}`, lifecycle.replace("rules:", "rule:"))
  const open = () =>
    codingAgent({
      workDir: world.work,
      trust: "workspace",
      home: world.environment.HOME!,
      environment: world.environment,
      store: memoryStore(),
    })
  expect(open).toThrow(
    expect.objectContaining({
      code: "HOOK_INVALID",
      message: expect.stringMatching(
        /house-rules\.yaml:\d+:\d+: `block_tools` has no "rule"\. Did you mean "rules"\?/,
      ),
    }),
  )
})
