import { describe, expect, test } from "vitest"
import { asked, folded, turn } from "../../../test/folded.ts"
import { askAndDeny, runStart } from "../../../test/run-start.ts"
import type { FunctionTool } from "../../agent/tool.ts"
import type { Fact } from "../log/event.ts"
import type { Drive } from "./drive-view.ts"
import { createToolContext, executeTool, workPlaceOf } from "./execute-tool.ts"

const toolDefinition = { name: "build" }
const moved = [{ from: "/w", to: "/tree" }]
const running = { signal: new AbortController().signal }

/** As much of a drive as tools are given. */
function driveOf(start: object = {}, ...facts: readonly Fact[]) {
  return driveThatKeeps("nothing", start, ...facts)
}

function driveThatKeeps(keeps: "nothing" | "edits" | "all", start: object, ...facts: readonly Fact[]) {
  const state = folded({ ...runStart, rights: askAndDeny, ...start }, ...turn(1, [asked(1)]), ...facts)
  const recorded: unknown[] = []
  const drive = {
    state,
    environment: { layers: {}, tools: new Map(), keeps },
    definition: {
      agent: { toolDefinitions: [toolDefinition], origin: { format: "cadre" } },
      byName: new Map([["work", { listed: "Wo*" }]]),
    },
    recorder: { record: (fact: Fact, options: object) => void recorded.push([fact, options]) },
  } as unknown as Drive
  return { drive, recorded }
}

describe("the place of a call", () => {
  test("has the folder, its moves and the definition's own part of the tool", () => {
    expect(workPlaceOf(driveOf().drive, "work")).toStrictEqual({ cwd: "/" })
    expect(workPlaceOf(driveOf({ cwd: "/tree", moved }).drive, "build")).toStrictEqual({
      cwd: "/tree",
      moved,
      toolDefinition,
    })
  })
})

describe("the context of a call", () => {
  const question = { from: "the server", text: "Which?" }
  const contextOf = (tool: string, start: object = {}, ...facts: readonly Fact[]) => {
    const { drive, recorded } = driveOf(start, ...facts)
    const context = createToolContext(drive, { ...drive.state.calls.toArray()[0]!, tool }, running)
    return { context, recorded }
  }

  test("says whose call it is, where it works, and the entry that lists the tool", () => {
    const { permits, seen, forbidden, ...rest } = contextOf("work").context
    expect(rest).toStrictEqual({
      run: "r",
      call: "c1",
      key: "r:c1",
      agent: "a",
      depth: 0,
      cwd: "/",
      listed: "Wo*",
      signal: running.signal,
    })
    expect([seen("/a"), forbidden!()]).toEqual([undefined, []])
    expect([permits({ type: "read", path: "/a" }), permits({ type: "read", path: "/a" }, "no")]).toEqual([
      true,
      false,
    ])
  })

  test("has the moves of the folder, and the tool's definition with its notes", async () => {
    const { context, recorded } = contextOf("build", { cwd: "/tree", moved, depth: 2 })
    expect(context).toMatchObject({ cwd: "/tree", moved, depth: 2, toolDefinition, notes: [] })
    expect("listed" in context).toBe(false)
    await context.note!("half", "synced")
    await context.note!("whole", "stored")
    const note = { type: "tool-note", call: "c1" }
    expect(recorded).toEqual([
      [{ ...note, note: "half" }, { sync: true }],
      [{ ...note, note: "whole" }, {}],
    ])
  })

  test.each([
    ["nothing", undefined],
    ["all", "watched"],
    ["edits", "unwatched"],
  ] as const)("where a run keeps %s of its changes says how commands are seen: %s", (keeps, commands) => {
    const { drive } = driveThatKeeps(keeps, {})
    const { changes } = createToolContext(drive, drive.state.calls.toArray()[0]!, running)
    expect(changes?.commands).toBe(commands)
  })

  test("of a call that may have run before says so", () => {
    const start: Fact = { type: "tool-start", call: "c1" }
    expect(contextOf("work", {}, start, { type: "run-resume" }).context.repeated).toBe(true)
    expect("repeated" in contextOf("work", {}, start).context).toBe(false)
  })

  test("of a call whose question was answered has both", () => {
    const ask: Fact = { type: "approval-start", call: "c1", question }
    const answer = { action: "accept", content: { color: "red" } } as const
    const end: Fact = { type: "approval-end", call: "c1", key: "k", decision: "allow", answer }
    expect(contextOf("work", {}, ask, end).context.answered).toEqual({ question, answer })
    expect(contextOf("work", {}, ask).context.answered).toEqual({ question, answer: { action: "cancel" } })
    expect("answered" in contextOf("work").context).toBe(false)
  })
})

describe("the output of a tool is read", () => {
  const nothing = {
    text: undefined,
    isError: false,
    isUnknown: false,
    asks: undefined,
    samples: undefined,
    partial: undefined,
    usage: undefined,
    evidence: undefined,
    attachments: undefined,
  }
  const read = (output: unknown) => {
    const { drive } = driveOf()
    const tool = { execute: async () => output } as unknown as FunctionTool
    const context = createToolContext(drive, drive.state.calls.toArray()[0]!, running)
    return executeTool(drive, tool, { tool: "work", input: {}, context } as never)
  }
  const hashed = { path: "/a", hash: "h" }
  const command = { command: "make", exitCode: 0 }
  test.each<[unknown, object]>([
    ["done", { text: "done" }],
    [undefined, {}],
    [null, {}],
    [
      { text: "x", isError: 1, isUnknown: "yes" },
      { text: "x", isError: true, isUnknown: true },
    ],
    [{ partial: { a: 1 } }, { partial: { a: 1 } }],
    [{ asks: { from: "s", text: "?", more: () => 1 } }, { asks: { from: "s", text: "?" } }],
    [{ asks: { from: "s" } }, { asks: "wrong" }],
    [{ asks: { text: "?" } }, { asks: "wrong" }],
    [{ asks: null }, { asks: "wrong" }],
    [{ usage: 7 }, { usage: "wrong" }],
    [{ usage: null }, { usage: "wrong" }],
    [{ evidence: {} }, { evidence: { files: [], commands: [] } }],
    [
      { evidence: { read: [{ ...hashed, more: 1 }], files: [hashed], commands: [{ ...command, more: 1 }] } },
      { evidence: { read: [hashed], files: [hashed], commands: [command] } },
    ],
    [{ evidence: null }, { evidence: "wrong" }],
    [{ evidence: "x" }, { evidence: "wrong" }],
    [{ evidence: { files: {} } }, { evidence: "wrong" }],
    [{ evidence: { read: [{ path: "/a" }] } }, { evidence: "wrong" }],
    [{ evidence: { files: [{ hash: "h" }] } }, { evidence: "wrong" }],
    [{ evidence: { files: [null] } }, { evidence: "wrong" }],
    [{ evidence: { commands: [{ command: "make" }] } }, { evidence: "wrong" }],
    [{ evidence: { commands: [{ exitCode: 0 }] } }, { evidence: "wrong" }],
    [{ attachments: 7 }, { attachments: "wrong" }],
  ])("%j", async (output, expected) => {
    expect(await read(output)).toStrictEqual({ ...nothing, ...expected })
  })

  test("with a bounded number of files and commands", async () => {
    const many = <Item>(item: Item) => Array.from({ length: 10_001 }, () => item)
    const { evidence } = await read({
      evidence: { read: many(hashed), files: many(hashed), commands: many(command) },
    })
    const { read: seen, files, commands } = evidence as Record<string, readonly unknown[]>
    expect([seen, files, commands].map((list) => list!.length)).toEqual([10_000, 10_000, 10_000])
  })
})
