import { describe, expect, test } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import type { ExecutorOptions } from "../../src/agent/executor.ts"
import type { RuntimeOptions } from "../../src/assembly/create-runtime.ts"
import type { RunOptions } from "../../src/run/face/runtime.ts"
import type { RunEvent } from "../../src/run/log/event.ts"
import { results, tool } from "../kit.ts"
import { naming } from "../naming.ts"
import { by, executing } from "./kit.ts"

const options: ExecutorOptions = {
  tools: ["--tools", "{}"],
  noTools: ["--none"],
  disallowedTools: ["--not", "{}"],
}

interface Case {
  readonly lead?: Partial<AgentInput>
  readonly bot?: Partial<AgentInput>
  readonly parts?: Partial<RuntimeOptions>
  readonly call?: RunOptions
}

/** A lead that hands its task to `bot`, which is run by a program that prints its arguments. */
async function told({ lead = {}, bot = {}, parts = {}, call = {} }: Case) {
  const agents = [{ name: "lead", instructions: "Lead.", tools: ["Agent"], ...lead }, by("bot", bot)]
  const hand = { calls: [{ tool: "Agent", input: { agent: "bot", prompt: "Go." } }] }
  const { start, store } = executing({ bot: { words: ["arguments"], options } }, agents, {
    script: { lead: [hand, { text: "done" }] },
    tools: ["Read", "Edit", "Bash"].map((name) => tool(name)),
    delegation: "own",
    ...parts,
  })
  const handle = start("lead", "Go.", call)
  const { proof } = await handle.done
  let child: RunEvent | undefined
  for await (const event of store.read(handle.id)) {
    const known = event as unknown as RunEvent
    if (known.type === "child-start") child = known
  }
  const { gains, lacks } = child?.type === "child-start" ? child : {}
  return { gains, lacks, report: (await results(store, handle.id))[0], warnings: proof.warnings }
}

const note = (words: readonly string[]) => naming('Agent "bot"', "tools that its definition lists", ...words)
const byLead = (rule: string) => ({ type: "rules", of: 'agent "lead"', agent: "lead", rule })

describe("what a program is not given of a list is told as any other lack", () => {
  test.each<[string, Case, readonly object[], readonly string[]]>([
    [
      "a denial above",
      { lead: { disallowedTools: ["Bash"] }, bot: { tools: ["Read", "Bash"] } },
      [{ tool: "Bash", by: byLead("Bash") }],
      ["Bash: it is denied", 'agent "lead"', "Remove `Bash`"],
    ],
    [
      "a denial above, both in other hosts' words",
      { lead: { disallowedTools: ["run_shell_command"] }, bot: { tools: ["Read", "execute"] } },
      [{ tool: "execute", by: byLead("run_shell_command") }],
      ["execute: it is denied", 'agent "lead"', "Remove `run_shell_command`"],
    ],
    [
      "a rule above that asks",
      { lead: { rules: [{ tool: "Bash", decision: "ask" }] }, bot: { tools: ["Read", "Bash"] } },
      [{ tool: "Bash", by: { ...byLead("Bash"), asks: true } }],
      ['Bash: the rules of agent "lead" require approval', "a program cannot ask", "Remove `Bash`"],
    ],
    [
      "a call that leaves it out",
      { bot: { tools: ["Read", "Bash"] }, call: { tools: ["Agent", "Read", "Executor"] } },
      [{ tool: "Bash", by: { type: "call" } }],
      ["Bash: the call that started", "leaves it out", "Add Bash to the `tools`"],
    ],
  ])("%s", async (_, given, lacks, words) => {
    expect(await told(given)).toEqual({
      gains: ["Executor", "Read"],
      lacks,
      report: naming(note(words), '\n["--tools","Read"]'),
      warnings: [note(words)],
    })
  })

  test("but not what the agent denies itself", async () => {
    const bot = { tools: ["Read", "Bash"], disallowedTools: ["Bash"] }
    expect(await told({ bot })).toMatchObject({ lacks: undefined, report: '["--tools","Read"]' })
  })
})

describe("a child gains the tools of its program", () => {
  test.each<[string, Case, readonly string[]]>([
    ["its list", { bot: { tools: ["Read", "execute"] } }, ["Executor", "Read", "execute"]],
    [
      "less what its caller has, by any name",
      { lead: { tools: ["Agent", "Bash"] }, bot: { tools: ["Read", "execute"] } },
      ["Executor", "Read"],
    ],
    [
      "with a wider use of what its caller has",
      { lead: { tools: ["Agent", "Bash(git:*)"] }, bot: { tools: ["Bash"] } },
      ["Executor", "Bash"],
    ],
    ["no list in code: what its caller has", { lead: { tools: ["Agent", "Read"] } }, ["Executor"]],
  ])("%s", async (_, given, gains) => {
    expect((await told(given)).gains).toEqual(gains)
  })

  test("without a list that limits it, everything", async () => {
    expect((await told({ lead: { tools: ["Agent", "Read", "Edit", "Bash"] } })).gains).toEqual([
      "Executor",
      "*",
    ])
  })
})

describe("a program that is denied is refused before the start, with the denial", () => {
  const bot = { tools: ["Read"] }
  test.each<[string, Case, RegExp]>([
    ["Executor", { lead: { disallowedTools: ["Executor"] }, bot }, /Executor .* agent "lead"\. .*`Executor`/],
    ["a pattern", { lead: { disallowedTools: ["E*"] }, bot }, /Executor .* agent "lead"\. .*`E\*`/],
    [
      "this program alone",
      { lead: { disallowedTools: ["Executor(bot)"] }, bot },
      /Executor\(bot\) .* agent "lead"\. .*`Executor\(bot\)`/,
    ],
    [
      "plan mode",
      { lead: { permissionMode: "plan" }, bot },
      /Executor .* agent "lead" .*`permissionMode: plan`/,
    ],
    [
      "a call that leaves it out",
      { bot, call: { tools: ["Agent", "Read"] } },
      /Executor .*`tools` of that call/,
    ],
    [
      "by itself",
      { bot: { ...bot, disallowedTools: ["Executor"] } },
      /denies Executor\. .*`disallowedTools`/,
    ],
  ])("%s", async (_, given, why) => {
    const { report, ...others } = await told(given)
    expect(report).toMatch(/^Cannot spawn 'bot': Agent "bot" was not started: .* executor bot\. /)
    expect(report).toMatch(why)
    expect(others).toEqual({
      gains: undefined,
      lacks: undefined,
      warnings: [report!.replace("Cannot spawn 'bot': ", "")],
    })
  })
})

describe("an agent of whose list its program is given nothing is refused", () => {
  test.each<[string, Case, RegExp]>([
    [
      "a denial above",
      { lead: { disallowedTools: ["run_shell_command"] }, bot: { tools: ["Bash"] } },
      / Bash: .* agent "lead"\. .*`run_shell_command`/,
    ],
    [
      "a call that leaves it out, and a denial of its own",
      {
        bot: { tools: ["Read", "Bash"], disallowedTools: ["Bash"] },
        call: { tools: ["Agent", "Edit", "Executor"] },
      },
      / Bash: .* its own definition\. Read: .*`tools` of that call/,
    ],
    [
      "a caller without it, under a list that binds those below",
      { lead: { delegates: ["Executor"] }, bot: { tools: ["Read"] }, parts: { delegation: "narrow" } },
      / Read: .*"lead".* Add Read to the tools of "lead"/,
    ],
  ])("%s", async (_, given, why) => {
    const { report } = await told(given)
    expect(report).toMatch(/^Cannot spawn 'bot': .*none of the tools/)
    expect(report).toMatch(why)
  })
})

describe("`Executor` in the list of an agent that a model drives", () => {
  const reason = "no model may call it"

  test("is a lack of its own kind, and a call of it is refused with that", async () => {
    const agents = [{ name: "lead", instructions: "Lead.", tools: ["Read", "Executor"] }]
    const { start, store } = executing({ bot: {} }, agents, {
      script: { lead: [{ calls: [{ tool: "Executor", input: {} }] }, { text: "done" }] },
      tools: [tool("Read")],
      delegation: "own",
    })
    const handle = start("lead", "Go.")
    const { proof } = await handle.done
    expect([proof.lacks, proof.warnings, await results(store, handle.id)]).toEqual([
      [{ tool: "Executor", by: { type: "unoffered" } }],
      [naming(`Agent "lead"`, `Executor: ${reason}`, "Remove Executor")],
      [naming("Not permitted: Executor", reason)],
    ])
  })

  test.each(["own", "narrow"] as const)("is not enough to start (%s)", async (delegation) => {
    const agents = [{ name: "lead", instructions: "Lead.", tools: ["Executor"] }]
    const { start } = executing({ bot: {} }, agents, { delegation })
    await expect(start("lead", "Go.").done).rejects.toMatchObject({
      code: "TOOLS_DENIED",
      message: expect.stringMatching(/^Agent "lead" was not started: .* Executor: /),
    })
  })
})
