import { describe, expect, test } from "vitest"
import type { Hook } from "../ports/hook.ts"
import { explainHooks } from "./explain-hooks.ts"

const explained = (hook: object, run: object = {}) =>
  explainHooks(
    {
      agents: { find: () => undefined, all: () => [] },
      tools: new Map([
        ["Agent", { kind: "delegation" }],
        ["Bash", { kind: "function" }],
      ]),
    } as never,
    [{ name: "h", ...hook } as Hook],
    { agent: "a", above: [], depth: 0, offered: ["Bash"], ...run } as never,
  )[0]!
const written = (more: object = {}) => ({ of: "project", event: "before_tool", ...more })

describe("a hook in code is asked", () => {
  test.each<[object, readonly string[]]>([
    [{}, []],
    [{ judge: () => {} }, ["before_tool"]],
    [{ after: () => {} }, ["after_tool"]],
    [
      { judge: () => {}, after: () => {}, at: { stop: () => {}, run_end: () => {} } },
      ["before_tool", "after_tool", "stop", "run_end"],
    ],
  ])("%#", (hook, events) =>
    expect(explained(hook)).toEqual({ name: "h", of: "program", events, spares: [] }),
  )

  test("for a workflow, where it binds", () =>
    expect(explained({ binds: true, judge: () => {} }).of).toBe("workflow"))
})

describe("a hook that is written", () => {
  test("is shown as it is", () =>
    expect(explained({ judge: () => {}, written: written({ event: "stop" }) })).toEqual({
      name: "h",
      of: "project",
      events: ["stop"],
      written: written({ event: "stop" }),
      spares: [],
    }))

  test.each<[string, object, object, string | undefined]>([
    ["for roots, of a root", { runs: "roots" }, {}, undefined],
    ["for roots, of a child", { runs: "roots" }, { depth: 1 }, "runs"],
    ["for children, of a root", { runs: "children" }, {}, "runs"],
    ["for children, of a child", { runs: "children" }, { depth: 1 }, undefined],
    ["for this agent", { agents: ["b", "a"] }, {}, undefined],
    ["for another", { agents: ["b", "c"] }, {}, "agents"],
    ["for a pattern, which is not told", { agents: ["b*"] }, {}, undefined],
    ["for one and a pattern", { agents: ["b", "c*"] }, {}, undefined],
    ["for its tool", { tools: ["Bash"] }, {}, undefined],
    [
      "for its tool, by another host's word",
      { tools: ["Bash"] },
      { offered: ["run_shell_command"] },
      undefined,
    ],
    ["for another tool", { tools: ["Read"] }, {}, "tools"],
    ["for spawns, of one who hands on", { event: "before_spawn" }, { offered: ["Agent"] }, undefined],
    ["for spawns, of one who works alone", { event: "before_spawn" }, {}, "tools"],
  ])("judges a run or not: %s", (_, more, run, idle) =>
    expect(explained({ judge: () => {}, written: written(more) }, run).idle?.type).toBe(idle),
  )
})
