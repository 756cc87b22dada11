import { describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import type { Agent } from "../../agent/agent.ts"
import { CadreError, type ErrorCode, StartError, type StartProblem } from "../../ground/errors.ts"
import { getRunKind } from "./kind.ts"
import { findSelfModeProblems, listStartParts } from "./self-mode.ts"
import {
  attemptStart,
  collectProblems,
  dropRepeatedProblems,
  readProblems,
  subagentsDisabledProblem,
} from "./start-problem.ts"

const problem: StartProblem = { code: "TOOLS_DENIED", kind: "here", message: "no" }

describe("the problems of a start", () => {
  test.each<[ErrorCode, StartProblem["kind"]]>([
    ["AGENT_UNKNOWN", "call"],
    ["ATTACHMENT_INVALID", "call"],
    ["CALL_UNKNOWN", "call"],
    ["INPUT_INVALID", "call"],
    ["LIMIT_INVALID", "call"],
    ["LOG_DAMAGED", "here"],
    ["LOG_VERSION", "here"],
    ["MODEL_DENIED", "call"],
    ["MODEL_KEY_MISSING", "here"],
    ["RUN_ACTIVE", "call"],
    ["RUN_ENDED", "call"],
    ["RUN_OWNED", "here"],
    ["RUN_UNKNOWN", "call"],
    ["STORE_FAILED", "here"],
    ["TEXT_EMPTY", "call"],
    ["TRUST_CHANGED", "here"],
    ["TRUST_REFUSED", "here"],
    ["WORKSPACE_UNKNOWN", "here"],
    ["AGENT_INVALID", "written"],
  ])("%s is of the kind %s", (code, kind) => {
    expect(readProblems(new CadreError(code, "no"))).toEqual([{ code, kind, message: "no" }])
  })

  test("of a start are those that it names", () => {
    expect(readProblems(new StartError([problem]))).toEqual([problem])
    expect(() => readProblems(new TypeError("ours"))).toThrow("ours")
  })

  test("are collected, and other failures are not", async () => {
    const refuse = () => {
      throw new StartError([problem])
    }
    expect([collectProblems(() => {}), collectProblems(refuse)]).toEqual([[], [problem]])
    expect(() =>
      collectProblems(() => {
        throw new TypeError("ours")
      }),
    ).toThrow("ours")
    expect([await attemptStart(async () => 7), await attemptStart(async () => refuse())]).toEqual([
      { value: 7, problems: [] },
      { problems: [problem] },
    ])
    await expect(attemptStart(() => Promise.reject(new TypeError("ours")))).rejects.toThrow("ours")
  })

  test("are told once", () => {
    const other = { ...problem, message: "other" }
    expect(dropRepeatedProblems([problem, other, { ...problem, part: "x" }])).toEqual([problem, other])
  })

  test("where subagents are disabled", () => {
    expect(subagentsDisabledProblem).toEqual({
      code: "SUBAGENTS_DISABLED",
      kind: "written",
      rule: "subagents-disabled",
      setting: "subagents.enabled",
      message: naming("disabled", "subagents.enabled"),
    })
  })
})

const agent = (more: object = {}) => ({ name: "a", origin: {}, mode: "self", ...more }) as unknown as Agent

describe("an agent with the mode self", () => {
  test.each<[object, readonly string[]]>([
    [{}, []],
    [{ isolation: "none" }, []],
    [{ isolation: "worktree" }, ["isolation"]],
    [
      { pipeline: {}, executor: {}, result: {}, postconditions: [], hooks: [], lifecycle: {} },
      ["pipeline", "executor", "result", "postconditions", "hooks", "lifecycle"],
    ],
    [{ template: {} }, []],
    [{ template: { context: [] } }, ["template.context"]],
  ])("%j has parts that only count at a start: %j", (more, parts) => {
    expect(listStartParts(agent(more))).toEqual(parts)
    expect(findSelfModeProblems(agent(more))).toHaveLength(parts.length)
    expect(findSelfModeProblems(agent({ ...more, mode: "headless" }))).toEqual([])
  })

  test.each<[object, object, string]>([
    [{ result: {} }, { part: "result" }, "`result`"],
    [{ result: {}, origin: { file: "a.md" } }, { part: "result" }, "`output`"],
    [{ hooks: [], origin: { file: "a.md" } }, { part: "hooks" }, "`hooks`"],
    [{ template: { context: [] } }, { part: "template", path: ["context"] }, "`template.context`"],
  ])("with %j is refused", (more, where, key) => {
    expect(findSelfModeProblems(agent(more))).toEqual([
      {
        code: "MODE_REFUSED",
        kind: "written",
        rule: "mode-refused",
        ...where,
        message: naming(`"a"`, key, key),
      },
    ])
  })
})

test.each<[object, string]>([
  [{}, "agent"],
  [{ call: {} }, "call"],
  [{ executor: {} }, "command"],
  [{ pipeline: {} }, "pipeline"],
  [{ call: {}, executor: {}, pipeline: {} }, "call"],
  [{ executor: {}, pipeline: {} }, "command"],
])("the kind of %j is %s", (more, kind) => expect(getRunKind(agent(more))).toBe(kind))
