import { describe, expect, test } from "vitest"
import type { ChildStart } from "../../src/run/log/event-children.ts"
import { results, stateOf } from "../kit.ts"
import { scripted } from "../named-models.ts"
import { naming } from "../naming.ts"
import { type Chain, lastOf, lead, worker, worldOf } from "./delegation-kit.ts"

describe("what a child may use", () => {
  const cases: readonly [string, Chain, readonly string[] | "refused"][] = [
    [
      "its own list, though its caller only delegates",
      { agents: [lead(), worker({ tools: ["Bash", "Edit"] })] },
      ["Edit", "Bash"],
    ],
    [
      "no more than the call leaves to the tree",
      { agents: [lead(), worker({ tools: ["Bash", "Read"] })], tools: ["Read", "Agent"] },
      ["Read"],
    ],
    [
      "not what its caller is denied",
      { agents: [lead({ disallowedTools: ["Bash"] }), worker({ tools: ["Bash", "Edit"] })] },
      ["Edit"],
    ],
    [
      "not what its caller is denied by another host's name for it",
      { agents: [lead({ disallowedTools: ["run_shell_command"] }), worker({ tools: ["Bash", "Edit"] })] },
      ["Edit"],
    ],
    [
      "not what somebody far above is denied",
      {
        agents: [
          lead({ disallowedTools: ["Bash"] }),
          { name: "middle", instructions: "x", tools: ["Agent"] },
          worker({ tools: ["Bash", "Edit"] }),
        ],
      },
      ["Edit"],
    ],
    [
      "not what a rule of the configuration denies",
      {
        agents: [lead(), worker({ tools: ["Bash", "Edit"] })],
        parts: { rules: [{ tool: "Bash", decision: "deny" }] },
      },
      ["Edit"],
    ],
    [
      "not what changes anything below an agent in plan mode",
      { agents: [lead({ permissionMode: "plan" }), worker({ tools: ["Bash", "Read"] })] },
      ["Read"],
    ],
    [
      "without a list in code, what its caller has",
      { agents: [lead({ tools: ["Read", "Edit", "Agent"] }), worker()] },
      ["Read", "Edit"],
    ],
    [
      "without a list in a cadre file, what its caller has",
      { agents: [lead(), worker({ format: "cadre" })] },
      ["Read"],
    ],
    ...["claude", "codex-md", "acai", "gobby"].map((format): [string, Chain, readonly string[]] => [
      `without a list in a ${format} file, everything that the tree may use`,
      { agents: [lead({ disallowedTools: ["WebFetch"] }), worker({ format })] },
      ["Read", "Edit", "Bash"],
    ]),
    [
      "with its caller's history, only what its caller has too",
      { agents: [lead(), worker({ tools: ["Read", "Bash"], context: "fork" })] },
      ["Read"],
    ],
    [
      "nothing at all is no run",
      { agents: [lead({ disallowedTools: ["Bash"] }), worker({ tools: ["Bash"] })] },
      "refused",
    ],
    [
      "with `delegation: narrow`, of its list what its caller has",
      { agents: [lead(), worker({ tools: ["Read", "Bash"] })], parts: { delegation: "narrow" } },
      ["Read"],
    ],
  ]
  test.each(cases)("%s", async (_, chain, expected) => {
    const { tools } = await lastOf(chain)
    expect(tools ?? "refused").toEqual(expected)
  })
})

describe("what stands in parentheses", () => {
  const commands = [
    { tool: "Bash", input: { text: "git status" } },
    { tool: "Bash", input: { text: "npm test" } },
  ]
  const cases: readonly [string, Chain, readonly string[]][] = [
    [
      "is about the agent's own calls",
      { agents: [lead(), worker({ tools: ["Bash(git:*)"] })], calls: commands },
      ["Bash git status"],
    ],
    [
      "of a caller's list binds nobody below it",
      { agents: [lead({ tools: ["Agent", "Bash(git:*)"] }), worker({ tools: ["Bash"] })], calls: commands },
      ["Bash git status", "Bash npm test"],
    ],
    [
      "of a caller's list binds a child that has its caller's tools",
      { agents: [lead({ tools: ["Agent", "Bash(git:*)"] }), worker()], calls: commands },
      ["Bash git status"],
    ],
    [
      "of a caller's denials binds all below it",
      { agents: [lead({ disallowedTools: ["Bash(npm:*)"] }), worker({ tools: ["Bash"] })], calls: commands },
      ["Bash git status"],
    ],
  ]
  test.each(cases)("%s", async (_, chain, expected) => {
    expect((await lastOf(chain)).ran).toEqual(expected)
  })

  test("`Agent(a)` reaches a, and a reaches whom its own list names", async () => {
    const { ran } = await lastOf({
      agents: [
        lead({ tools: ["Agent(middle)"] }),
        { name: "middle", instructions: "x", tools: ["Agent(worker)"] },
        worker({ tools: ["Bash"] }),
      ],
      calls: [{ tool: "Bash" }],
    })
    expect(ran).toEqual(["Bash"])
  })

  test("a denial of `Agent` holds for the tool under every name", async () => {
    const { runtime, store } = worldOf({ agents: [lead({ disallowedTools: ["Task"] }), worker()] })
    const { run } = await runtime.run("lead", "go").done
    expect(await results(store, run)).toEqual([
      'Not permitted: the definition of agent "lead" denies Task. Go on without it.',
    ])
  })
})

describe("what is told", () => {
  test("child-start says what the child gains, and nothing where it gains nothing", async () => {
    const { child } = await lastOf({ agents: [lead(), worker({ tools: ["Read", "Bash"] })] })
    expect(child).toMatchObject({ type: "child-start", agent: "worker", gains: ["Bash"] })
    const same = await lastOf({ agents: [lead(), worker({ tools: ["Read"] })] })
    expect(same.child).not.toHaveProperty("gains")
  })

  test.each<[readonly string[], readonly string[], readonly string[] | undefined]>([
    [["Bash(git:*)"], ["Bash"], ["Bash"]],
    [["Bash(git:*)"], ["Bash(git:*)"], undefined],
    [["Bash(git:*)"], ["Bash(git status)"], undefined],
    [["Bash(git:*)"], ["Bash(git status:*)"], undefined],
    [["Bash(git *)"], ["Bash(git log *)", "Bash(git)"], undefined],
    [["Bash(git:*)", "Bash(npm:*)"], ["Bash(npm test)"], undefined],
    [["Bash(git:*)"], ["Bash(git status)", "Bash(npm test)"], ["Bash"]],
    [["Bash(git status:*)"], ["Bash(git:*)"], ["Bash"]],
    [["Bash(git status)"], ["Bash(git status:*)"], ["Bash"]],
    [["Bash(git:*)"], ["Bash(gitk:*)"], ["Bash"]],
    // What a shell makes of it nobody decides here.
    [["Bash(git:*)"], ["Bash(git log; rm x)"], ["Bash"]],
    [["Read(src/**)"], ["Read(src/a.ts)"], undefined],
    [["Read(src/**)"], ["Read(src/**)"], undefined],
    [["Read(src/**)"], ["Read(docs/a.md)"], ["Read"]],
    [["Read(src/a.ts)"], ["Read(src/**)"], ["Read"]],
    [["Agent(worker, helper)"], ["Agent(helper)", "Read"], ["Read"]],
    [["Agent(worker, h*)", "Read"], ["Agent(helper)", "Read"], undefined],
    [["Agent(worker)", "Read"], ["Agent(helper)", "Read"], ["Agent"]],
  ])("a child gains what it can do and its caller cannot: %j, %j", async (above, below, gains) => {
    const tools = above.some((entry) => entry.startsWith("Agent")) ? above : ["Agent", ...above]
    const { runtime, store } = worldOf({ agents: [lead({ tools }), worker({ tools: below })] })
    const { run } = await runtime.run("lead", "go").done
    const starts: unknown[] = []
    for await (const event of store.read(run))
      if (event.type === "child-start") starts.push((event as Partial<ChildStart>).gains)
    expect(starts).toEqual([gains])
  })

  test("what a child goes without is in child-start, in the report and in the result, with who took it", async () => {
    const { child, told, warnings } = await lastOf({
      agents: [lead({ disallowedTools: ["Bash"] }), worker({ tools: ["Bash", "Edit"] })],
    })
    const lacks = [{ tool: "Bash", by: { type: "rules", of: 'agent "lead"', agent: "lead", rule: "Bash" } }]
    const note = ['"worker"', "lists", "Bash", "denied", '"lead". Remove `Bash` there to allow it']
    expect(child).toMatchObject({ lacks })
    expect(told).toEqual([naming(...note, "\ndone")])
    expect(warnings).toEqual([naming(...note)])
  })

  test("what a run far below goes without is in the result of the root", async () => {
    const { warnings } = await lastOf({
      agents: [
        lead(),
        { name: "middle", instructions: "x", tools: ["Agent"], disallowedTools: ["Bash"] },
        worker({ tools: ["Bash", "Edit"] }),
      ],
    })
    expect(warnings).toEqual([
      expect.stringMatching(/^Agent "worker" did not have .* denied by the rules of agent "middle"/),
    ])
  })

  test("a refusal never says of a listed tool that it is not listed", async () => {
    const calls = [{ tool: "Bash" }, { tool: "WebFetch" }]
    const { denied } = await lastOf({
      agents: [lead({ disallowedTools: ["Bash"] }), worker({ tools: ["Bash", "Edit"] })],
      calls,
    })
    expect(denied).toEqual([
      expect.stringMatching(/permitted.*Bash is not available.*agent "lead"/),
      expect.stringMatching(/^Not permitted: WebFetch.*among.*the tools of agent "worker"/),
    ])
    const narrow = await lastOf({
      agents: [lead(), worker({ tools: ["Bash", "Read"] })],
      calls,
      parts: { delegation: "narrow" },
    })
    expect(narrow.denied[0]).toMatch(/^Not permitted: Bash is not available.*caller.*"lead".*Bash.*tools/)
  })

  test("a child of whose list nothing is left is refused with who took each tool", async () => {
    const { told } = await lastOf({
      agents: [lead({ disallowedTools: ["Bash"] }), worker({ tools: ["Bash"] })],
    })
    expect(told).toEqual([
      expect.stringMatching(
        /^Cannot spawn 'worker': Agent "worker" was not started: .* Bash: .* agent "lead".* `Bash`/,
      ),
    ])
  })
})

describe("the rule of a tree", () => {
  test("is recorded by its root, with what the tree may use where it is own", async () => {
    const own = worldOf({ agents: [lead(), worker()] })
    const { run } = await own.runtime.run("lead", "go", { tools: ["Read", "Agent"] }).done
    expect((await stateOf(own.store, run)).start).toMatchObject({
      delegation: "own",
      ceiling: ["Read", "Agent"],
    })
    const narrow = worldOf({ agents: [lead(), worker()], parts: { delegation: "narrow" } })
    const before = await narrow.runtime.run("lead", "go").done
    const { start } = await stateOf(narrow.store, before.run)
    expect([start?.delegation, start?.ceiling]).toEqual(["narrow", undefined])
  })

  test("that is wrong opens no runtime", () => {
    expect(() => worldOf({ agents: [lead()], parts: { delegation: "wide" as never } })).toThrow(
      /^"delegation" is "wide".*own, narrow.?$/,
    )
  })
})

describe("side doors", () => {
  test("a root's fallback is bound by what the first root was denied", async () => {
    const { runtime, store } = worldOf({
      agents: [
        lead({ disallowedTools: ["Bash"], fallback: ["worker"] }),
        worker({ tools: ["Bash", "Edit"] }),
      ],
      parts: {
        models: scripted({
          lead: [{ error: { kind: "refused", message: "no", retryable: false } as never }],
          worker: [{ text: "done" }],
        }),
      },
    })
    const { run } = await runtime.run("lead", "go").done
    expect((await stateOf(store, run)).start).toMatchObject({
      agent: "worker",
      lacks: [{ tool: "Bash", by: { type: "rules", agent: "lead" } }],
    })
    expect((await stateOf(store, run)).start!.tools).not.toContain("Bash")
  })

  test("a run that continues another has no tool that the call took from that one", async () => {
    const { runtime, store } = worldOf({ agents: [worker({ tools: ["Bash", "Read"] })] })
    const first = await runtime.run("worker", "go", { tools: ["Read"] }).done
    const next = await runtime.run("worker", "go on", { continues: first.run }).done
    expect((await stateOf(store, next.run)).start!.tools).toEqual(["Read"])
  })
})
