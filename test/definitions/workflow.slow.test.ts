import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { CommandWorld } from "../run-command-kit.ts"

let world: CommandWorld

beforeEach(() => {
  world = new CommandWorld()
  world.put("config/config.yaml", 'sandbox: "off"\n')
  world.put("work/notes.txt", "remember\n")
})

afterEach(() => world.remove())

const steps = `steps:
  - name: look
    status_message: Look around.
    allowed_tools: [Read]
    transitions:
      - { to: write, when: 'tool_name == "Read"' }
  - name: write
    blocked_tools: [Bash]
exit_condition: current_step == 'write'
`

const read = { tool: "Read", input: { path: "notes.txt" } }
const bash = { tool: "Bash", input: { command: "true" } }
const denied = (step: string, allowed: string) =>
  `Not permitted: Tool 'Bash' is not allowed in the '${step}' step.\nAllowed tools: ${allowed}`

const script = (agent: string) =>
  world.script({ [agent]: [{ calls: [bash] }, { calls: [read] }, { calls: [bash] }, { text: "Done." }] })

const run = (agent: string, ...words: readonly string[]) =>
  world.json("run", ...world.model, "--yes", ...words, agent, "Go.")

/** What an agent that tries Bash before and after it has read comes to. */
async function tried(agent: string, ...words: readonly string[]) {
  script(agent)
  const { code, result } = await run(agent, ...words)
  const [first, , last] = await world.results(result.id)
  return { code, workflow: result.workflow, first, last }
}

const indented = (text: string) => text.replace(/^(?=.)/gm, "  ")
const gobby = "name: worker\ndescription: d\ninstructions: Work.\ntimeout: 60\n"

describe("wherever a workflow comes from, it is followed", () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    [
      "cadre, written out",
      {
        ".cadre/agents/worker.md": `---\nname: worker\ndescription: d\nworkflow:\n${indented(steps)}---\n\nWork.\n`,
      },
      "worker",
    ],
    [
      "cadre, by name",
      {
        ".cadre/agents/worker.md": "---\nname: worker\ndescription: d\nworkflow: dev\n---\n\nWork.\n",
        ".cadre/workflows/dev.yaml": steps,
      },
      "dev",
    ],
    [
      "cadre, by the name of one of Gobby's files",
      {
        ".cadre/agents/worker.md": "---\nname: worker\ndescription: d\nworkflow: dev\n---\n\nWork.\n",
        ".gobby/workflows/other.yaml": `name: dev\ntype: step\nenabled: true\n${steps}`,
      },
      "dev",
    ],
    [
      "Gobby's first agents",
      {
        ".gobby/agents/worker.yaml": `${gobby}workflow: dev\n`,
        ".gobby/workflows/dev.yaml": `type: step\n${steps}`,
      },
      "dev",
    ],
    [
      "Gobby's second, the default one",
      {
        ".gobby/agents/worker.yaml": `${gobby}default_workflow: box\nworkflows:\n  box:\n    type: step\n${indented(indented(steps))}`,
      },
      "box",
    ],
    [
      "Gobby's second, in a file",
      {
        ".gobby/agents/worker.yaml": `${gobby}default_workflow: box\nworkflows:\n  box: { file: deep.yaml }\n`,
        ".gobby/workflows/deep.yaml": steps,
      },
      "deep",
    ],
    ["Gobby's third", { ".gobby/agents/worker.yaml": `${gobby}${steps}` }, "worker"],
    [
      "Gobby's fourth",
      { ".gobby/agents/worker.yaml": `${gobby}step_workflow:\n${indented(steps)}` },
      "worker",
    ],
  ])("%s", async (_, files, name) => {
    for (const [file, text] of Object.entries(files)) world.put(`work/${file}`, text)
    expect(await tried("worker", "--trust")).toEqual({
      code: 0,
      workflow: { name, step: "write", status: "complete" },
      first: denied("look", "Read"),
      last: denied("write", "all (not Bash)"),
    })
  })

  test("the user's own, for the user's own agent", async () => {
    world.agent("worker", ["workflow: mine"])
    world.put("config/workflows/mine.yaml", steps)
    expect(await tried("worker")).toMatchObject({ code: 0, first: denied("look", "Read") })
  })
})

describe("what cannot be followed keeps an agent from starting", () => {
  const failure = async (...words: readonly string[]) => {
    script("worker")
    const { code, stderr } = await world.cadre("run", ...world.model, ...words, "worker", "Go.")
    return [code, stderr]
  }

  test("a workflow of a project that nobody trusts, and one that was changed since", async () => {
    world.agent("worker", ["workflow: dev"])
    world.put("config/workflows/dev.yaml", steps.replace("[Read]", "all"))
    world.put("work/.cadre/workflows/dev.yaml", steps)
    const refused = [
      1,
      expect.stringMatching(
        /names the workflow "dev", .*\.cadre\/workflows\/dev\.yaml is not trusted .*\(WORKFLOW_INVALID\)/,
      ),
    ]
    expect(await failure()).toEqual(refused)
    const trusted = await world.cadre("trust", "--yes")
    expect(trusted.stdout + trusted.stderr).toContain("a workflow: agents that name")
    expect(await tried("worker")).toMatchObject({ code: 0, first: denied("look", "Read") })
    world.put("work/.cadre/workflows/dev.yaml", `${steps}# changed\n`)
    expect(await failure()).toEqual(refused)
  })

  test.each<[string, string, RegExp]>([
    ["one that is not there", "", /it does not exist\. None are known\./],
    ["a pipeline", "type: pipeline\nsteps: []\n", /this is a pipeline,/],
    [
      "a set of hooks",
      "type: lifecycle\non_before_tool:\n  - { tools: [Write], block: No. }\n",
      /this is a set of hooks.*`lifecycle`/,
    ],
  ])("%s", async (_, text, message) => {
    world.agent("worker", ["workflow: dev"])
    if (text !== "") world.put("work/.gobby/workflows/dev.yaml", text)
    expect(await failure("--trust")).toEqual([1, expect.stringMatching(message)])
  })
})

test("check tells what is wrong with workflows, in definitions and in files of their own", async () => {
  world.put("work/.cadre/workflows/dev.yaml", steps.replace("to: write", "to: writ"))
  world.put(
    "work/.cadre/workflows/odd.yaml",
    "steps:\n  - name: a\n    blocked_tools: [Bahs]\n    exit_when: taks\n  - name: a\n",
  )
  world.put("work/.gobby/workflows/pipe.yaml", "type: pipeline\nsteps: []\n")
  world.agent("worker", ["workflow:", "  steps: [{ name: a, exit_whn: x }]"])
  world.agent("other", ["workflow: devs"])
  const { code, stdout } = await world.cadre("check", "--json")
  const found = JSON.parse(stdout).diagnostics.map(
    ({
      file,
      code,
      range,
      message,
    }: {
      file: string
      code: string
      range: { start: { line: number; column: number } }
      message: string
    }) =>
      `${path.basename(file)}:${range.start.line}:${range.start.column} ${code} ${/Did you mean "[^"]*"/.exec(message)?.[0] ?? ""}`,
  )
  expect([code, found.filter((line: string) => !line.includes("name-shadowed")).toSorted()]).toEqual([
    1,
    [
      'dev.yaml:6:15 step-unknown Did you mean "write"',
      'odd.yaml:4:16 workflow-invalid Did you mean "task"',
      "odd.yaml:5:11 step-duplicate ",
      'other.md:4:11 workflow-unknown Did you mean "dev"',
      "pipe.yaml:1:7 pipeline-foreign ",
      'worker.md:5:22 workflow-invalid Did you mean "exit_when"',
    ],
  ])
})

test("the rules of the configuration hold for workflows and pipelines in files of their own, too", async () => {
  world.put("work/.cadre/workflows/odd.yaml", "steps:\n  - name: a\n    blocked_tools: [Bahs]\n")
  world.put("work/.gobby/workflows/pipe.yaml", "type: pipeline\nsteps: []\n")
  const found = async () => {
    const { stdout } = await world.cadre("check", "--json", ".cadre/workflows", ".gobby/workflows")
    return JSON.parse(stdout).diagnostics.map(
      ({ severity, code }: { severity: string; code: string }) => `${severity} ${code}`,
    )
  }
  expect(await found()).toEqual(["warning step-tool-unknown", "warning pipeline-foreign"])
  world.put("config/config.yaml", "rules: { step-tool-unknown: error, pipeline-foreign: 'off' }\n")
  expect(await found()).toEqual(["error step-tool-unknown"])
})

test("the log and the lines of a run tell its steps, and show tells those of an agent", async () => {
  world.agent("worker", ["workflow:", ...indented(steps).trimEnd().split("\n")])
  script("worker")
  const { stderr } = await world.cadre("run", ...world.model, "--yes", "worker", "Go.")
  expect(stderr.split("\n").filter((line) => /^Workflow|step:/.test(line))).toEqual([
    "worker step: look",
    "worker step: look → write, the workflow is complete",
    "Workflow worker: complete, in the step write.",
  ])
  const [, id] = /^Run (\S+)/m.exec(stderr)!
  const { stdout } = await world.cadre("log", id!, "--events")
  expect(stdout).toMatch(/moment-end +step: look; id: run_start$/m)
  expect(stdout).toMatch(/tool-end +step: look → write, the workflow is complete; result: /)
  expect((await world.cadre("show", "worker")).stdout).toMatch(
    /Steps of the workflow worker:\nlook +Allowed tools: Read +to write\nwrite +Allowed tools: all \(not Bash\)/,
  )
})
