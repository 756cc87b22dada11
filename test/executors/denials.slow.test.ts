import fs from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import type { ExecutorOptions } from "../../src/agent/executor.ts"
import type { RuntimeOptions } from "../../src/assembly/create-runtime.ts"
import type { RunOptions } from "../../src/run/face/runtime.ts"
import { results, tool } from "../kit.ts"
import { naming } from "../naming.ts"
import { sandboxMissing } from "../sandbox/kit.ts"
import { by, executing } from "./kit.ts"

const options: ExecutorOptions = {
  tools: ["--tools", "{}"],
  noTools: ["--none"],
  disallowedTools: ["--not", "{}"],
}

const tools = ["Read", "Edit", "Bash"].map((name) => tool(name))
const hand = { calls: [{ tool: "Agent", input: { agent: "bot", prompt: "Go." } }] }

/** A lead that hands its task to `bot`, which is run by a program that prints its arguments. */
function led(lead: Partial<AgentInput>, bot: Partial<AgentInput> = {}, more: Partial<RuntimeOptions> = {}) {
  const agents = [{ name: "lead", instructions: "Lead.", ...lead }, by("bot", bot)]
  return executing({ bot: { words: ["arguments"], options } }, agents, {
    script: { lead: [hand, { text: "done" }] },
    tools,
    ...more,
  })
}

async function told(...given: Parameters<typeof led>): Promise<unknown> {
  const { start, store } = led(...given)
  const handle = start("lead", "Go.")
  await handle.done
  const [text] = await results(store, handle.id)
  const [, report] = /^(?:Agent "bot" did not have .*\n)?(\[.*\])$/.exec(text!) ?? []
  return report === undefined ? text : JSON.parse(report)
}

describe.each(["own", "narrow"] as const)(
  "what binds whoever calls it binds the program (%s)",
  (delegation) => {
    test.each<[string, Partial<AgentInput>, Partial<AgentInput>, unknown]>([
      ["a caller with everything", {}, {}, []],
      ["a tool that its caller is denied", { disallowedTools: ["Bash"] }, {}, ["--tools", "Read,Edit"]],
      ["a caller with a list", { tools: ["Read", "Agent", "Executor"] }, {}, ["--tools", "Read"]],
      ["a caller that only delegates", { tools: ["Agent", "Executor"] }, {}, ["--none"]],
      [
        "a rule of its caller",
        { rules: [{ tool: "Bash", decision: "deny" }] },
        { tools: ["Edit", "Bash"] },
        ["--tools", "Edit"],
      ],
      [
        "a rule of its caller that asks",
        { rules: [{ tool: "Bash", decision: "ask" }] },
        { tools: ["Read", "Bash"] },
        ["--tools", "Read"],
      ],
      [
        "a use that its caller is denied",
        { disallowedTools: ["Bash(rm:*)"] },
        {},
        expect.stringMatching(
          /^Cannot spawn 'bot': Agent "bot" was not started: .*agent "lead" denies Bash\(rm:\*\)\./,
        ),
      ],
      [
        "a use that its caller is denied, of a tool that it has not",
        { disallowedTools: ["Bash(rm:*)"] },
        { tools: ["Read"] },
        ["--tools", "Read"],
      ],
      [
        "its whole list denied",
        { disallowedTools: ["Bash"] },
        { tools: ["Bash"] },
        expect.stringMatching(
          /^Cannot spawn 'bot': Agent "bot" was not started: .* Bash: .* agent "lead".* `Bash`/,
        ),
      ],
    ])("%s", async (_, lead, bot, expected) => {
      expect(await told(lead, bot, { delegation })).toEqual(expected)
    })

    test("two levels down, too", async () => {
      const { start, store } = executing(
        { bot: { words: ["arguments"], options } },
        [
          { name: "lead", instructions: "Lead.", disallowedTools: ["Bash"] },
          { name: "middle", instructions: "Pass on." },
          by("bot"),
        ],
        {
          script: {
            lead: [
              { calls: [{ tool: "Agent", input: { agent: "middle", prompt: "Go." } }] },
              { text: "done" },
            ],
            middle: [hand, { text: "passed" }],
          },
          tools,
          delegation,
        },
      )
      const handle = start("lead", "Go.")
      await handle.done
      expect(await results(store, `${handle.id}.1`)).toEqual(['["--tools","Read,Edit"]'])
    })
  },
)

describe("a root", () => {
  const rooted = (more: Partial<RuntimeOptions>, bot: Partial<AgentInput> = {}) =>
    executing({ bot: { words: ["arguments"], options } }, [by("bot", bot)], { tools, ...more })

  test.each<[string, Partial<RuntimeOptions>, RunOptions, unknown]>([
    ["what the call leaves", {}, { tools: ["Read", "Executor"] }, ["--tools", "Read"]],
    ["what the call leaves, where that is nothing", {}, { tools: ["Executor"] }, ["--none"]],
    [
      "what the configuration denies",
      { rules: [{ tool: "Bash", decision: "deny" }] },
      {},
      ["--not", expect.stringContaining("Bash")],
    ],
    [
      "nothing, where a mode only asks",
      { rules: [{ tool: "Executor", decision: "allow" }], otherwise: "ask" },
      {},
      [],
    ],
  ])("is told %s", async (_, more, run, expected) => {
    expect(JSON.parse((await rooted(more).run("bot", "Go.", run)).output)).toEqual(expected)
  })

  test("is told with its result what of its list it had to do without", async () => {
    const { start } = rooted({ rules: [{ tool: "Bash", decision: "deny" }] }, { tools: ["Read", "Bash"] })
    const { proof, output } = await start("bot", "Go.").done
    expect([output, proof.warnings]).toEqual([
      '["--tools","Read"]',
      [naming('Agent "bot"', "Bash: it is denied", "configuration", "`Bash`")],
    ])
  })

  test("does not start where nothing holds what a rule denies", async () => {
    const { run } = rooted({ rules: [{ tool: "Read(secret.txt)", decision: "deny" }] })
    await expect(run("bot")).rejects.toMatchObject({
      code: "EXECUTOR_DENIED",
      message: expect.stringMatching(/denies Read\(.*secret\.txt\).*in the sandbox/),
    })
  })
})

test.skipIf(sandboxMissing !== undefined)(
  "the sandbox keeps a program from paths that rules deny",
  async () => {
    const world = executing({ reader: { words: ["file", "secret.txt"], sandbox: "preferred" } }, undefined, {
      rules: [{ tool: "Read(secret.txt)", decision: "deny" }],
    })
    fs.writeFileSync(path.join(world.folder, "secret.txt"), "the secret")
    expect((await world.run("reader")).output).not.toContain("the secret")
    const other = executing({ reader: { words: ["file", "secret.txt"], sandbox: "preferred" } })
    fs.writeFileSync(path.join(other.folder, "secret.txt"), "the secret")
    expect((await other.run("reader")).output).toContain("the secret")
  },
)

describe("a call that was planned before", () => {
  const asking: Partial<RuntimeOptions> = { tools, rules: [{ tool: "Executor", decision: "ask" }] }
  const bot = { bot: { words: ["arguments"], options } }

  test("does not begin once more is denied", async () => {
    const first = executing(bot, [by("bot", { tools: ["Read", "Bash"] })], asking)
    const handle = first.start("bot", "Go.")
    await handle.done
    await first.runtime.approve(handle.id, "c1", "allow")
    const command = [process.execPath, path.join(first.folder, "stand-in.mjs"), "arguments"]
    const later = executing({ bot: { command, options } }, [], {
      store: first.store,
      tools,
      rules: [{ tool: "Bash", decision: "deny" }],
    })
    expect((await later.runtime.resume(handle.id).done).outcome).toEqual({
      type: "failed",
      reason: expect.stringMatching(/^Not run: .*executor bot .*\(tools\)/),
    })
  })

  test.each<[string, object, RegExp]>([
    ["another list", { tools: ["Read", "Bash"] }, /^Not run: .*\(tools\)/],
    ["no list", { tools: undefined }, /^Not run: .*\(tools\)/],
    ["another command", { command: ["sh"] }, /^Not run: .*\(command\)/],
  ])("does not begin with %s that a hook gave it", async (_, change, reason) => {
    const rewriting = {
      name: "rewriting",
      judge: async ({ input }: { input: object }) => ({
        type: "rewrite" as const,
        arguments: JSON.stringify({ ...input, ...change }),
      }),
    }
    const { run } = executing(bot, [by("bot", { tools: ["Read"] })], { tools, hooks: [rewriting] as never })
    expect((await run("bot")).outcome).toEqual({ type: "failed", reason: expect.stringMatching(reason) })
  })

  test("begins with another prompt that a hook gave it", async () => {
    const rewriting = {
      name: "rewriting",
      judge: async ({ input }: { input: object }) => ({
        type: "rewrite" as const,
        arguments: JSON.stringify({ ...input, prompt: "Other." }),
      }),
    }
    const { run } = executing({ echo: {} }, undefined, { tools, hooks: [rewriting] as never })
    expect((await run("echo")).output).toBe("Other.")
  })
})
